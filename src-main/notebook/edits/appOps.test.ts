import { describe, expect, test } from 'vitest';
import type { AppEdit } from '../../../src-shared/wire/appLayout.ts';
import { parseNotebookToml } from '../file/notebookFile.ts';
import { editNotebookText, parseNotebookText } from '../notebookText.ts';
import { NotebookFileError } from '../toml/notebookFileError.ts';
import { appOps } from './appOps.ts';

const HEAD = 'notebook_id = "nb" # mine\nupdated_at = 2026-01-02T03:04:05Z\n';
const A = '\n[[cells]]\nid = "a"\nfile = "a.py"\n';
const B = '\n[[cells]]\nid = "b"\nfile = "b.py"\norder = 1.0\n';

function edited(text: string, edit: AppEdit): string {
  const before = parseNotebookText(text);
  return editNotebookText(before, appOps(before.document, edit)).text;
}

describe('[WI-397] the layout is written value by value', () => {
  const ROWS: readonly [name: string, before: string, edit: AppEdit, after: string][] = [
    ['nothing', `${HEAD}${A}`, {}, `${HEAD}${A}`],
    [
      'a removal of a missing value',
      `${HEAD}${A}`,
      { layout: null, cells: { a: { tab: null } } },
      `${HEAD}${A}`,
    ],
    ['the first value', `${HEAD}`, { layout: 'grid' }, `${HEAD}\n[app]\nlayout = "grid"\n`],
    [
      'places are one line for each cell, in integers',
      `${HEAD}${A}${B}`,
      { cells: { a: { grid: [0, 0, 6, 4], tab: 'x' }, b: { grid: [6, 0, 6, 4] } } },
      `${HEAD}${A}app = { grid = [0, 0, 6, 4], tab = "x" }\n${B}app = { grid = [6, 0, 6, 4] }\n`,
    ],
    [
      'another value of a cell',
      `${HEAD}${A}app = { grid = [0, 0, 6, 4], mine = 1 } # kept\n`,
      { cells: { a: { slide: 'join' } } },
      `${HEAD}${A}app = { grid = [0, 0, 6, 4], mine = 1, slide = "join" } # kept\n`,
    ],
    [
      'removing the last value of a cell removes its key',
      `${HEAD}${A}app = { shown = false }\n${B}`,
      { cells: { a: { shown: null } } },
      `${HEAD}${A}${B}`,
    ],
    [
      'a separate table, with a comment',
      `${HEAD}[app]\n# how we show it\nlayout = "grid"\nother = [1, 2]\n${A}`,
      { layout: 'tabs', tabs: ['One', 'Two'] },
      `${HEAD}[app]\n# how we show it\nlayout = "tabs"\nother = [1, 2]\ntabs = ["One", "Two"]\n${A}`,
    ],
    [
      'a value that cannot be used stays while others change',
      `${HEAD}[app]\nlayout = "grod"\n${A}`,
      { theme: 'dark' },
      `${HEAD}[app]\nlayout = "grod"\ntheme = "dark"\n${A}`,
    ],
    [
      'the order of slides, with an id of no cell',
      `${HEAD}[app]\nslides = ["b", "gone", "a"] # by hand\n${A}${B}`,
      { slides: ['a', 'b', 'gone'] },
      `${HEAD}[app]\nslides = ["a", "b", "gone"] # by hand\n${A}${B}`,
    ],
    [
      'the order of the notebook again',
      `${HEAD}[app]\nlayout = "slides"\nslides = ["b", "a"]\n${A}${B}`,
      { slides: null },
      `${HEAD}[app]\nlayout = "slides"\n${A}${B}`,
    ],
    ['a deleted cell', `${HEAD}${A}`, { cells: { gone: { shown: false } } }, `${HEAD}${A}`],
  ];
  test.each(ROWS)('%s', (_name, before, edit, after) => {
    expect(edited(before, edit)).toBe(after);
  });

  test('a key that is not a table is unchanged', () => {
    expect(() => edited(`${HEAD}app = "x"\n`, { layout: 'grid' })).toThrow(NotebookFileError);
  });
});

describe('[WI-397] the layout is read value by value, and what cannot be used is reported', () => {
  const ROWS: readonly [name: string, text: string, expected: unknown][] = [
    ['none', `${HEAD}${A}`, null],
    [
      'all of it',
      `${HEAD}[app]\nlayout = "slides"\ntheme = "dark"\ntitle = "T"\ncode = true\ntabs = ["x"]\nslides = ["a", "gone", "a"]\n${A}app = { shown = true, code = false, grid = [0, 0, 12, 3], slide = "join", tab = " x " }\n`,
      {
        layout: 'slides',
        theme: 'dark',
        title: 'T',
        code: true,
        tabs: ['x'],
        slides: ['a', 'gone', 'a'],
        cells: { a: { shown: true, code: false, grid: [0, 0, 12, 3], slide: 'join', tab: 'x' } },
      },
    ],
    [
      'wrong values',
      `${HEAD}[app]\nlayout = "grod"\ntitle = 1\ncode = true\n${A}app = { grid = [9, 0, 6, 1], tab = "x" }\n`,
      {
        code: true,
        cells: { a: { tab: 'x' } },
        problems: [
          'notebook.toml:4: app.layout must be "page", "grid", "slides" or "tabs".',
          'notebook.toml:5: app.title must be a text of at most 200 characters.',
          'notebook.toml:11: cells[0].app.grid must be [column, row, columns wide, rows high] within 12 columns, columns and rows from 0.',
        ],
      },
    ],
    [
      'the key of another program',
      `${HEAD}app = "theirs"\n${A}`,
      { cells: {}, problems: ['notebook.toml:3: app must be a table, not a string.'] },
    ],
    [
      'an invalid order of slides',
      `${HEAD}[app]\nlayout = "slides"\nslides = [1, "a"]\n${A}`,
      {
        layout: 'slides',
        cells: {},
        problems: ['notebook.toml:5: app.slides must be a list of ids of cells.'],
      },
    ],
    ['keys that Cellar does not know', `${HEAD}[app]\nnewer = 1\n`, { cells: {} }],
    [
      'a number of columns that is not an integer',
      `${HEAD}${A}app = { grid = [0.5, 0, 6, 1] }\n`,
      { cells: { a: {} }, problems: [expect.stringContaining('cells[0].app.grid must be')] },
    ],
  ];
  test.each(ROWS)('%s', (_name, text, expected) => {
    expect(parseNotebookToml(text).app).toEqual(expected);
  });
});
