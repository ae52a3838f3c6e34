import { namedRefusal } from './planeRefusal.ts';

/** Reads a table. */
export const SCAN = 'scan@v1';
/** Runs one query in DuckDB, in this process. */
export const DUCKDB_SQL = 'duckdb_sql@v1';

/** @throws PlaneRefusal 400 for an executor this server does not have */
export function checkExecutor(executor: string): void {
  if (executor === SCAN || executor === DUCKDB_SQL) return;
  throw namedRefusal(
    400,
    'transform_unknown',
    `The executor ${JSON.stringify(executor.slice(0, 100))} is not known. Use ${SCAN} or ${DUCKDB_SQL}.`,
  );
}
