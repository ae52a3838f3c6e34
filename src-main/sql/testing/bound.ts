/** Statements with bound values, and complete results, for tests of SQL drivers. */

import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { BindValue } from '../bindValue.ts';
import type { Column, Row } from '../columnType.ts';
import type { BoundStatement, ColumnBatch, ResultStream } from '../driver.ts';
import type { Statement } from '../statement.ts';

/** A statement for tests of drivers, as the scanner would return it; `sql` already has its slots. */
export function boundSql(
  sql: string,
  binds: readonly BindValue[] = [],
  facts: Partial<Statement> = {},
): BoundStatement {
  const statement: Statement = {
    text: sql,
    offset: 0,
    kind: /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? '',
    reads: true,
    changesRows: /^\s*(insert|update|delete|merge)\b/i.test(sql),
    placeholders: [],
    tables: [],
    unnameable: null,
    calls: [],
    ...facts,
  };
  return { statement, sql, binds };
}

/** `a.b` as a table name without quoted parts. */
export function tableNamed(name: string): TableName {
  const parts = name.split('.');
  return { parts, quoted: parts.map(() => false), start: 0, end: name.length };
}

/** The whole result of a driver that returns rows. */
export async function collect({
  columns,
  batches,
}: ResultStream): Promise<{ columns: readonly Column[]; rows: Row[] }> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    if (!isRows(batch)) throw new TypeError('the driver returned columns');
    rows.push(...batch);
  }
  return { columns, rows };
}

function isRows(batch: readonly Row[] | ColumnBatch): batch is readonly Row[] {
  return Array.isArray(batch);
}

/** The rows of a driver that returns columns. */
export async function collectBatches({ columns, batches }: ResultStream): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    if (isRows(batch)) throw new TypeError('the driver returned rows');
    for (let row = 0; row < batch.rows; row += 1)
      rows.push(columns.map((_, column) => batch.value(column, row)));
  }
  return rows;
}
