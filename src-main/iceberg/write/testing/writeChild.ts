import { writeSync } from 'node:fs';
import { Int64, RecordBatchReader, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { columnsOfArrow } from '../columnsOfArrow.ts';
import { openTableStore } from '../openTableStore.ts';
import { parquetOfArrow } from '../parquetOfArrow.ts';
import { writeTable } from '../writeTable.ts';

/**
 * A process for the crash tests: `writeChild.ts <warehouse> <first> <count>`. Each round writes a new table
 * `ns.new<n>` and replaces the table `ns.all` by the rows n, n, n, and prints `<table> <n>` for each table
 * once it must exist. SVC_TEST_KILL_AT ends it.
 */
const [warehouse = '', first = '0', count = '1'] = process.argv.slice(2);
const { signal } = new AbortController();

async function write(table: string, n: number): Promise<void> {
  const rows = new Table({ n: vectorFromArray([n, n, n].map(BigInt), new Int64()) });
  const store = openTableStore(`${warehouse}#ns.${table}`, {
    defaultCatalog: 'default',
    catalogs: {},
    storage: { s3: {}, gs: {}, az: {} },
  });
  async function* batches() {
    yield* RecordBatchReader.from(tableToIPC(rows, 'stream'));
  }
  await writeTable(
    store,
    {
      columns: columnsOfArrow(rows.schema),
      summary: {},
      tag: null,
      check: () => undefined,
      parquet: (fields, path) =>
        parquetOfArrow({ schema: rows.schema, batches: batches() }, { fields, path, signal }),
    },
    signal,
  );
  await store.close();
  writeSync(1, `${table} ${n}\n`);
}

for (let n = Number(first); n < Number(first) + Number(count); n += 1) {
  await write(`new${n}`, n);
  await write('all', n);
}
