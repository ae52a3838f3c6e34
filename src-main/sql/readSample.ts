/** Reads the first rows of a table or query for a preview. */

import { dtypeOf, withUniqueNames } from './arrow/arrowTypeOf.ts';
import { shownValue } from './arrow/shown.ts';
import type { ColumnType, Row, RowValue } from './columnType.ts';
import type { BoundStatement, SqlConnection } from './driver.ts';

/** The first rows of a table: columns with their types, and values as a table result's preview has them. */
export interface Sample {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Longer texts are cut: a preview shows their beginning. */
const MAX_TEXT = 500;

/** Reads at most `most` rows, then ends the query. */
export async function readSample(
  connection: SqlConnection,
  bound: BoundStatement,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<Sample> {
  const stream = await connection.query(bound, { signal, snapshot: null });
  const columns = withUniqueNames(stream.columns);
  const rows: Row[] = [];
  for await (const batch of stream.batches) {
    const count = 'write' in batch ? batch.rows : batch.length;
    for (let row = 0; row < count && rows.length < most; row += 1) {
      rows.push('write' in batch ? columns.map((_, at) => batch.value(at, row)) : (batch[row] ?? []));
    }
    if (rows.length >= most) break;
  }
  return {
    columns: columns.map(({ name, type }) => ({ name, type: dtypeOf(type) })),
    rows: rows.map((row) => columns.map(({ type }, at) => sampleValue(row[at] ?? null, type))),
  };
}

/** A value as a preview shows it: long texts are cut. */
export function sampleValue(value: RowValue, type: ColumnType): unknown {
  return cut(shownValue(value, type));
}

function cut(value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
}
