/**
 * Computes the parts of a SQL cell's key that its cache policy decides, and the tables and functions to check for
 * changes.
 */

import type { CalledName, TableName } from '../../../src-shared/sql/tableName.ts';
import type { CellStatement } from '../../sql/readCell.ts';
import type { SqlStep } from '../step.ts';
import type { SqlUse } from './sqlUse.ts';

/** The part of the run key that the cache policy adds (docs/spec/sql.md, 2, "Salt"). */
export function policySalt({ policy, sessionId }: SqlUse, nowMs: number): string {
  switch (policy.kind) {
    case 'session':
      return `session:${sessionId}`;
    case 'ttl':
      return `ttl:${policy.seconds}:${Math.floor(nowMs / 1000 / policy.seconds)}`;
    default:
      return policy.kind;
  }
}

/** The base tables of all statements, without duplicates. */
export function tablesOfStatements(statements: readonly CellStatement[]): readonly TableName[] {
  const tables = new Map<string, TableName>();
  for (const { statement } of statements) {
    for (const table of statement.tables) tables.set(JSON.stringify([table.parts, table.quoted]), table);
  }
  return [...tables.values()];
}

/** The functions that all statements call, without duplicates. */
export function callsOfStatements(statements: readonly CellStatement[]): readonly CalledName[] {
  const calls = statements.flatMap(({ statement }) => statement.calls);
  return [...new Map(calls.map((call) => [JSON.stringify([call.parts, call.quoted]), call])).values()];
}

/**
 * The snapshot time at which the cell's tables were read: reused until its source changes, or it is rerun on
 * purpose (docs/spec/sql.md, 2).
 */
export function storedSnapshot({ stored, sourceHash }: SqlStep): string | null {
  for (const rows of Object.values(stored)) {
    for (const { params } of rows) {
      const snapshot = params['sql_snapshot'];
      if (snapshot !== undefined && params['source_hash'] === sourceHash) return snapshot;
    }
  }
  return null;
}
