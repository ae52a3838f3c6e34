import { afterEach, expect, it, vi } from 'vitest';
import { fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { readFoldedSections, writeFoldedSections } from './foldedSections.ts';
import { cellModelOf, emptyNotebook } from './notebookModel.ts';
import { createNotebookStore } from './notebookStore.ts';
import {
  foldAllSections,
  foldSection,
  hiddenBySections,
  sectionAround,
  sectionIds,
  sectionOf,
  unfoldOnFocus,
  withFolded,
} from './sections.ts';

/** A notebook of cells: `1`, `2`, … are text cells with a heading of that level, other names are code. */
function storeOf(...names: readonly string[]) {
  const fakeCells = names.map((name, at) => {
    const level = Number(/^\d/.exec(name)?.[0] ?? 0);
    const source = level === 0 ? name : `${'#'.repeat(level)} Heading`;
    return fakeCell({ id: `${name}@${at}`, language: level === 0 ? 'python' : 'markdown', source });
  });
  const store = createNotebookStore({ sessionId: 's', path: null });
  const cells = Object.fromEntries(fakeCells.map((cell) => [cell.id, cellModelOf(cell, undefined)]));
  store.setState({ model: { ...emptyNotebook, order: fakeCells.map(({ id }) => id), cells } });
  return store;
}

const names = (ids: Iterable<string>): string => [...ids].map((id) => id.replace(/@.*/, '')).join(' ');

afterEach(() => vi.unstubAllGlobals());

it.each<[notebook: string, heading: string, cells: string]>([
  ['1 a b 1 c', '1@0', 'a b'],
  ['1 a 2 b 2 c 1 d', '1@0', 'a 2 b 2 c'],
  ['1 a 2 b 2 c 1 d', '2@2', 'b'],
  ['2 a 1 b', '2@0', 'a'],
  ['1 a 3 b 2 c', '3@2', 'b'],
  ['1', '1@0', ''],
  ['a 1 b', 'a@0', ''],
])('[ED-69] the section of a heading: %s, %s', (notebook, heading, cells) => {
  expect(names(sectionOf(storeOf(...notebook.split(' ')).getState(), heading))).toBe(cells);
});

it('[ED-69] a folded section hides its cells, moves with them, and is found from any of its cells', () => {
  const store = storeOf('1', 'a', '2', 'b', '1', 'c');
  expect(names(sectionIds(store.getState()))).toBe('1 2 1');
  foldSection(store, '2@2', true);
  expect(names(hiddenBySections(store.getState()))).toBe('b');
  expect(names(withFolded(store.getState(), ['a@1', '2@2']))).toBe('a 2 b');
  expect(sectionAround({ ...store.getState(), focusedId: 'b@3' })).toBe('2@2');
  expect(sectionAround({ ...store.getState(), focusedId: null })).toBeNull();
  foldAllSections(store, true);
  expect(names(hiddenBySections(store.getState()))).toBe('a 2 b c');
  foldAllSections(store, false);
  expect(hiddenBySections(store.getState()).size).toBe(0);
});

it('[ED-69] the focus never stays in a hidden cell: folding moves it to the heading, and going to a hidden cell unfolds its section', () => {
  const store = storeOf('1', 'a', '2', 'b');
  const stop = unfoldOnFocus(store);
  store.setState({ focusedId: 'b@3', mode: 'edit' });
  foldSection(store, '1@0', true);
  expect(store.getState()).toMatchObject({
    focusedId: '1@0',
    mode: 'command',
    foldedSections: { '1@0': true },
  });
  store.setState({ focusedId: 'b@3' });
  expect(store.getState().foldedSections).toEqual({});
  stop();
});

it('[ED-69] folded sections are stored by notebook; a damaged store counts as empty', () => {
  const stored = new Map([['cellar.sections', '{damaged']]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  });
  expect(readFoldedSections('/a')).toEqual([]);
  writeFoldedSections('/a', ['x']);
  writeFoldedSections('/b', ['y']);
  writeFoldedSections(null, ['z']);
  expect([readFoldedSections('/a'), readFoldedSections('/b'), readFoldedSections(null)]).toEqual([
    ['x'],
    ['y'],
    [],
  ]);
  writeFoldedSections('/a', []);
  expect(JSON.parse(stored.get('cellar.sections') ?? '')).toEqual([{ path: '/b', folded: ['y'] }]);
});
