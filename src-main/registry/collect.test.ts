import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRegistry, type Registry } from './registry.ts';

const ANYBODY = { tenant: '', principal: null, isAdmin: true };

async function imported(registry: Registry, id: string, inputs: Readonly<Record<string, string>> = {}) {
  const blob = await registry.receiveJson([id]);
  return () =>
    registry.importVersion(
      {
        id,
        version: 1,
        provenanceHash: id.padEnd(64, '0'),
        createdAt: 1,
        state: 'superseded',
        remap: false,
        schemaJson: null,
        rowCount: null,
        byteSize: null,
        principal: null,
        transformSpec: null,
        inputVersions: inputs,
        contentSha256: null,
        contentType: null,
        blob,
      },
      ANYBODY,
    );
}

it('[RG-1] a version that becomes an input during the collection remains', async () => {
  let clock = 100;
  const dir = await mkdtemp(join(tmpdir(), 'cellar-collect-'));
  const registry = await openRegistry({ dir, protectedAliases: [], zombieSeconds: 60, now: () => clock });
  await (await imported(registry, 'a'))();
  await (await imported(registry, 'b'))();
  const addReader = await imported(registry, 'reader', { 'svc://artifact/a@v=1': 'a@v=1' });
  clock = 1_000;
  const limits = { maxIdleDays: 0, maxBytes: null, minIdleSeconds: 0, collectLatest: true, now: clock };
  const collecting = registry.collect(limits, false);
  await addReader();
  const { versions } = await collecting;
  expect(versions.map(({ id }) => id)).toEqual(['b']);
  expect(registry.get({ id: 'a', version: 1 }, ANYBODY).state).toBe('superseded');
  registry.close();
  await rm(dir, { recursive: true, force: true });
});

it('[RG-1] a version that is named during the collection remains, with everything it was made from', async () => {
  let clock = 100;
  const dir = await mkdtemp(join(tmpdir(), 'cellar-collect-'));
  const registry = await openRegistry({ dir, protectedAliases: [], zombieSeconds: 60, now: () => clock });
  for (const [id, inputs] of [
    ['deep', {}],
    ['middle', { 'svc://artifact/deep@v=1': 'deep@v=1' }],
    ['top', { 'svc://artifact/middle@v=1': 'middle@v=1' }],
    ['other', {}],
  ] as const) {
    await (await imported(registry, id, inputs))();
  }
  clock = 1_000;
  const limits = { maxIdleDays: 0, maxBytes: null, minIdleSeconds: 0, collectLatest: true, now: clock };
  const collecting = registry.collect(limits, false);
  registry.pins.add({ id: 'top', version: 1 }, 'late', ANYBODY);
  const { versions } = await collecting;
  expect(versions.map(({ id }) => id)).toEqual(['other']);
  registry.close();
  await rm(dir, { recursive: true, force: true });
});
