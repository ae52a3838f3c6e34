import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../iceberg/testing/arrowRows.ts';
import { PYTHON } from '../../iceberg/testing/pyiceberg.ts';
import { pyicebergReader } from '../../iceberg/testing/writing.ts';
import type { Party, VersionRow } from '../../registry/versionRow.ts';
import { PlaneRefusal } from '../planeRefusal.ts';
import { openPlaneWorld, PERSON, type PlaneWorld } from '../testing/planeWorld.ts';

const never = new AbortController().signal;

describe.skipIf(PYTHON === undefined)('[RG-42] an export of a version to a table', () => {
  let folder = '';
  let world: PlaneWorld;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'export-'));
    world = await openPlaneWorld();
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });
  const reader = pyicebergReader();
  const read = (table: string, ...actions: readonly string[]) =>
    reader.read(
      { name: 'svc', type: 'sql', uri: `sqlite:///${folder}/catalog.db` },
      `ns.${table}`,
      join(folder, table),
      ...actions,
    );
  const put = async (data: unknown, party: Party = PERSON.party): Promise<VersionRow> => {
    const registry = await world.registry.open();
    const spec = { executor: 'test@v1', inputs: [], params: { data } };
    return (await registry.put({ spec, blob: await registry.receiveJson(data) }, party)).row;
  };
  const write = (
    { id, version }: VersionRow,
    table: string,
    { alias = null, party = PERSON.party }: { readonly alias?: string | null; readonly party?: Party } = {},
  ) => world.plane.exportTable({ ref: { id, version }, table: `${folder}#ns.${table}`, alias }, party, never);
  const refusalOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    return error instanceof PlaneRefusal ? `${error.status} ${error.message}` : String(error);
  };

  it('has the rows of the version, records their origin, and is replaced by the next export', async () => {
    const one = await put({ city: ['Kiel', null], n: [1, 2] });
    const two = await put({ city: ['Bonn'], n: [3] });
    const first = await write(one, 'sales', { alias: 'prod' });
    expect(first).toEqual({
      table: `${folder}#ns.sales`,
      created: true,
      artifact_uri: `svc://artifact/${one.id}@v=1`,
      snapshot_id: expect.any(Number),
    });
    const rows = async ({ id, version }: VersionRow) => {
      const { path } = (await world.registry.open()).dataFile({ id, version }, PERSON.party);
      return rowsOf(tableFromIPC(await readFile(path)));
    };
    expect(rowsOf((await read('sales')).rows)).toEqual(await rows(one));
    expect(await write(two, 'sales')).toMatchObject({ created: false });
    const back = await read('sales');
    expect(rowsOf(back.rows)).toEqual(await rows(two));
    expect(back.tags).toEqual({ prod: String(first.snapshot_id) });
    expect(back.snapshots[0]).toMatchObject({
      'svc.artifact_id': one.id,
      'svc.version': '1',
      'svc.provenance_hash': one.provenanceHash,
      'svc.promoted_by': '',
      'svc.tenant': '',
    });
  });

  it('moves the tag with the alias of the name', async () => {
    const [one, two] = [await put({ a: [1] }), await put({ a: [2] })];
    const first = await write(one, 'tagged', { alias: 'prod' });
    const second = await write(two, 'tagged');
    const move = (row: VersionRow) => world.plane.moveTableTags('prod', row, PERSON.party, never);
    expect(await move(two)).toEqual([{ table: `${folder}#ns.tagged`, problem: null }]);
    expect((await read('tagged')).tags).toEqual({ prod: String(second.snapshot_id) });
    await move(one);
    expect((await read('tagged')).tags).toEqual({ prod: String(first.snapshot_id) });
    expect(await move(await put({ a: [3] }))).toEqual([]);
  });

  it('reports which tag was not moved, and why', async () => {
    const one = await put({ gone: [1] });
    await write(one, 'gone');
    const catalog = join(folder, 'catalog.db');
    const { default: Sqlite } = await import('better-sqlite3');
    const database = new Sqlite(catalog);
    database.prepare("DELETE FROM iceberg_tables WHERE table_name = 'gone'").run();
    database.close();
    const [moved] = await world.plane.moveTableTags('prod', one, PERSON.party, never);
    expect(moved?.problem).toBe('The table no longer has a snapshot of this version.');
    expect(world.logged.some((line) => line.includes('The tag of an exported table was not moved'))).toBe(
      true,
    );
  });

  it('replaces no rows of others', async () => {
    const row = await put({ mine: [1] });
    await write(row, 'shared');
    const before = await read('shared', '--append', '--branch');
    expect(await refusalOf(write(row, 'shared'))).toMatch(/^400 .* was not written by an export/);
    expect((await read('shared')).current).toBe(before.current);
    await write(row, 'tenants');
    const other: Party = { tenant: 'b', principal: 'bea', isAdmin: false };
    const theirs = await put({ theirs: [1] }, other);
    expect(await refusalOf(write(theirs, 'tenants', { party: other }))).toMatch(/^403 .* another tenant/);
    expect(await refusalOf(write(theirs, 'tenants'))).toContain('not found');
  });

  it.each([
    ['a bad table', '400 Invalid table_id', async () => write(await put({ x: [1] }), 'a.b')],
    ['a bad alias', 'is not a valid alias', async () => write(await put({ x: [1] }), 'x', { alias: 'a/b' })],
    [
      'the branch main',
      '400 "main" is a branch',
      async () => write(await put({ x: [1] }), 'tagged', { alias: 'main' }),
    ],
  ])('%s is refused', async (_, sentence, work) => {
    expect(await refusalOf(work())).toContain(sentence);
  });
});
