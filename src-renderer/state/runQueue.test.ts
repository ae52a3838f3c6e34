import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import type { CascadePrompt, NotebookModel } from './notebookModel.ts';
import { afterChange, withoutCells } from './runQueue.ts';

type Cells = NotebookModel['cells'];

/** Cells by what they read: `a b<a c<b`. */
function cellsOf(text: string): Cells {
  const entries = text.split(' ').map((one) => {
    const [id = '', above = ''] = one.split('<');
    const cell = fakeCell({ id, upstream_ids: above === '' ? [] : above.split(',') });
    return [id, { cell }];
  });
  return Object.fromEntries(entries) as Cells;
}

const prompt = (...ids: string[]) => ({ cells_to_run: ids }) as unknown as CascadePrompt;

test.each<[string, string, string[], string[], string]>([
  ['nothing', 'a b<a c<b', ['a', 'b', 'c'], [], 'normal a b c, forced '],
  ['the first of a chain', 'a b<a c<b', ['a', 'b', 'c'], ['a'], 'normal , forced b c'],
  ['the middle of a chain', 'a b<a c<b', ['a', 'b', 'c'], ['b'], 'normal a, forced c'],
  ['one of two above', 'a b c<a,b', ['a', 'b', 'c'], ['a'], 'normal b, forced c'],
  ['one of two targets', 'a b<a c<a', ['a', 'b', 'c'], ['b'], 'normal a c, forced '],
  ['one above through a cell that is ready', 'a r<a c<r', ['a', 'c'], ['a'], 'normal , forced c'],
])('[EX-97] left out of a prompt: %s', (_name, cells, ids, leftOut, expected) => {
  const { normal, forced } = withoutCells({ cells: cellsOf(cells) }, prompt(...ids), new Set(leftOut));
  expect(`normal ${normal.join(' ')}, forced ${forced.join(' ')}`).toBe(expected);
});

describe('[EX-97] for any excluded cells', () => {
  const graphs = fc
    .array(fc.array(fc.nat(20), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
    .map((reads) => reads.map((above, at) => above.filter((one) => one < at)));

  it('every other cell runs once in the order of the prompt, and no normal one is below a forced or missing one', () => {
    fc.assert(
      fc.property(graphs, fc.array(fc.nat(11)), (reads, out) => {
        const cells = cellsOf(reads.map((above, at) => `${at}<${above.join(',')}`).join(' '));
        const ids = reads.map((_above, at) => String(at));
        const leftOut = new Set(out.map(String).filter((id) => ids.includes(id)));
        const { normal, forced } = withoutCells({ cells }, prompt(...ids), leftOut);
        const all = [...normal, ...forced].sort((a, b) => Number(a) - Number(b));
        expect(all).toEqual(ids.filter((id) => !leftOut.has(id)));
        for (const part of [normal, forced])
          expect(part).toEqual([...part].sort((a, b) => Number(a) - Number(b)));
        const isBad = (id: string): boolean => leftOut.has(id) || forced.includes(id);
        for (const id of normal) expect(cells[id]?.cell.upstream_ids.some(isBad)).toBe(false);
        for (const id of forced) expect(cells[id]?.cell.upstream_ids.some(isBad)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('a chain of 20,000 cells is handled', () => {
    const ids = Array.from({ length: 20_000 }, (_none, at) => String(at));
    const cells = cellsOf(ids.map((id, at) => (at === 0 ? id : `${id}<${at - 1}`)).join(' '));
    expect(withoutCells({ cells }, prompt('19999'), new Set(['0'])).forced).toEqual(['19999']);
  });
});

test.each<[string[] | undefined, string]>([
  [undefined, 'a b c'],
  [['c', 'a', 'b'], 'c a b'],
  // A run that the order does not name yet.
  [['c', 'b'], 'c b a'],
])('[EX-92] the order %j makes the queue %s', (order, expected) => {
  const queue = ['a', 'b', 'c'].map((id) => ({ id, cell_id: id, mode: 'normal' as const }));
  const change = { added: [], removed: [], ...(order === undefined ? {} : { order }) };
  expect(
    afterChange(queue, change)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(expected);
});
