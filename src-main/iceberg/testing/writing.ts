/** For tests: writes Iceberg tables as the server does, and reads them with pyiceberg. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { RecordBatchReader, type Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll } from 'vitest';
import type { Warehouses } from '../openTable.ts';
import { columnsOfArrow } from '../write/columnsOfArrow.ts';
import { openTableStore } from '../write/openTableStore.ts';
import { parquetOfArrow } from '../write/parquetOfArrow.ts';
import type { TableStore } from '../write/tableStore.ts';
import { type WrittenTable, writeTable } from '../write/writeTable.ts';
import { PYTHON, SERVICES } from './pyiceberg.ts';

const never = new AbortController().signal;

/** Writes Arrow rows to a table as the server does. */
export async function written(
  uri: string,
  rows: Table,
  {
    warehouses,
    tag = null,
    summary = {},
    check = () => undefined,
    beforeCommit = async () => undefined,
  }: {
    readonly warehouses: Warehouses;
    readonly tag?: string | null;
    readonly summary?: Readonly<Record<string, string>>;
    readonly check?: (last: Readonly<Record<string, string>> | null) => void;
    /** Changes by other programs before the commit. */
    readonly beforeCommit?: () => Promise<void>;
  },
): Promise<WrittenTable> {
  const opened = openTableStore(uri, warehouses);
  const store: TableStore = {
    ...opened,
    async commit(base, change, signal) {
      await beforeCommit();
      await opened.commit(base, change, signal);
    },
  };
  const bytes = tableToIPC(rows, 'stream');
  try {
    return await writeTable(
      store,
      {
        columns: columnsOfArrow(rows.schema),
        summary,
        tag,
        check,
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

/** The content of a table as read by pyiceberg. */
export interface ReadBack {
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly columns: readonly (readonly [number, string, string])[];
  /** Columns whose values differ from the file OUT.expected.arrows. */
  readonly differing: readonly string[];
  readonly schemas: number;
  readonly current: string;
  readonly snapshots: readonly Readonly<Record<string, unknown>>[];
  readonly entries: readonly { readonly status: number; readonly file: string }[];
  readonly log: number;
  readonly rows: Table;
  readonly taggedRows: (tag: string) => Promise<Table>;
}

/**
 * A process of e2e/services/iceberg_read.py for the tests of a `describe`, because it takes seconds to start.
 */
export function pyicebergReader() {
  let child: ChildProcess | null = null;
  let lines: AsyncIterator<string> | null = null;
  beforeAll(() => {
    const started = spawn(PYTHON ?? 'python3', ['-I', join(SERVICES, 'iceberg_read.py')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child = started;
    lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  });
  afterAll(() => void child?.kill());
  return {
    /**
     * Reads a table.
     * @param out the prefix of the paths of the row files
     */
    async read(
      properties: Readonly<Record<string, unknown>>,
      table: string,
      out: string,
      ...actions: readonly string[]
    ): Promise<ReadBack> {
      child?.stdin?.write(`${JSON.stringify([properties, table, out, actions])}\n`);
      const line = await lines?.next();
      if (line?.done !== false) throw new Error('the reader ended');
      const rowsIn = async (path: string) => tableFromIPC(await readFile(path));
      return {
        ...(JSON.parse(line.value) as ReadBack), // from that program
        rows: await rowsIn(`${out}.arrows`),
        taggedRows: (tag) => rowsIn(`${out}.${tag}.arrows`),
      };
    },
  };
}
