/** Chooses the connection of a new SQL cell, and adds one for DuckDB to a notebook that has none. */

import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import type { FileConnection } from '../../src-shared/notebook/dataFiles.ts';
import { readDirectives } from '../../src-shared/notebook/directives.ts';
import { type NotebookView, shownSource } from './notebookStore.ts';

/**
 * The name of the connection that a notebook without connections gets with its first SQL cell: DuckDB without a file.
 */
export const IN_MEMORY_CONNECTION = 'memory';
const MEMORY_DRIVER = 'duckdb';

/**
 * The connection of a new SQL cell: the only one, or {@link IN_MEMORY_CONNECTION} if there is none, which must then be
 * added. Null if the user has to choose one or to repair one that cannot be parsed.
 */
export function connectionOfNewCell({ model }: NotebookView): string | null {
  if (model.meta === null) return null;
  const { connections, malformed_connections } = model.meta;
  const [only, ...more] = connections;
  if (more.length > 0 || (only === undefined && malformed_connections.length > 0)) return null;
  return only === undefined ? IN_MEMORY_CONNECTION : String(only['name']);
}

/**
 * The connection whose cells can read data frames: DuckDB without a file, or {@link IN_MEMORY_CONNECTION} if there is
 * none.
 */
export function connectionOfFrames({ model }: NotebookView): string {
  const declaredConnection = model.meta?.connections.find((one) => isAsDeclared(one));
  return declaredConnection === undefined ? IN_MEMORY_CONNECTION : String(declaredConnection['name']);
}

/** The text of a SQL cell with a line that names the connection, unless it already has one. */
export function withConnectionLine(source: string, connection: string | null): string {
  if (connection === null || readDirectives(source).some(({ key }) => key === 'sql')) return source;
  return `# @sql connection=${connection}\n${source}`;
}

/** The database of a connection that is added with a cell; undefined for DuckDB without a file. */
export type DeclaredOf = Pick<FileConnection, 'driver' | 'path'> | undefined;

/**
 * All connections without the one that was added with a cell. Null if it must stay: it is used, it was changed, or
 * another connection cannot be parsed and would be lost.
 */
export function connectionsWithout(
  view: NotebookView,
  name: string,
  of?: DeclaredOf,
): readonly Readonly<Record<string, unknown>>[] | null {
  const { meta, cells, order } = view.model;
  if (meta === null || meta.malformed_connections.length > 0) return null;
  const declared = meta.connections.find((one) => one['name'] === name);
  if (declared === undefined || !isAsDeclared(declared, of)) return null;
  const isUsed = order.some((id) => {
    if (cells[id]?.cell.language !== 'sql') return false;
    const { connection } = parseAnnotations(shownSource(view, id), 'sql').sql;
    return connection === null || connection === name;
  });
  return isUsed ? null : meta.connections.filter((one) => one !== declared);
}

/**
 * The connections with an additional one of this name: {@link IN_MEMORY_CONNECTION}, or the database of a file. Null if
 * the name is taken.
 */
export function connectionsWith(
  { model }: NotebookView,
  name: string,
  of?: DeclaredOf,
): readonly Readonly<Record<string, unknown>>[] | null {
  const connections = model.meta?.connections ?? [];
  if (connections.some((one) => one['name'] === name)) return null;
  return [...connections, of === undefined ? { name, driver: MEMORY_DRIVER } : { name, ...of }];
}

function isAsDeclared(connection: Readonly<Record<string, unknown>>, of?: DeclaredOf): boolean {
  const declared: Readonly<Record<string, unknown>> = of ?? { driver: MEMORY_DRIVER };
  if (!Object.entries(declared).every(([key, value]) => connection[key] === value)) return false;
  return Object.entries(connection).every(
    ([key, value]) => key === 'name' || key in declared || isEmpty(value),
  );
}

/** Whether a value is empty, as in keys that the server adds to a connection. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
