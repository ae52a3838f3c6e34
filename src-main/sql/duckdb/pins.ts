import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { Insertion } from '../render.ts';
import { SqlError } from '../sqlError.ts';
import type { Statement } from '../statement.ts';
import { afterAliases } from '../text/afterAlias.ts';

/** The snapshot each table of a catalog is read at, by `<namespace>.<table>`; null: it has none yet. */
export type Pins = Readonly<Record<string, string | null>>;

/** The table's name in the catalog; null for one of another database. */
export function pinnedName({ parts }: TableName, catalog: string): string | null {
  const [first = '', ...rest] = parts;
  return rest.length === 2 && first.toLowerCase() === catalog.toLowerCase() ? rest.join('.') : null;
}

/** Pins as the plain text a snapshot is kept as, sorted. */
export function pinsText(pins: Pins): string {
  return JSON.stringify(Object.fromEntries(Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** @throws SqlError for a text that holds none: it becomes part of a statement */
export function readPins(text: string): Pins {
  const found: unknown = JSON.parse(text);
  const isPins =
    typeof found === 'object' &&
    found !== null &&
    Object.values(found).every((id) => id === null || (typeof id === 'string' && /^-?\d{1,20}$/.test(id)));
  if (!isPins) throw new SqlError(`"${text}" is not a valid list of snapshots.`);
  return found as Pins; // as just seen
}

/** What makes each table of the catalog be read at its snapshot. DuckDB has the clause behind the alias. */
export function insertionsAt(statement: Statement, catalog: string, pins: Pins): readonly Insertion[] {
  return afterAliases(statement, DIALECTS.duckdb, (table) => {
    const name = pinnedName(table, catalog);
    const id = name === null || !Object.hasOwn(pins, name) ? null : pins[name];
    return id === null || id === undefined ? null : `AT (VERSION => ${id})`;
  });
}
