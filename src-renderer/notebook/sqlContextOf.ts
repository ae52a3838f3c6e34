/** Provides the database of a SQL cell's connection to the editor, for completion and checks. */

import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { DIALECTS, type DriverName } from '../../src-shared/sql/dialect.ts';
import type { SqlContext } from '../editor/sql/offerSql.ts';
import type { NotebookSession } from '../live/notebookSession.ts';

/** Schemas that these databases search by default. */
const HOME: readonly string[] = ['main', 'public'];

/**
 * The database for completion and checks in a SQL cell: that of the connection that its text names now. Null for other
 * cells.
 */
export function sqlContextOf({ store, connections }: NotebookSession, cellId: string): SqlContext | null {
  const { model } = store.getState();
  const cell = model.cells[cellId]?.cell;
  if (cell?.language !== 'sql') return null;
  const { connection: name } = parseAnnotations(cell.source, 'sql').sql;
  const block = model.meta?.connections.find((one) => one.name === name);
  const driver = driverOf(block?.['driver']);
  if (name === null || block === undefined || driver === null) return NOWHERE;
  const catalog = block['catalog'];
  const attached = driver === 'duckdb' && typeof catalog === 'string' ? catalog : null;
  return {
    driver,
    database: () => {
      const { tables, coming } = connections.tables.now({ name, mark: JSON.stringify(block) });
      return { known: { driver, tables, home: homeOf(block), attached }, coming };
    },
  };
}

const NOWHERE: SqlContext = {
  driver: null,
  database: () => ({ known: { driver: null, tables: [], home: new Set(), attached: null }, coming: null }),
};

/** The schemas whose tables need no schema name, in lower case. */
function homeOf(block: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const schemas = [block['schema'], block['dataset_id'], ...searched(block['search_path'])];
  const texts = schemas.filter((one) => typeof one === 'string');
  return new Set([...HOME, ...texts].map((one) => one.toLowerCase()));
}

function driverOf(driver: unknown): DriverName | null {
  return typeof driver === 'string' && Object.hasOwn(DIALECTS, driver) ? (driver as DriverName) : null; // a key of it
}

/** The schemas of a `search_path`, which may be a string or a list. */
function searched(path: unknown): readonly unknown[] {
  if (typeof path === 'string') return path.split(',').map((one) => one.trim());
  return Array.isArray(path) ? path : [];
}
