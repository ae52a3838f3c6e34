import { expect, test } from 'vitest';
import { fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { cellModelOf, emptyNotebook } from './notebookModel.ts';
import { createNotebookStore, type NotebookView } from './notebookStore.ts';
import { outlineRows, variableRows } from './outline.ts';

function view(...cells: readonly (Partial<Cell> & { id: string })[]): NotebookView {
  const fakeCells = cells.map((fields) => fakeCell(fields));
  const model = {
    ...emptyNotebook,
    order: fakeCells.map((cell) => cell.id),
    cells: Object.fromEntries(fakeCells.map((cell) => [cell.id, cellModelOf(cell, undefined)])),
  };
  return { ...createNotebookStore({ sessionId: 's', path: null }).getState(), model };
}

test('the outline has every code cell and every heading, including unsaved text', () => {
  const before = view(
    { id: 't', language: 'markdown', source: '# Trips\n## By day' },
    { id: 'a', source: 'a = 1' },
    { id: 'u', language: 'markdown', source: 'no heading' },
  );
  const draft = { text: '# New', base: 'no heading', state: 'typed' as const, sent: [], reason: null };
  const rows = outlineRows({ ...before, drafts: { u: draft } });
  expect(rows.map((row) => [row.cellId, row.heading, row.depth])).toEqual([
    ['t', 'Trips', 0],
    ['t', 'By day', 1],
    ['a', null, 0],
    ['u', 'New', 0],
  ]);
});

test('lists computed variables, each under the last cell that defines it', () => {
  const { model } = view(
    { id: 'a', defines: ['x', 'f'], status: 'ready', module_exports: [{ name: 'f', kind: 'function' }] },
    { id: 'b', defines: ['y'], status: 'idle' },
    { id: 'c', defines: ['z'], status: 'stale', artifact_uris: { z: 'svc://artifact/z@v=1' } },
    { id: 'd', defines: ['x'], status: 'ready' },
    { id: 'e', defines: ['w'], status: 'ready', unread_uris: { w: 'svc://artifact/w@v=3' } },
  );
  expect(variableRows(model).map(({ name, cellId, uri }) => `${name} of ${cellId} ${uri ?? '-'}`)).toEqual([
    'z of c svc://artifact/z@v=1',
    'x of d -',
    'w of e svc://artifact/w@v=3',
  ]);
});
