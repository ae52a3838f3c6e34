import { expect, it } from 'vitest';
import { renamedSources } from './renamedSources.ts';

const TEXTS: Readonly<Record<string, string>> = { a: 'x = 1\r\ny = x + x', b: 'print(x)' };
const edit = (cell_id: string, line: number, from: number) => ({
  cell_id,
  span: { start: { line, character: from }, end: { line, character: from + 1 } },
  text: 'total',
});

it('[LS-7] a rename changes every place of every cell', () => {
  const edits = [edit('a', 0, 0), edit('a', 1, 4), edit('a', 1, 8), edit('b', 0, 6)];
  expect(renamedSources(edits, 'x', (id) => TEXTS[id])).toEqual(
    new Map([
      ['a', 'total = 1\r\ny = total + total'],
      ['b', 'print(total)'],
    ]),
  );
});

it.each([
  ['another name is there now', [edit('a', 1, 0)]],
  ['the line was removed', [edit('b', 3, 0)]],
  ['the cell was deleted', [edit('c', 0, 0)]],
])('[LS-7] nothing is changed if %s', (_what, edits) => {
  expect(renamedSources([edit('a', 0, 0), ...edits], 'x', (id) => TEXTS[id])).toBeNull();
});
