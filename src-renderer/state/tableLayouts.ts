/**
 * The columns of tables as the user arranged them, per cell, stored in localStorage for the most recently changed
 * tables. Stored values may be old or damaged: they are read one by one, and invalid ones are ignored.
 */

/** The user's changes of a table's columns, by column name. */
export interface ColumnChoices {
  readonly widths: Readonly<Record<string, number>>;
  readonly pinned: readonly string[];
  readonly hidden: readonly string[];
  /** All columns in the order in which they are shown; empty for the order of the result. */
  readonly order: readonly string[];
}

export const noChoices: ColumnChoices = { widths: {}, pinned: [], hidden: [], order: [] };

/** The most tables stored, and the most columns of each. */
const MAX_TABLES = 200;
const MAX_COLUMNS = 500;
const KEY = 'cellar.tables';

interface TableStorage {
  readonly read: () => string | null;
  readonly write: (text: string) => void;
}

interface TableLayouts {
  readonly of: (table: string) => ColumnChoices;
  readonly keep: (table: string, choices: ColumnChoices) => void;
}

/** Storage is read at each use, because another window may have written. */
export function createTableLayouts(storage: TableStorage): TableLayouts {
  return {
    of: (table) => choicesOf(new Map(readAll(storage)).get(table)),
    keep: (table, choices) => {
      const others = readAll(storage).filter(([name]) => name !== table);
      const isUsual = JSON.stringify(choices) === JSON.stringify(noChoices);
      const all = isUsual ? others : [...others, [table, choices] as const];
      try {
        storage.write(JSON.stringify(all.slice(-MAX_TABLES)));
      } catch (error) {
        console.warn('the columns of a table could not be stored', error);
      }
    },
  };
}

function readAll(storage: TableStorage): (readonly [string, unknown])[] {
  try {
    const value: unknown = JSON.parse(storage.read() ?? '[]');
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown) =>
      Array.isArray(item) && typeof item[0] === 'string' ? [[item[0], item[1] as unknown] as const] : [],
    );
  } catch (_damagedOrForbidden) {
    return [];
  }
}

function choicesOf(value: unknown): ColumnChoices {
  if (typeof value !== 'object' || value === null) return noChoices;
  const widths: unknown = Reflect.get(value, 'widths');
  return {
    widths: Object.fromEntries(
      Object.entries(typeof widths === 'object' && widths !== null ? widths : {})
        .filter((pair): pair is [string, number] => Number.isFinite(pair[1]))
        .slice(0, MAX_COLUMNS),
    ),
    pinned: namesIn(value, 'pinned'),
    hidden: namesIn(value, 'hidden'),
    order: namesIn(value, 'order'),
  };
}

function namesIn(value: object, key: string): readonly string[] {
  const names: unknown = Reflect.get(value, key);
  if (!Array.isArray(names)) return [];
  return names.filter((name): name is string => typeof name === 'string').slice(0, MAX_COLUMNS);
}

/** The columns of this window's tables. */
export const tableLayouts: TableLayouts = createTableLayouts({
  read: () => globalThis.localStorage?.getItem(KEY) ?? null,
  write: (text) => globalThis.localStorage?.setItem(KEY, text),
});
