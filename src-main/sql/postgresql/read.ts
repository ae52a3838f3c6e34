/** Runs a reading statement of a SQL cell on PostgreSQL. */

import type { Column, Row } from '../columnType.ts';
import type { BoundStatement, ResultStream } from '../driver.ts';
import type { PgSession } from './connect.ts';
import { type Page, PgCursor, type PgField, type TextRow } from './cursor.ts';
import { columnTypeOf, type PgType } from './types.ts';
import type { UserDefinedTypes } from './userDefinedTypes.ts';
import { type ReadValue, readerOf } from './values.ts';

/** Rows per request; the server holds the rest. */
const PAGE_ROWS = 4_096;

interface ColumnReaders {
  readonly columns: readonly Column[];
  readonly readers: readonly ReadValue[];
}

/**
 * Runs one reading statement in a read-only transaction. Ending the iteration of the batches closes the cursor and the
 * transaction.
 */
export async function readStatement(
  session: PgSession,
  bound: BoundStatement,
  { types, signal }: { types: UserDefinedTypes; signal: AbortSignal },
): Promise<ResultStream> {
  const { client } = session;
  const abandon = () => session.abandon();
  signal.throwIfAborted();
  signal.addEventListener('abort', abandon, { once: true });
  let cursor: PgCursor | null = null;
  const finish = async (failed: boolean) => {
    signal.removeEventListener('abort', abandon);
    if (signal.aborted) return;
    if (!failed) await cursor?.close();
    await client.query('ROLLBACK');
  };
  try {
    await session.begin('READ ONLY');
    cursor = new PgCursor(client, bound);
    const page = await cursor.read(PAGE_ROWS);
    const reading = await readingOf(page, types);
    return { columns: reading.columns, batches: batchesOf({ cursor, first: page, reading, finish, signal }) };
  } catch (error) {
    // The first error is the one to report.
    await finish(cursor === null).catch(() => {});
    signal.throwIfAborted();
    throw error;
  }
}

async function readingOf(page: Page, types: UserDefinedTypes): Promise<ColumnReaders> {
  const isComplete = page.rows.length < PAGE_ROWS;
  const parts = await Promise.all(
    page.fields.map(async (field, at) => {
      const type = await types.typeOf(field.dataTypeID, field.dataTypeModifier);
      const columnType = columnTypeOf(type, isComplete && isNumeric(type) ? textsOf(page.rows, at) : null);
      return { field, type, columnType };
    }),
  );
  return {
    columns: parts.map(({ field, columnType }) => ({ name: field.name, type: columnType })),
    readers: parts.map(({ field, type, columnType }) => readerOf(type, columnType, field.name)),
  };
}

function isNumeric(type: PgType): boolean {
  return type.kind === 'plain' && type.read === 'numeric';
}

function textsOf(rows: readonly TextRow[], at: number): (string | null)[] {
  return rows.map((row) => row[at] ?? null);
}

interface Open {
  readonly cursor: PgCursor;
  readonly first: Page;
  readonly reading: ColumnReaders;
  readonly finish: (failed: boolean) => Promise<void>;
  readonly signal: AbortSignal;
}

async function* batchesOf({ cursor, first, reading, finish, signal }: Open): AsyncIterable<readonly Row[]> {
  try {
    let { rows } = first;
    while (rows.length > 0) {
      yield rows.map((row) => row.map((text, at) => reading.readers[at]?.(text) ?? null));
      signal.throwIfAborted();
      if (rows.length < PAGE_ROWS) break;
      rows = (await cursor.read(PAGE_ROWS)).rows;
    }
  } finally {
    await finish(false);
  }
}

export type { PgField };
