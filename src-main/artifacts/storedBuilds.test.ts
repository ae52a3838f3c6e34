import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BuildRow, createStoredBuilds } from './storedBuilds.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kept-builds-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true });
});

const row = (buildId: string): BuildRow => ({
  buildId,
  artifactId: 'a',
  version: 1,
  state: 'building',
  executorRef: 'r',
  createdAt: 1,
  completedAt: null,
  errorMessage: null,
  errorCode: null,
  outputBytes: null,
  leaseOwner: null,
  leaseExpiresAt: null,
  inputUris: [],
  params: {},
  heldBy: 'me',
  own: {},
  attempts: [],
});

describe('[BU-16] closing the store of builds', () => {
  it('resolves after pending writes; later ones are refused with a message', async () => {
    const rows = createStoredBuilds(dir);
    const writing = Promise.all(['a', 'b', 'c'].map((id) => rows.save(row(id))));
    await rows.close();
    await writing;
    await expect(rows.save(row('d'))).rejects.toThrow(/is closed/);
    const next = createStoredBuilds(dir);
    expect((await next.all()).map(({ buildId }) => buildId)).toEqual(['a', 'b', 'c']);
    await next.close();
  });

  it('resolves if nothing was ever opened, or could be opened', async () => {
    await createStoredBuilds(dir).close();
    await writeFile(join(dir, 'file'), '');
    const rows = createStoredBuilds(join(dir, 'file'));
    await expect(rows.save(row('a'))).rejects.toThrow();
    await rows.close();
  });
});
