import { readFile } from 'node:fs/promises';
import { RecordBatchReader, type Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import type { Warehouses } from '../openTable.ts';
import { columnsOfArrow } from '../write/columnsOfArrow.ts';
import { openTableStore } from '../write/openTableStore.ts';
import { parquetOfArrow } from '../write/parquetOfArrow.ts';
import { type WrittenTable, writeTable } from '../write/writeTable.ts';
import { writtenBy } from './pyiceberg.ts';

const never = new AbortController().signal;

/** Writes Arrow rows as the server does. */
export async function written(
  uri: string,
  rows: Table,
  {
    warehouses,
    tag = null,
    summary = {},
    check = () => undefined,
  }: {
    readonly warehouses: Warehouses;
    readonly tag?: string | null;
    readonly summary?: Readonly<Record<string, string>>;
    readonly check?: (last: Readonly<Record<string, string>> | null) => void;
  },
): Promise<WrittenTable> {
  const store = openTableStore(uri, warehouses);
  const bytes = tableToIPC(rows, 'stream');
  try {
    return await writeTable(
      store,
      {
        ...{ columns: columnsOfArrow(rows.schema), summary, tag, check },
        async parquet(fields, path) {
          const reader = await RecordBatchReader.from(Promise.resolve(bytes));
          await reader.open();
          return parquetOfArrow(
            { schema: reader.schema, batches: batchesOf(reader) },
            { fields, path, signal: never },
          );
        },
      },
      never,
    );
  } finally {
    await store.close();
  }
}

async function* batchesOf(reader: RecordBatchReader) {
  for await (const batch of reader) yield batch;
}

/** What pyiceberg says of a table. */
export interface ReadBack {
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly columns: readonly (readonly [number, string, string])[];
  readonly schemas: number;
  readonly current: string;
  readonly snapshots: readonly Readonly<Record<string, unknown>>[];
  readonly entries: readonly { readonly status: number; readonly file: string }[];
  readonly log: number;
  readonly rows: Table;
  readonly taggedRows: (tag: string) => Promise<Table>;
}

/** Reads a table by pyiceberg. @param out a path of which the files of rows begin */
export async function readByPyiceberg(
  properties: Readonly<Record<string, unknown>>,
  table: string,
  out: string,
  ...actions: readonly string[]
): Promise<ReadBack> {
  const [line] = await writtenBy('iceberg_read.py', JSON.stringify(properties), table, out, ...actions);
  const rowsIn = async (path: string) => tableFromIPC(await readFile(path));
  return {
    ...(line as ReadBack), // by that program
    rows: await rowsIn(`${out}.arrows`),
    taggedRows: (tag) => rowsIn(`${out}.${tag}.arrows`),
  };
}
