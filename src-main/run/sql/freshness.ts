import type { CalledName, TableName } from '../../../src-shared/sql/tableName.ts';
import type { CellStatement } from '../../sql/readCell.ts';
import type { StepRequest } from '../step.ts';
import type { SqlUse } from './sqlUse.ts';

/** What of the policy is part of the key (sql, "Salt"). */
export function saltOf({ policy, sessionId }: SqlUse, nowMs: number): string {
  switch (policy.kind) {
    case 'session':
      return `session:${sessionId}`;
    case 'ttl':
      return `ttl:${policy.seconds}:${Math.floor(nowMs / 1000 / policy.seconds)}`;
    default:
      return policy.kind;
  }
}

/** The base tables of all statements, each once. */
export function tablesOf(statements: readonly CellStatement[]): readonly TableName[] {
  const tables = new Map<string, TableName>();
  for (const { statement } of statements) {
    for (const table of statement.tables) tables.set(JSON.stringify([table.parts, table.quoted]), table);
  }
  return [...tables.values()];
}

/** What all statements call like functions, each once. */
export function callsOf(statements: readonly CellStatement[]): readonly CalledName[] {
  const calls = statements.flatMap(({ statement }) => statement.calls);
  return [...new Map(calls.map((call) => [JSON.stringify([call.parts, call.quoted]), call])).values()];
}

/**
 * The moment the cell's tables were read at before: kept until its source changes, or it is run again on purpose
 * (sql).
 */
export function keptSnapshot({ stored, sourceHash }: StepRequest): string | null {
  for (const rows of Object.values(stored)) {
    for (const { params } of rows) {
      const snapshot = params['sql_snapshot'];
      if (snapshot !== undefined && params['source_hash'] === sourceHash) return snapshot;
    }
  }
  return null;
}
