/** Connection of a new SQL cell. */

import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import type { FileConnection } from '../../src-shared/notebook/dataFiles.ts';
import { readDirectives } from '../../src-shared/notebook/directives.ts';
import { type NotebookView, shownSource } from './notebookStore.ts';

/** The connection that a notebook without one gets with its first SQL cell: a DuckDB without a file. */
export const IN_MEMORY_CONNECTION = 'memory';
const MEMORY_DRIVER = 'duckdb';

/**
 * The connection a new SQL cell names: the only one there is, else {@link IN_MEMORY_CONNECTION}, which has to be declared then. Null
 * where the person has to choose, or to repair what cannot be read.
 */
export function connectionOfNewCell({ model }: NotebookView): string | null {
  if (model.meta === null) return null;
  const { connections, malformed_connections } = model.meta;
  const [only, ...more] = connections;
  if (more.length > 0 || (only === undefined && malformed_connections.length > 0)) return null;
  return only === undefined ? IN_MEMORY_CONNECTION : String(only['name']);
}

/** The connection whose cells can read data frames: a DuckDB without a file, {@link IN_MEMORY_CONNECTION} if there is none. */
export function connectionOfFrames({ model }: NotebookView): string {
  const declaredConnection = model.meta?.connections.find((one) => isAsDeclared(one));
  return declaredConnection === undefined ? IN_MEMORY_CONNECTION : String(declaredConnection['name']);
}

/** A SQL cell's text that names its connection; one that says so itself stays as it is. */
export function withConnectionLine(source: string, connection: string | null): string {
  if (connection === null || readDirectives(source).some(({ key }) => key === 'sql')) return source;
  return `# @sql connection=${connection}\n${source}`;
}

/** The database of a connection that came with a cell; absent: a DuckDB without a file. */
export type DeclaredOf = Pick<FileConnection, 'driver' | 'path'> | undefined;

/**
 * All connections without the one that was declared with a cell; null if it must stay: it is used, it was changed, or
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

/** The connections with {@link IN_MEMORY_CONNECTION}, or a file's database, of this name; null where there is one called so. */
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

/** What the server adds to a connection that says nothing of it. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
