/** Completion items of SQL. */

import type { DriverName } from '../../../src-shared/sql/dialect.ts';
import type { SqlPlace, SqlSource } from './sqlPlace.ts';
import { RESERVED, wordsOf } from './sqlWords.ts';

/** A table of a connection, as the schema route gives it. */
export interface KnownTable {
  readonly catalog?: string | null | undefined;
  readonly schema?: string | null | undefined;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** What is known of a cell's connection. */
export interface KnownDatabase {
  /** Null: the cell names no connection, or none that is known. */
  readonly driver: DriverName | null;
  /** None while they are being read. */
  readonly tables: readonly KnownTable[];
  /** Schemas whose tables are named without them, in small letters. */
  readonly home: ReadonlySet<string>;
  /** Attached beside the connection's own: its tables are named with it. */
  readonly attached: string | null;
}

/** One thing that may be written. */
export interface SqlOffer {
  readonly kind: 'column' | 'table' | 'schema' | 'word';
  readonly label: string;
  /** Of a column its type and table, of a table its schema. */
  readonly detail: string;
  /** The label as it has to be spelled. */
  readonly text: string;
}

/** The most completions shown at once: a list of thousands is slow at each key press and of no use. */
const MOST = 60;
/** Columns looked through where no table has been named yet. */
const MAX_LOOKED_AT = 20_000;

/**
 * What may be written at a place, the likeliest first.
 * @returns `whole`: false where more would fit than is listed
 */
export function sqlOffers(
  place: SqlPlace,
  database: KnownDatabase,
): { readonly offers: readonly SqlOffer[]; readonly whole: boolean } {
  const offers = place.qualifier.length > 0 ? behindDot(place, database) : plain(place, database);
  const ranked = rank(offers, place.typed);
  const words = place.qualifier.length > 0 || place.wants === 'table' ? [] : wordOffers(place, database);
  return { offers: [...ranked.slice(0, MOST), ...words], whole: ranked.length <= MOST };
}

/** Names that fit what is typed: those that begin so, those that hold it, those that have its letters in order. */
function rank(offers: readonly SqlOffer[], typed: string): readonly SqlOffer[] {
  const needle = typed.toLowerCase();
  if (needle === '') return offers;
  const ranks: SqlOffer[][] = [[], [], []];
  for (const offer of offers) {
    const label = offer.label.toLowerCase();
    const at = label.indexOf(needle);
    if (at === 0) ranks[0]?.push(offer);
    else if (at > 0) ranks[1]?.push(offer);
    else if (hasInOrder(label, needle)) ranks[2]?.push(offer);
  }
  return ranks.flat();
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) {
    if (letter === letters[at]) at += 1;
  }
  return at === letters.length;
}

function wordOffers({ typed, small }: SqlPlace, { driver }: KnownDatabase): readonly SqlOffer[] {
  const needle = typed.toLowerCase();
  if (needle === '') return [];
  return wordsOf(driver)
    .filter((word) => word.startsWith(needle) && word !== needle)
    .map((word) => {
      const label = small ? word : word.toUpperCase();
      return { kind: 'word', label, detail: '', text: label };
    });
}

function plain({ wants, sources, commons }: SqlPlace, database: KnownDatabase): readonly SqlOffer[] {
  const tables = database.tables.map((table) => tableOffer(table, database));
  if (wants === 'table') return [...commons.map((name) => nameOffer(name, 'WITH', database)), ...tables];
  const called = sources.map(({ alias, parts }) =>
    nameOffer(alias ?? parts.at(-1) ?? '', alias === null ? '' : parts.join('.'), database),
  );
  const sourceTables = sources.flatMap((source) =>
    database.tables.filter((table) => isNamed(table, source.parts)),
  );
  // Before the list of tables is written, any column may be meant.
  const columns =
    sourceTables.length > 0
      ? columnsOf(new Set(sourceTables), database)
      : columnsOf(database.tables, database);
  return [...columns, ...distinct(called), ...(sourceTables.length > 0 ? [] : tables)];
}

