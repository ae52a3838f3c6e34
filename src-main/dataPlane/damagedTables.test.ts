import { copyFile, readdir, readFile, rename, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PYTHON, runPython } from '../iceberg/testing/pyiceberg.ts';
import type { PlaneRefusal } from './planeRefusal.ts';
import { openPlaneWorld, type PlaneTables, type PlaneWorld, writePlaneTables } from './testing/planeWorld.ts';

/** A Parquet file with the rows of one file of the table, and a column of another type. */
const OTHER_TYPE = `
import sys, pyarrow as pa, pyarrow.parquet as pq
old = pq.read_table(sys.argv[1])
fields = [pa.field(f.name, pa.string() if f.name == 'id' else f.type, metadata=f.metadata) for f in old.schema]
pq.write_table(pa.table([c.cast(f.type) for c, f in zip(old.columns, fields)], pa.schema(fields)), sys.argv[1])
`;
const FEWER_ROWS = `
import sys, pyarrow.parquet as pq
pq.write_table(pq.read_table(sys.argv[1]).slice(1), sys.argv[1])
`;

const rewritten =
  (program: string) =>
  async (file: string): Promise<void> => {
    await runPython(['-c', program, file]);
  };
const cut = async (file: string): Promise<void> => truncate(file, (await readFile(file)).length >> 1);
const encrypted = async (file: string): Promise<void> => {
  const bytes = await readFile(file);
  await writeFile(file, Buffer.concat([Buffer.from('PARE'), bytes.subarray(4, -4), Buffer.from('PARE')]));
};

/** When the refusal comes: with the request, or with the stream. */
type Place = 'request' | 'stream';

describe.skipIf(PYTHON === undefined)('a damaged table', () => {
  let tables: PlaneTables;
  let rows: readonly string[] = [];
  const fileOf = async (part: 'data' | 'metadata', which: RegExp): Promise<string> => {
    const folder = join(tables.folder, 'ns/orders', part);
    const name = (await readdir(folder)).sort().find((one) => which.test(one));
    if (name === undefined) throw new Error(`no file ${which}`);
    return join(folder, name);
  };
  const scan = async (world: PlaneWorld): Promise<readonly string[]> => {
    const reply = await world.materialize([tables.uri('orders')], 'scan@v1', { columns: ['id', 'city'] });
    return reply.stream_id === null ? world.stored(reply.artifact_uri) : world.rows(reply.stream_id);
  };
  beforeAll(async () => {
    tables = await writePlaneTables();
    const world = await openPlaneWorld();
    rows = await scan(world);
    await world.close();
    expect(rows).toHaveLength(15);
  });
  afterAll(() => tables?.remove());

  it.each<[string, 'data' | 'metadata', RegExp, (file: string) => Promise<void>, Place, number, RegExp]>([
    ['a file that is missing', 'data', /parquet$/, unlink, 'stream', 500, /the file is missing\.$/],
    ['a file that is truncated', 'data', /parquet$/, cut, 'stream', 500, /the file is damaged/],
    ['an encrypted file', 'data', /parquet$/, encrypted, 'stream', 500, /encrypted, which is not supported/],
    [
      'a file with a column of another type',
      'data',
      /parquet$/,
      rewritten(OTHER_TYPE),
      'stream',
      500,
      /"id"|id .*(type|VARCHAR)/,
    ],
    [
      'a file with fewer rows than its manifest says',
      'data',
      /parquet$/,
      rewritten(FEWER_ROWS),
      'stream',
      500,
      /it has \d+ rows, and its manifest says \d+/,
    ],
    ['a manifest that is truncated', 'metadata', /m0\.avro$/, cut, 'request', 422, /m0\.avro cannot be read/],
    ['a manifest that is missing', 'metadata', /m0\.avro$/, unlink, 'request', 422, /the file is missing/],
    [
      'a manifest list that is truncated',
      'metadata',
      /^snap-/,
      cut,
      'request',
      422,
      /snap-.* cannot be read/,
    ],
    [
      'metadata that is truncated',
      'metadata',
      /^00002-.*json$/,
      cut,
      'request',
      422,
      /00002-.* cannot be read/,
    ],
  ])(
    '[DP-107] %s is refused, and read once it is repaired',
    async (_what, part, which, damage, place, status, says) => {
      // The lists of both snapshots are damaged, because a scan reads one of them.
      const files =
        String(which) === '/^snap-/'
          ? await Promise.all(
              tables.snapshots.map((snapshot) => fileOf(part, new RegExp(`^snap-${snapshot}-`))),
            )
          : [await fileOf(part, which)];
      const world = await openPlaneWorld();
      for (const file of files) {
        await copyFile(file, `${file}.before`);
        await damage(file);
      }
      try {
        const refused = async (work: Promise<unknown>): Promise<PlaneRefusal> =>
          work.then(
            () => Promise.reject(new Error('it was not refused')),
            (error: PlaneRefusal) => error,
          );
        const registry = await world.registry.open();
        if (place === 'request')
          expect(await refused(scan(world))).toMatchObject({ status, message: expect.stringMatching(says) });
        else {
          const reply = await world.materialize([tables.uri('orders')], 'scan@v1', {
            columns: ['id', 'city'],
          });
          expect(await refused(world.rows(reply.stream_id))).toMatchObject({
            status,
            message: expect.stringMatching(says),
            body: { error: 'scan_build_failed', detail: expect.stringMatching(says) },
          });
          expect((await world.version(reply.artifact_uri)).state).toBe('failed');
        }
        // No partial artifact is left.
        const { problems } = await registry.verify();
        expect(problems).toEqual([]);
      } finally {
        for (const file of files) await rename(`${file}.before`, file);
      }
      // Nothing of the damaged file is in the cache.
      expect(await scan(world)).toEqual(rows);
      await world.close();
    },
  );

  it('[DP-107] a warehouse that disappears while it is read fails the build, and leaves nothing behind', async () => {
    const world = await openPlaneWorld();
    const reply = await world.materialize([tables.uri('orders')], 'scan@v1', { columns: ['price'] });
    await rename(tables.folder, `${tables.folder}.away`);
    try {
      await expect(world.rows(reply.stream_id)).rejects.toMatchObject({
        status: 500,
        body: { error: 'scan_build_failed' },
      });
      await expect(scan(world)).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining('There is no warehouse folder'),
      });
    } finally {
      await rename(`${tables.folder}.away`, tables.folder);
    }
    expect((await world.version(reply.artifact_uri)).state).toBe('failed');
    expect(await scan(world)).toEqual(rows);
    await world.close();
  });
});
