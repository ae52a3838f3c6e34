/**
 * One notebook in every valid TOML notation, through every structural edit: the result is the same as for the plain
 * notation, and only the edited part has other bytes.
 */

import { describe, expect, it } from 'vitest';
import { type CellId, cellId } from '../../src-shared/notebook/ids.ts';
import type { Mount } from '../../src-shared/wire/cell.ts';
import { connectionOps } from './edits/connectionEdits.ts';
import {
  addCellOps,
  authorOps,
  deleteCellOps,
  reorderOps,
  type SettingsEdit,
  settingsOps,
  structural,
} from './edits/notebookEdits.ts';
import { deletedVariantOps, variantOps } from './edits/variantEdits.ts';
import { cellIndexIn } from './file/notebookFile.ts';
import { editNotebookText, parseNotebookText, type ReadNotebookText, rawText } from './notebookText.ts';
import type { TomlOp } from './toml/tomlOp.ts';

const A = cellId('a');
const B = cellId('b');
const C = cellId('c');

/** Spellings of the list of cells. All of them mean: a with a note and a variable, b with a mount and a worker. */
const CELLS: Readonly<Record<string, string>> = {
  tables: `
# the first
[[cells]]
id = "a" # id
file = "a.py"
order = 0.0
note = "kept" # unknown
[cells.env]
X = "1" # own

# the second
[[cells]]
id = "b"
file = "b.py"
order = 1.0
worker = "w"
[[cells.mounts]]
name = "m"
uri = "file://./d"
future = [1, 2] # unknown
`,
  'spaced and quoted tables': `
  [[ "cells" ]]   # first
  'id'   =   'a'
  "file" = 'a.py'
  order = +0
  note = '''kept'''
    [ cells . "env" ]
    "X" = """\\
       1"""
  [[ cells ]]
  id = "\\u0062"
  file = """
b.py"""
  order = 1e0
  worker = 'w'
  mounts = [ { name = 'm', uri = "file://./d", future = [ 1, 2, ] }, ] # mounts
`,
  'dotted keys': `
[[cells]]
id = "a"
file = "a.py"
order = 0
note = "kept"
env.X = "1" # dotted
[[cells]]
id = "b"
order = 0x1
file = "b.py"
worker = "w"
mounts = [{name = "m", uri = "file://./d", future = [1, 2]}]
`,
  'one line': `cells = [{id = "a", file = "a.py", order = 0, note = "kept", env = {X = "1"}}, {id = "b", file = "b.py", order = 1, worker = "w", mounts = [{name = "m", uri = "file://./d", future = [1, 2]}]}]
`,
  'one line with a trailing comma': `cells = [{id="a",file="a.py",order=0,note="kept",env={X="1"},},{id="b",file="b.py",order=1,worker="w",mounts=[{name="m",uri="file://./d",future=[1,2,],},],},] # end
`,
  'one line each': `cells = [
    {id = "a", file = "a.py", order = 0.0, note = "kept", env = {X = "1"}},
    {id = "b", file = "b.py", order = 1.0, worker = "w", mounts = [{name = "m", uri = "file://./d", future = [1, 2]}]},
]
`,
  'one line each, no trailing comma': `cells = [
    {id = "a", file = "a.py", order = 0.0, note = "kept", env.X = "1"},
    {id = "b", file = "b.py", order = 1.0, worker = "w", mounts = [{name = "m", uri = "file://./d", future = [1, 2]}]}
]
`,
  'comments everywhere': `cells = [ # open
    # before a [[cells]], {x = "y"}
    {id = "a", file = "a.py", order = 0.0, note = "kept", env = {"X" = '1'}} # after a, no comma
    # between
    , # the comma
    # before b
    {id = "b", file = "b.py", order = 1.0, worker = "w", mounts = [ # mounts
        # in mounts
        {name = "m", uri = "file://./d", future = [
          1, # one
          2, # two
        ]}, # a mount
    ]}, # after b
    # last words
] # closed
`,
};