function behindDot({ wants, qualifier, sources }: SqlPlace, database: KnownDatabase): readonly SqlOffer[] {
  const ofSchema = database.tables.filter(
    ({ schema, catalog }) => isSame(qualifier.at(-1), schema) && isSameOrNone(qualifier.at(-2), catalog),
  );
  const tables = ofSchema.map((table) => ({
    ...nameOffer(table.name, table.schema ?? '', database),
    kind: 'table' as const,
  }));
  const schemas = database.tables
    .filter(({ catalog }) => qualifier.length === 1 && isSame(qualifier[0], catalog))
    .map(({ schema }) => ({ ...nameOffer(schema ?? '', '', database), kind: 'schema' as const }));
  if (wants === 'table') return [...tables, ...distinct(schemas)];
  const source = sources.find(
    (one) => qualifier.length === 1 && isSame(qualifier[0], one.alias ?? undefined),
  );
  const parts: SqlSource['parts'] = source?.parts ?? qualifier;
  const matches = database.tables.filter((table) => isNamed(table, parts));
  return [...columnsOf(matches, database), ...tables, ...distinct(schemas)];
}

function columnsOf(tables: Iterable<KnownTable>, database: KnownDatabase): readonly SqlOffer[] {
  const offers: SqlOffer[] = [];
  for (const { name: table, columns } of tables) {
    for (const { name, type } of columns) {
      if (offers.length >= MAX_LOOKED_AT) return offers;
      offers.push({
        kind: 'column',
        label: name,
        detail: `${type} · ${table}`,
        text: spelled(name, database),
      });
    }
  }
  return offers;
}

/** A table as a query has to name it. */
function tableOffer(table: KnownTable, database: KnownDatabase): SqlOffer {
  const { catalog, schema, name } = table;
  const isAttached = catalog != null && catalog === database.attached;
  const isHome = !isAttached && (schema == null || database.home.has(schema.toLowerCase()));
  const parts = isHome ? [name] : [...(isAttached ? [catalog] : []), schema ?? '', name];
  const text = parts.map((part) => spelled(part, database)).join('.');
  return { kind: 'table', label: parts.join('.'), detail: isHome ? (schema ?? '') : '', text };
}

function nameOffer(name: string, detail: string, database: KnownDatabase): SqlOffer {
  return { kind: 'table', label: name, detail, text: spelled(name, database) };
}

function distinct(offers: readonly SqlOffer[]): readonly SqlOffer[] {
  return [...new Map(offers.map((offer) => [offer.label, offer])).values()].filter(
    ({ label }) => label !== '',
  );
}

/** Whether `parts` names this table: by its name, after its schema and catalog if they are given. */
function isNamed({ catalog, schema, name }: KnownTable, parts: readonly string[]): boolean {
  return (
    isSame(parts.at(-1), name) && isSameOrNone(parts.at(-2), schema) && isSameOrNone(parts.at(-3), catalog)
  );
}

function isSame(a: string | undefined, b: string | null | undefined): boolean {
  return a !== undefined && b != null && a.toLowerCase() === b.toLowerCase();
}

function isSameOrNone(part: string | undefined, own: string | null | undefined): boolean {
  return part === undefined || isSame(part, own);
}

/** Names that need no quotes in a database that keeps their case or ignores it. */
const PLAIN: Readonly<Record<DriverName, RegExp>> = {
  duckdb: /^[A-Za-z_]\w*$/,
  sqlite: /^[A-Za-z_]\w*$/,
  postgresql: /^[a-z_][a-z0-9_$]*$/,
  snowflake: /^[A-Z_][A-Z0-9_$]*$/,
  bigquery: /^[A-Za-z_]\w*$/,
};

function spelled(name: string, { driver }: KnownDatabase): string {
  if (driver === null || (PLAIN[driver].test(name) && !RESERVED.has(name.toLowerCase()))) return name;
  return driver === 'bigquery' ? `\`${name.replaceAll('`', '\\`')}\`` : `"${name.replaceAll('"', '""')}"`;
}
