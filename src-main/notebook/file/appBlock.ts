/** Reads the layout of the app view from notebook.toml. */

import {
  APP_VALUES,
  type AppLayout,
  type AppPlacement,
  GRID_COLUMNS,
  PLACEMENT_VALUES,
} from '../../../src-shared/wire/appLayout.ts';
import { NotebookFileError } from '../toml/notebookFileError.ts';
import type { TableReader } from '../toml/tomlReader.ts';

/** What each value must be, as the end of a sentence. */
const EXPECTED: Readonly<Record<string, string>> = {
  layout: 'must be "page", "grid", "slides" or "tabs"',
  theme: 'must be "system", "light" or "dark"',
  title: 'must be a text of at most 200 characters',
  code: 'must be true or false',
  tabs: 'must be a list of names of tabs',
  slides: 'must be a list of ids of cells',
  shown: 'must be true or false',
  grid: `must be [column, row, columns wide, rows high] within ${GRID_COLUMNS} columns, columns and rows from 0`,
  slide: 'must be "join"',
  tab: 'must be a text of 1 to 80 characters',
};

/**
 * The layout of the app view: the table `[app]` and the key `app` of each cell (docs/apps.md); null if the file has
 * neither. A value that cannot be used counts as absent and is reported with its line: it never keeps a notebook from
 * opening, since the keys may be another program's.
 */
export function readApp(root: TableReader): AppLayout | null {
  const problems: string[] = [];
  const whole = valuesAt(root, { values: APP_VALUES, problems });
  const cells: [string, AppPlacement][] = [];
  for (const cell of root.tables('cells')) {
    const placement = valuesAt(cell, { values: PLACEMENT_VALUES, problems });
    if (placement !== null) cells.push([cell.requiredText('id'), placement]);
  }
  if (whole === null && cells.length === 0 && problems.length === 0) return null;
  return {
    ...whole,
    cells: Object.fromEntries(cells),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

type Values = typeof APP_VALUES | typeof PLACEMENT_VALUES;

/** The usable values of the table `app` of an owner; null without one. */
function valuesAt<T extends Values>(
  owner: TableReader,
  { values, problems }: { readonly values: T; readonly problems: string[] },
): Partial<{ [K in keyof T]: T[K] extends { parse(value: unknown): infer V } ? V : never }> | null {
  if (!Object.hasOwn(owner.table, 'app')) return null;
  const table = problemsOf(problems, () => owner.subtable('app'));
  if (table === null) return null;
  const entries = Object.entries(values).flatMap(([key, schema]) => {
    if (!Object.hasOwn(table.table, key)) return [];
    const parsed = schema.safeParse(table.table[key]);
    if (parsed.success) return [[key, parsed.data]];
    problemsOf(problems, () => table.fail(key, ` ${EXPECTED[key] ?? 'cannot be used'}`));
    return [];
  });
  return Object.fromEntries(entries); // each value as its own schema read it
}

/** Calls `read`; an error is added to `problems` as a sentence with its line. */
function problemsOf<T>(problems: string[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotebookFileError)) throw error;
    problems.push(`${error.message}.`);
    return null;
  }
}