const HEAD = `# top
notebook_id = "nb"
name = 'N # no comment'
future_top = """
[[cells]]
not = "cells"
"""
`;
/** A table of the notebook, placed after its cells if it belongs there. */
const TABLES: Readonly<Record<string, { readonly head?: string; readonly tail?: string }>> = {
  'tables behind': {
    tail: `
[env] # env
K = "v"

[connections.db]
driver = "duckdb" # d
future = 1
[connections.db.options]
threads = 2

[[variant_group]]
group = "g"
active = "x"
[my.tool]
deep = [ { a = 1, }, ]
`,
  },
  'tables before, dotted and inline': {
    head: `env.K = "v"
connections = { db = { driver = 'duckdb', future = 1, options = { threads = 2 } }, }
variant_group = [
  { group = "g", active = "x" }, # g
]
my = { tool.deep = [ { a = 1 } ] }
`,
  },
  'tables between': {
    head: `[connections]
db.driver = "duckdb"
db.future = 1
db.options.threads = 2
`,
    tail: `
  [ env ]
  'K' = 'v'
  [my]
  tool.deep = [ {a = 1} ]
  [[ variant_group ]]
  'group' = "g"
  active = "x" # x
`,
  },
};

/** A cells key must precede the first table. */
function textOf(cells: string, { head = '', tail = '' }: (typeof TABLES)[string]): string {
  const isKey = cells.startsWith('cells');
  return isKey && head.startsWith('[') ? HEAD + cells + head + tail : HEAD + head + cells + tail;
}

const MOUNT: Mount = {
  name: 'here',
  uri: 'file://./x',
  mode: 'rw',
  pin: null,
  options: {},
  credential: null,
};

type Edit = (text: ReadNotebookText) => readonly TomlOp[];

const add =
  (id: CellId, afterId: CellId | null, likeId: CellId | null = null): Edit =>
  (text) =>
    addCellOps(text, { id, afterId, language: 'python', author: 'ann', likeId }) ?? [];
const remove =
  (id: CellId): Edit =>
  (text) =>
    deleteCellOps(text, id) ?? [];
const ofCell =
  (id: CellId, settings: SettingsEdit): Edit =>
  (text) =>
    settingsOps(text, ['cells', cellIndexIn(text.document, id)], settings);
const ofNotebook =
  (settings: SettingsEdit): Edit =>
  (text) =>
    settingsOps(text, [], settings);

/** `only`: how the bytes may differ; other properties are checked on the parsed result. */
const EDITS: Readonly<Record<string, { readonly edits: readonly Edit[]; readonly only?: 'more' | 'fewer' }>> =
  {
    'add at the end': { edits: [add(C, null)], only: 'more' },
    'add after the first': { edits: [add(C, A)], only: 'more' },
    'add after the last': { edits: [add(C, B)], only: 'more' },
    'add one like the second': { edits: [add(C, B, B)], only: 'more' },
    'delete the first': { edits: [remove(A)], only: 'fewer' },
    'delete the last': { edits: [remove(B)], only: 'fewer' },
    'delete both': { edits: [remove(A), remove(B)] },
    'delete both, the last first': { edits: [remove(B), remove(A)] },
    'delete both and add two': { edits: [remove(B), remove(A), add(C, null), add(A, C)] },
    'add, delete, add': { edits: [add(C, A), remove(A), remove(B), add(B, C), add(A, null)] },
    reorder: { edits: [(text) => reorderOps(text, [B, A])] },
    'name an author': { edits: [(text) => authorOps(text, A, 'bea')], only: 'more' },
    'a timeout of each cell': { edits: [ofCell(A, { timeout: 5 }), ofCell(B, { timeout: 6 })], only: 'more' },
    'another variable of a cell': { edits: [ofCell(A, { env: { X: '2', Y: '3' } })] },
    'no variable of a cell': { edits: [ofCell(A, { env: null })], only: 'fewer' },
    'variables of a cell that had none': { edits: [ofCell(B, { env: { Y: '3' } })], only: 'more' },
    'another worker, none, and one again': {
      edits: [ofCell(B, { worker: 'v' }), ofCell(B, { worker: null }), ofCell(B, { worker: 'u' })],
    },
    'mounts of cells': {
      edits: [ofCell(A, { mounts: [MOUNT] }), ofCell(B, { mounts: [] }), ofCell(B, { mounts: [MOUNT] })],
    },
    'mounts of the notebook': {
      edits: [ofNotebook({ mounts: [MOUNT, { ...MOUNT, name: 'two' }] }), ofNotebook({ mounts: [MOUNT] })],
    },
    'no mounts of the notebook any more': {
      edits: [ofNotebook({ mounts: [MOUNT] }), ofNotebook({ mounts: [] })],
    },
    'variables of the notebook': {
      edits: [
        ofNotebook({ env: { K: 'w', L: 'x' } }),
        ofNotebook({ env: { L: 'x' } }),
        ofNotebook({ env: null }),
      ],
    },
    'a timeout and a worker of the notebook': {
      edits: [ofNotebook({ timeout: 9, worker: 'w' }), ofNotebook({ timeout: null })],
    },
    'a model': {
      edits: [ofNotebook({ ai: { model: 'm' } }), ofNotebook({ ai: { model: null, timeout_seconds: 3 } })],
    },
    'another connection': {
      edits: [
        (text) =>
          connectionOps(text, [
            ...text.file.connections,
            { name: 'two', driver: 'sqlite', path: 'a.db', auth: {}, options: {} },
          ]),
      ],
    },
    'no connection': { edits: [(text) => connectionOps(text, [])], only: 'fewer' },
    'the active variant': { edits: [(text) => variantOps(text, { group: 'g', active: 'y', mode: 'sweep' })] },
    'a new group': {
      edits: [(text) => variantOps(text, { group: 'h', active: 'z', mode: null })],
      only: 'more',
    },
    'no group': {
      edits: [
        (text) => deletedVariantOps(text, { group: 'g', active: 'x', mode: 'switch', promoted: null }),
        (text) => variantOps(text, { group: 'h', active: 'z', mode: 'sweep' }),
      ],
    },
    'the time of the edit': {
      edits: [
        (text) => structural(reorderOps(text, [B, A]), new Date('2026-01-02T03:04:05Z')),
        (text) => structural(reorderOps(text, [A, B]), new Date('2026-01-02T03:04:06Z')),
      ],
    },
  };

