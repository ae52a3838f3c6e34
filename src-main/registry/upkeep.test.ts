/**
 * Maintenance of the registry: verifying stored files, deleting versions that share a file, and a second
 * program on the same store.
 */

import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRegistry, type Registry } from './registry.ts';
import type { VersionRow } from './versionRow.ts';

const ANYBODY = { tenant: '', principal: null, isAdmin: true };

let dir = '';
let registry: Registry;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cellar-upkeep-'));
  registry = await openRegistry({ dir, protectedAliases: [], zombieSeconds: 60 });
});
afterEach(async () => {
  registry.close();
  await rm(dir, { recursive: true, force: true });
});

/** Stores a value; a value with the same provenance under another id is answered by the first. */
async function stored(id: string, value: unknown, provenance = id): Promise<VersionRow> {
  const blob = await registry.receiveJson(value);
  const { row } = await registry.importVersion(
    {
      id,
      version: 1,
      provenanceHash: provenance.padEnd(64, '0'),
      createdAt: 1,
      state: 'ready',
      remap: false,
      schemaJson: null,
      rowCount: null,
      byteSize: null,
      principal: null,
      transformSpec: null,
      inputVersions: {},
      contentSha256: null,
      contentType: null,
      blob,
    },
    ANYBODY,
  );
  return row;
}

const bytesOf = async (row: VersionRow) => readFile(registry.dataFile(row, ANYBODY).path);

it('[RG-14] verification finds missing, torn, damaged and orphaned files, and nothing in a sound store', async () => {
  const [gone, torn, damaged] = [
    await stored('gone', [1]),
    await stored('torn', [2]),
    await stored('damaged', [3]),
  ];
  await stored('same', [4]);
  await stored('again', [4], 'same');
  expect((await registry.verify()).problems).toEqual([]);
  const blobs = join(dir, 'blobs');
  const { path } = registry.dataFile(damaged, ANYBODY);
  const bytes = await readFile(path);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await truncate(registry.dataFile(torn, ANYBODY).path, 10);
  await rm(registry.dataFile(gone, ANYBODY).path);
  await writeFile(join(blobs, 'left@v=1.arrow'), 'x');
  const { problems, versions } = await registry.verify();
  expect(versions).toBe(4);
  expect(problems.map(({ kind, of }) => [kind, of])).toEqual([
    ['damaged', 'svc://artifact/damaged@v=1'],
    ['missing', 'svc://artifact/gone@v=1'],
    ['torn', 'svc://artifact/torn@v=1'],
    ['orphaned', 'left@v=1.arrow'],
  ]);
});

it('[RG-15] a version whose file others read can be deleted: they keep their data', async () => {
  const first = await stored('first', ['value'], 'key');
  const second = await stored('second', ['value'], 'key');
  const third = await stored('third', ['value'], 'key');
  expect([second.state, third.state]).toEqual(['superseded', 'superseded']);
  const bytes = await bytesOf(first);
  for (const doomed of [first, second]) {
    registry.remove(doomed, ANYBODY);
    expect(await bytesOf(third)).toEqual(bytes);
  }
  expect(registry.get(third, ANYBODY)).toMatchObject({ state: 'ready', supersededBy: null });
  expect(registry.readyByProvenance('key'.padEnd(64, '0'), ANYBODY)?.id).toBe('third');
  expect((await registry.verify()).problems).toEqual([]);
  registry.remove(third, ANYBODY);
  expect(await readdir(join(dir, 'blobs'))).toEqual([]);
});

it('[RG-14] a second program that opens the store does not remove uploads of the first', async () => {
  await mkdir(join(dir, 'blobs'), { recursive: true });
  await writeFile(join(dir, 'blobs/.incoming-1'), 'half');
  const other = await openRegistry({ dir, protectedAliases: [], zombieSeconds: 60, sweeps: false });
  other.close();
  expect(await readdir(join(dir, 'blobs'))).toEqual(['.incoming-1']);
});
