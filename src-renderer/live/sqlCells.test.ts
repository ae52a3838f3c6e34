/**
 * New SQL cells and the connection added with them, as one undo step. The server is replaced by functions
 * that take effect immediately.
 */

import { expect, it } from 'vitest';
import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { applyFrame } from '../state/applyFrame.ts';
import { emptyNotebook } from '../state/notebookModel.ts';
import { createNotebookStore } from '../state/notebookStore.ts';
import { connectionsWith, connectionsWithout } from '../state/sqlStart.ts';
import type { Edits } from './edits.ts';
import { NotebookShape } from './notebookShape.ts';
import type { ShapePort } from './shapePort.ts';
import { Undo } from './undo.ts';

type Connection = Readonly<Record<string, unknown>>;
const dag = { edges: [], topological_order: [], leaves: [], roots: [], variable_producer: {} };
const MEMORY = { name: 'memory', driver: 'duckdb' };

/** A window on a notebook with a Python cell `a`; its requests take effect immediately. */
function window(connections: readonly Connection[]) {
  const store = createNotebookStore({ sessionId: 's', path: null });
  const cells = [fakeCell({ id: 'a', source: 'SELECT 1' })];
  const payload = { ...fakeBody({ name: 'n', cells, connections: [...connections] }), dag };
  const ts = '2026-01-01T00:00:00Z';
  store.setState({ model: applyFrame(emptyNotebook, { type: 'notebook_state', payload, seq: 1, ts }) });
  const body = payload;
  let newCells = 0;
  const tell = (): void => {
    const frame = { type: 'notebook_state', payload: { ...body }, seq: 2 + newCells, ts } as const;
    store.setState({ model: applyFrame(store.getState().model, frame) });
  };
  const deletedCells = new Map<string, ReturnType<typeof fakeCell>>();
  const structure = {
    add: async ({ language }: { language: 'python' | 'sql' }) => {
      newCells += 1;
      body.cells = [...body.cells, fakeCell({ id: `new${newCells}`, language, source: '' })];
      tell();
      return `new${newCells}`;
    },
    remove: async (id: string) => {
      for (const cell of body.cells) if (cell.id === id) deletedCells.set(id, cell);
      body.cells = body.cells.filter((cell) => cell.id !== id);
      tell();
    },
    restore: async (id: string) => {
      const cell = deletedCells.get(id);
      if (cell !== undefined) body.cells = [...body.cells, cell];
      tell();
    },
    declareConnection: async ({ name, after }: { name: string; after: boolean }) => {
      const changed = after
        ? connectionsWith(store.getState(), name)
        : connectionsWithout(store.getState(), name);
      if (changed !== null) body.connections = [...changed];
      tell();
      return changed !== null;
    },
  };
  const write = (id: string, text: string): boolean => {
    body.cells = body.cells.map((cell) => (cell.id === id ? { ...cell, source: text } : cell));
    tell();
    return true;
  };
  const messages: string[] = [];
  const port = { view: store.getState, set: store.setState };
  const undo: Undo = new Undo({
    ...({ ...port, ...structure } as unknown as ConstructorParameters<typeof Undo>[0]), // the methods that these tests use
    now: () => 0,
    write,
    say: (words) => messages.push(words),
    moved: () => {},
  });
  const shape = new NotebookShape({
    ...port,
    structure: structure as unknown as ShapePort['structure'], // likewise
    edits: { write } as unknown as Edits, // likewise
    undo,
    say: (words) => messages.push(words),
  });
  const now = () => ({
    cells: body.cells.map(({ language, source }) => `${language}: ${source}`),
    connections: body.connections.map(({ name }) => name),
  });
  return { store, shape, undo, now, body, tell };
}

const START = { cells: ['python: SELECT 1'], connections: [] };

it('[SQ-65] undo of a new SQL cell removes the connection added with it, redo restores both', async () => {
  const { shape, undo, now } = window([]);
  await shape.addCell({ afterId: null, language: 'sql' });
  const added = {
    cells: ['python: SELECT 1', 'sql: # @sql connection=memory\n'],
    connections: ['memory'],
  };
  expect(now()).toEqual(added);
  await undo.undo();
  expect(now()).toEqual(START);
  await undo.redo();
  expect(now()).toEqual(added);
});

it('[SQ-65] a cell changed to SQL names the connection like a new one; undo reverts it', async () => {
  const { shape, undo, now } = window([]);
  await shape.changeLanguage(['a'], 'sql');
  expect(now()).toEqual({ cells: ['sql: # @sql connection=memory\nSELECT 1'], connections: ['memory'] });
  await undo.undo();
  expect(now()).toEqual(START);
});

it.each<[what: string, connections: readonly Connection[], line: string]>([
  ['the only connection', [{ name: 'db', driver: 'sqlite' }], '# @sql connection=db\n'],
  ['the person chooses among several', [MEMORY, { name: 'db', driver: 'sqlite' }], ''],
])('[SQ-65] undo keeps existing connections: %s', async (_what, connections, line) => {
  const { shape, undo, now } = window(connections);
  await shape.changeLanguage(['a'], 'sql');
  expect(now().cells).toEqual([`sql: ${line}SELECT 1`]);
  await undo.undo();
  expect(now()).toEqual({ ...START, connections: connections.map(({ name }) => name) });
});

it.each<[what: string, sources: readonly string[], connections: readonly Connection[], left: number | null]>([
  ['nothing uses it', [], [MEMORY], 0],
  ['others stay', ['# @sql connection=db\nSELECT 1'], [MEMORY, { name: 'db', driver: 'sqlite' }], 1],
  ['the server adds what is empty', [], [{ ...MEMORY, auth: {}, options: {} }], 0],
  ['a cell names it', ['# @sql connection=memory\nSELECT 1'], [MEMORY], null],
  ['a cell names none', ['SELECT 1'], [MEMORY], null],
  ['it has a file now', [], [{ ...MEMORY, path: 'own.duckdb' }], null],
  ['it is of another database', [], [{ ...MEMORY, driver: 'sqlite' }], null],
  ['it was removed', [], [], null],
])('[SQ-65] removes the connection only if nothing is lost: %s', (_what, sources, connections, left) => {
  const { store, body, tell } = window(connections);
  body.cells = sources.map((source, at) => fakeCell({ id: `s${at}`, language: 'sql', source }));
  tell();
  expect(connectionsWithout(store.getState(), 'memory')?.length ?? null).toBe(left);
});

it.each<[what: string, connections: readonly Connection[], line: string, after: readonly string[]]>([
  ['there is none', [], 'memory', ['memory']],
  ['another database is the only one', [{ name: 'db', driver: 'sqlite' }], 'memory', ['db', 'memory']],
  [
    'one of several reads frames',
    [
      { name: 'db', driver: 'sqlite' },
      { ...MEMORY, name: 'duck' },
    ],
    'duck',
    ['db', 'duck'],
  ],
])(
  '[TB-11] SQL created from a table is one undo step, on a connection that reads frames: %s',
  async (_what, connections, line, after) => {
    const { shape, undo, now } = window(connections);
    await shape.addCell({ afterId: 'a', language: 'sql', source: 'SELECT * FROM df' });
    expect(now().cells).toEqual([...START.cells, `sql: # @sql connection=${line}\nSELECT * FROM df`]);
    expect(now().connections).toEqual(after);
    await undo.undo();
    expect(now()).toEqual({ ...START, connections: connections.map(({ name }) => name) });
  },
);