const FORMS: readonly (readonly [name: string, form: (text: string) => string])[] = [
  ['unchanged', (text) => text],
  ['CRLF, a BOM, no last line break', (text) => `\ufeff${text.trimEnd().replaceAll('\n', '\r\n')}`],
];

function apply(raw: string, edits: readonly Edit[]): ReadNotebookText {
  let text = parseNotebookText(raw);
  for (const edit of edits) {
    text = editNotebookText(text, edit(text));
    // The reported result of the edit equals what a reader of the bytes gets.
    expect(parseNotebookText(rawText(text)).document).toEqual(text.document);
  }
  return text;
}

/** The content of a notebook.toml, with sorted keys; an empty list or table counts as absent. */
function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(said);
  if (value instanceof Date) return value.toISOString();
  // A parser may return a multi-line string with the line breaks of the file.
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n');
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, said(item)] as const);
  return Object.fromEntries(
    entries
      .filter(([, item]) => typeof item !== 'object' || item === null || Object.keys(item).length > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Whether all lines of `part` occur in `whole`, in order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}

const PLAIN = textOf(CELLS['tables'] ?? '', TABLES['tables behind'] ?? {});

/** Whether the edits only write to cells. */
function isOfCells(edits: readonly Edit[]): boolean {
  const text = parseNotebookText(PLAIN);
  return edits.every((edit) => edit(text).every(({ path }) => path[0] === 'cells'));
}

/**
 * The problem of the notebook after these edits; null if there is none. `tables`: its text besides the cells.
 */
function problemOf(
  { raw, tables }: { readonly raw: string; readonly tables: (typeof TABLES)[string] },
  { edits, only }: (typeof EDITS)[string],
): string | null {
  let after = '';
  try {
    const edited = apply(raw, edits);
    after = rawText(edited);
    expect(said(edited.document)).toEqual(said(apply(PLAIN, edits).document));
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${after}`;
  }
  if (after.startsWith('\ufeff') !== raw.startsWith('\ufeff')) return 'the byte order mark';
  if (/[^\r]\n/.test(after) !== /[^\r]\n/.test(raw)) return 'the line breaks';
  if (only === 'more' && !isWithin(raw, after)) return `something is gone\n${after}`;
  if (only === 'fewer' && !isWithin(after, raw)) return `something is new\n${after}`;
  const eol = raw.includes('\r\n') ? '\r\n' : '\n';
  const beside = isOfCells(edits) ? [tables.head ?? '', tables.tail ?? ''] : [];
  const untouched = [HEAD.slice(HEAD.indexOf('name')), ...beside];
  return untouched.every((text) => after.includes(text.trim().replaceAll('\n', eol)))
    ? null
    : `what no edit is about\n${after}`;
}

describe('[NF-70] every structural edit of every spelling', () => {
  it.each(Object.entries(CELLS))('cells: %s', (_name, list) => {
    const problems: string[] = [];
    for (const [tables, parts] of Object.entries(TABLES)) {
      for (const [form, spell] of FORMS) {
        for (const [name, edit] of Object.entries(EDITS)) {
          const problem = problemOf({ raw: spell(textOf(list, parts)), tables: parts }, edit);
          if (problem !== null) problems.push(`${tables}, ${form}, ${name}: ${problem}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });
});
