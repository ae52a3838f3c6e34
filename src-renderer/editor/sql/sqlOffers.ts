/** Computes the completion items at a place in SQL: keywords, tables and columns, most likely first. Pure. */

import type { DriverName } from '../../../src-shared/sql/dialect.ts';
import type { SqlPlace, SqlSource } from './sqlPlace.ts';
import { RESERVED, wordsOf } from './sqlWords.ts';

/** A table of a connection, as the schema route returns it. */
export interface KnownTable {
  readonly catalog?: string | null | undefined;
  readonly schema?: string | null | undefined;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** What is known about the database of a cell's connection. */
export interface KnownDatabase {
  /** Null if the cell names no connection, or an unknown one. */
  readonly driver: DriverName | null;
  /** Empty while the tables are being read. */
  readonly tables: readonly KnownTable[];
  /** Schemas whose tables are named without a schema; in lower case. */
  readonly home: ReadonlySet<string>;
  /** A catalog attached beside the connection's own; names of its tables include it. Null if there is none. */
  readonly attached: string | null;
}

/** One completion. */
export interface SqlOffer {
  readonly kind: 'column' | 'table' | 'schema' | 'word';
  readonly label: string;
  /** For a column its type and table, for a table its schema. */
  readonly detail: string;
  /** The label as it must be written in SQL, with quotes if needed. */
  readonly text: string;
}

/** The most completions shown at once: a list of thousands is slow at each key press and of no use. */
const MOST = 60;
/** The most columns searched while the statement names no table yet. */
const MAX_LOOKED_AT = 20_000;

/**
 * The completions at a place, most likely first.
 * @returns `whole`: false if more match than are listed
 */
export function sqlOffers(
  place: SqlPlace,
  database: KnownDatabase,
): { readonly offers: readonly SqlOffer[]; readonly whole: boolean } {
  const offers =
    place.qualifier.length > 0 ? offersAfterDot(place, database) : unqualifiedOffers(place, database);
  const ranked = rank(offers, place.typed);
  const words = place.qualifier.length > 0 || place.wants === 'table' ? [] : wordOffers(place, database);
  return { offers: [...ranked.slice(0, MOST), ...words], whole: ranked.length <= MOST };
}

/** Names that match the typed text, ranked: as a beginning, as a part, as letters in the same order. */
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

function unqualifiedOffers(
  { wants, sources, commons }: SqlPlace,
  database: KnownDatabase,
): readonly SqlOffer[] {
  const tables = database.tables.map((table) => tableOffer(table, database));
  if (wants === 'table') return [...commons.map((name) => nameOffer(name, 'WITH', database)), ...tables];
  const called = sources.map(({ alias, parts }) =>
    nameOffer(alias ?? parts.at(-1) ?? '', alias === null ? '' : parts.join('.'), database),
  );
  const sourceTables = sources.flatMap((source) =>
    database.tables.filter((table) => isNamed(table, source.parts)),
  );
  // Until the statement names its tables, any column may be meant.
  const columns =
    sourceTables.length > 0
      ? columnsOf(new Set(sourceTables), database)
      : columnsOf(database.tables, database);
  return [...columns, ...withoutDuplicates(called), ...(sourceTables.length > 0 ? [] : tables)];
}

function offersAfterDot(
  { wants, qualifier, sources }: SqlPlace,
  database: KnownDatabase,
): readonly SqlOffer[] {
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
  if (wants === 'table') return [...tables, ...withoutDuplicates(schemas)];
  const source = sources.find(
    (one) => qualifier.length === 1 && isSame(qualifier[0], one.alias ?? undefined),
  );
  const parts: SqlSource['parts'] = source?.parts ?? qualifier;
  const matches = database.tables.filter((table) => isNamed(table, parts));
  return [...columnsOf(matches, database), ...tables, ...withoutDuplicates(schemas)];
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
        text: quotedIfNeeded(name, database),
      });
    }
  }
  return offers;
}

/** The completion of a table, named as a query must name it. */
function tableOffer(table: KnownTable, database: KnownDatabase): SqlOffer {
  const { catalog, schema, name } = table;
  const isAttached = catalog != null && catalog === database.attached;
  const isHome = !isAttached && (schema == null || database.home.has(schema.toLowerCase()));
  const parts = isHome ? [name] : [...(isAttached ? [catalog] : []), schema ?? '', name];
  const text = parts.map((part) => quotedIfNeeded(part, database)).join('.');
  return { kind: 'table', label: parts.join('.'), detail: isHome ? (schema ?? '') : '', text };
}

function nameOffer(name: string, detail: string, database: KnownDatabase): SqlOffer {
  return { kind: 'table', label: name, detail, text: quotedIfNeeded(name, database) };
}

function withoutDuplicates(offers: readonly SqlOffer[]): readonly SqlOffer[] {
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

/** Names that need no quotes in each database, given how it treats upper and lower case. */
const PLAIN: Readonly<Record<DriverName, RegExp>> = {
  duckdb: /^[A-Za-z_]\w*$/,
  sqlite: /^[A-Za-z_]\w*$/,
  postgresql: /^[a-z_][a-z0-9_$]*$/,
  snowflake: /^[A-Z_][A-Z0-9_$]*$/,
  bigquery: /^[A-Za-z_]\w*$/,
};

function quotedIfNeeded(name: string, { driver }: KnownDatabase): string {
  if (driver === null || (PLAIN[driver].test(name) && !RESERVED.has(name.toLowerCase()))) return name;
  return driver === 'bigquery' ? `\`${name.replaceAll('`', '\\`')}\`` : `"${name.replaceAll('"', '""')}"`;
}
