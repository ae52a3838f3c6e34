import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Field,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  TimestampNanosecond,
  tableFromIPC,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IcebergError } from '../icebergError.ts';
import { rowsOf } from '../testing/arrowRows.ts';
import { PYTHON } from '../testing/pyiceberg.ts';
import { NO_WAREHOUSES, scanned } from '../testing/scanned.ts';
import { pyicebergReader, written } from '../testing/writing.ts';
import { moveTag } from './moveTag.ts';
import { openTableStore } from './openTableStore.ts';

const warehouses = NO_WAREHOUSES;
const never = new AbortController().signal;
const TYPES = fileURLToPath(new URL('../../table/fixtures/types.arrow', import.meta.url));
/** Types that Iceberg does not have, or not in format v2. */
const REFUSED = ['dec256', 'duration', 'stamp_ns'];

const numbers = (...values: readonly number[]) =>
  new Table({
    n: vectorFromArray(values.map(BigInt), new Int64()),
    s: vectorFromArray(
      values.map((value) => (value % 2 === 0 ? `text ${value}` : null)),
      new Utf8(),
    ),
  });

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof IcebergError ? `${error.kind}: ${error.message}` : String(error);
}

describe.skipIf(PYTHON === undefined)('[RG-40] a table in a warehouse folder', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iceberg-write-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const catalog = () => ({ name: 'svc', type: 'sql', uri: `sqlite:///${folder}/catalog.db` });
  const uri = (table: string) => `${folder}#ns.${table}`;
  const outOf = (table: string) => join(folder, `${table}.read`);
  const reader = pyicebergReader();
  const read = (table: string, ...actions: readonly string[]) =>
    reader.read(catalog(), `ns.${table}`, outOf(table), ...actions);

  it('is created by an append, replaced by an overwrite, and read equal by another program', async () => {
    const first = await written(uri('t'), numbers(1, 2, 3), {
      warehouses,
      tag: 'prod',
      summary: { 'svc.version': '1' },
    });
    expect(first.created).toBe(true);
    const one = await read('t');
    expect(rowsOf(one.rows)).toEqual(rowsOf(numbers(1, 2, 3)));
    expect(one.tags).toEqual({ prod: String(first.snapshotId) });
    expect(one.snapshots).toMatchObject([{ operation: 'append', 'svc.version': '1', 'added-records': '3' }]);

    const second = await written(uri('t'), numbers(4, 5), { warehouses, summary: { 'svc.version': '2' } });
    expect(second.created).toBe(false);
    const two = await read('t');
    expect(rowsOf(two.rows)).toEqual(rowsOf(numbers(4, 5)));
    expect(rowsOf(await two.taggedRows('prod'))).toEqual(rowsOf(numbers(1, 2, 3)));
    expect(two.snapshots[1]).toMatchObject({
      operation: 'overwrite',
      parent: Number(first.snapshotId),
      'deleted-data-files': '1',
      'deleted-records': '3',
      'total-records': '2',
    });
    expect(two.entries.map(({ status }) => status).sort()).toEqual([1, 2]);
    expect([two.schemas, two.log, two.location]).toEqual([1, 1, `file://${folder}/ns/t`]);
    expect(rowsOf((await scanned(uri('t'))).rows)).toEqual(rowsOf(numbers(4, 5)));

    const move = async (version: string) => {
      const store = openTableStore(uri('t'), warehouses);
      const moved = await moveTag(store, { tag: 'prod', entries: { 'svc.version': version } }, never);
      await store.close();
      return moved;
    };
    expect([await move('2'), await move('2'), await move('3')]).toEqual(['moved', 'unchanged', 'absent']);
    expect((await read('t')).tags).toEqual({ prod: String(second.snapshotId) });
  });

  it('has every value of every type', async () => {
    const all = tableFromIPC(await readFile(TYPES));
    const rows = all.select(all.schema.names.map(String).filter((name) => !REFUSED.includes(name)));
    await writeFile(`${outOf('types')}.expected.arrows`, tableToIPC(rows, 'stream'));
    await written(uri('types'), rows, { warehouses });
    const back = await read('types');
    expect(back.differing).toEqual([]);
    expect(Object.fromEntries(back.columns.map(([, name, type]) => [name, type]))).toMatchObject({
      u8: 'int',
      u32: 'long',
      u64: 'decimal(20, 0)',
      f16: 'float',
      bool: 'boolean',
      null: 'string',
      fixed: 'binary',
      date64: 'date',
      time32: 'time',
      stamp_s: 'timestamp',
      stamp_us: 'timestamptz',
    });
  });

  it('assigns new ids to new columns and keeps the ids of the others', async () => {
    await written(uri('columns'), numbers(1), { warehouses });
    const more = new Table({
      x: vectorFromArray([0.5]),
      s: vectorFromArray([7n], new Int64()),
      n: vectorFromArray([1n], new Int64()),
    });
    await written(uri('columns'), more, { warehouses });
    const { columns, rows, schemas } = await read('columns');
    expect(columns).toEqual([
      [3, 'x', 'double'],
      [4, 's', 'long'],
      [1, 'n', 'long'],
    ]);
    expect([rowsOf(rows), schemas]).toEqual([rowsOf(more), 2]);
  });

  it('may have no rows, and get some later', async () => {
    await written(uri('empty'), numbers(), { warehouses });
    expect((await read('empty')).rows.numRows).toBe(0);
    await written(uri('empty'), numbers(1), { warehouses });
    expect((await read('empty')).rows.numRows).toBe(1);
  });

  it('commits the writes of several writers one after another, and loses none', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        written(uri('many'), numbers(n), { warehouses, summary: { 'svc.version': `${n}` } }),
      ),
    );
    expect(answers.filter(({ created }) => created).length).toBe(1);
    const { snapshots, rows } = await read('many');
    expect(snapshots.map((one) => one['svc.version']).sort()).toEqual(['1', '2', '3', '4']);
    expect(rowsOf(rows)).toEqual(rowsOf(numbers(Number(snapshots.at(-1)?.['svc.version']))));
  });

  it('is only replaced if a check of its last change allows it', async () => {
    await written(uri('theirs'), numbers(1), { warehouses, summary: { 'svc.tenant': 'a' } });
    const tenants: unknown[] = [];
    const check = (last: Readonly<Record<string, string>> | null) => {
      tenants.push(last?.['svc.tenant']);
      if (last?.['svc.tenant'] === undefined) throw new IcebergError('invalid_request', 'not ours');
    };
    await written(uri('theirs'), numbers(2), { warehouses, check, summary: { 'svc.tenant': 'b' } });
    const before = await read('theirs', '--append', '--branch');
    expect(await problemOf(written(uri('theirs'), numbers(3), { warehouses, check }))).toBe(
      'invalid_request: not ours',
    );
    expect(tenants).toEqual(['a', undefined]);
    expect(await problemOf(written(uri('theirs'), numbers(3), { warehouses, tag: 'work' }))).toContain(
      'invalid_request: "work" is a branch of the table',
    );
    expect(await problemOf(written(uri('new'), numbers(3), { warehouses, tag: 'main' }))).toContain('"main"');
    expect(await problemOf(scanned(uri('new')))).toContain('not_found');
    expect((await read('theirs')).current).toBe(before.current);
    // Their rows are marked as deleted with their own manifest's columns.
    await written(uri('theirs'), numbers(4), { warehouses });
    const after = await read('theirs');
    expect(rowsOf(after.rows)).toEqual(rowsOf(numbers(4)));
    expect(after.snapshots.at(-1)).toMatchObject({ 'deleted-data-files': '2', 'deleted-records': '2' });
  });

  it.each<[string, Table, string]>([
    [
      'a duration',
      tableFromIPC(readFileSync(TYPES)).select(['duration']),
      'The column "duration" is of the type Duration<MICROSECOND>, which Iceberg tables do not have.',
    ],
    ['nanoseconds', stamps(1n), 'The column "t" has times with nanoseconds'],
    ['two names that differ in case', named('a', 'A'), 'the columns "a" and "A"'],
    ['two columns with one name', named('a', 'a'), 'two columns named "a"'],
    ['a column without a name', named('a', ''), 'a column without a name'],
  ])('of %s is refused, and nothing is created', async (_, rows, sentence) => {
    expect(await problemOf(written(uri('refused'), rows, { warehouses }))).toContain(sentence);
    expect(await problemOf(scanned(uri('refused')))).toContain('not_found');
  });

  it.each([
    ['nowhere', `${tmpdir()}/cellar-no-such-folder#ns.t`, 'not_found: There is no warehouse folder'],
    [
      'of a bucket without a catalog',
      's3://b/w#ns.t',
      'invalid_request: The warehouse s3://b/w is in object storage',
    ],
    ['with a bad name', '/w#t', "invalid_request: Invalid table_id 't'"],
  ])('%s is refused', async (_, text, sentence) => {
    expect(
      await problemOf(Promise.resolve().then(() => written(text, numbers(1), { warehouses }))),
    ).toContain(sentence);
  });
});

function stamps(nanoseconds: bigint): Table {
  const type = new TimestampNanosecond();
  const data = makeData({ type, length: 2, nullCount: 0, data: new BigInt64Array([1000n, nanoseconds]) });
  return new Table({ t: new Vector([data]) });
}

function named(...names: readonly string[]): Table {
  const schema = new Schema(names.map((name) => new Field(name, new Int64(), true)));
  const children = names.map(() => makeData({ type: new Int64(), length: 1, data: new BigInt64Array([1n]) }));
  const data = makeData({ type: new Struct(schema.fields), length: 1, nullCount: 0, children });
  return new Table([new RecordBatch(schema, data)]);
}
