/** Makes DuckDB read the tables of a catalog at fixed snapshots (pins). */

import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { Insertion } from '../render.ts';
import { SqlError } from '../sqlError.ts';
import type { Statement } from '../statement.ts';
import { insertAfterAliases } from '../text/afterAlias.ts';

/** The snapshot at which each table of a catalog is read, by `<namespace>.<table>`; null: it has none yet. */
type Pins = Readonly<Record<string, string | null>>;

/** The table's name in the catalog; null for a table of another database. */
export function pinnedName({ parts }: TableName, catalog: string): string | null {
  const [first = '', ...rest] = parts;
  return rest.length === 2 && first.toLowerCase() === catalog.toLowerCase() ? rest.join('.') : null;
}

/** Pins as sorted JSON, the form in which a snapshot is stored. */
export function pinsText(pins: Pins): string {
  return JSON.stringify(Object.fromEntries(Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** @throws SqlError for invalid text, because it becomes part of a statement */
export function readPins(text: string): Pins {
  const value: unknown = JSON.parse(text);
  const isPins =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((id) => id === null || (typeof id === 'string' && /^-?\d{1,20}$/.test(id)));
  if (!isPins) throw new SqlError(`"${text}" is not a valid list of snapshots.`);
  return value as Pins; // checked above
}

/**
 * The insertions with which each table of the catalog is read at its snapshot. DuckDB expects the clause after the
 * alias.
 */
export function insertionsAt(statement: Statement, catalog: string, pins: Pins): readonly Insertion[] {
  return insertAfterAliases(statement, DIALECTS.duckdb, (table) => {
    const name = pinnedName(table, catalog);
    const id = name === null || !Object.hasOwn(pins, name) ? null : pins[name];
    return id === null || id === undefined ? null : `AT (VERSION => ${id})`;
  });
}
