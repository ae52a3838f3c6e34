/** Determines which table names of a SQL cell may be data frames of other cells. */

import { isInMemory } from './inMemory.ts';
import { hasCatalog } from './readCell.ts';

/**
 * The table names of a cell that may be data frames of other cells: only in a DuckDB without a file and catalog, which
 * has no tables of its own except its mounts. A cell that writes reads no data frames.
 */
export function frameNames(
  tables: readonly string[],
  {
    connection,
    write,
  }: { readonly connection: Readonly<Record<string, unknown>> | null; readonly write: boolean },
): readonly string[] {
  if (tables.length === 0 || connection === null || write) return NONE;
  if (connection['driver'] !== 'duckdb' || !isInMemory(connection) || hasCatalog(connection)) return NONE;
  const mounts: readonly unknown[] = Array.isArray(connection['mounts']) ? connection['mounts'] : NONE;
  return tables.filter((name) => !mounts.includes(name));
}

const NONE: readonly string[] = [];
