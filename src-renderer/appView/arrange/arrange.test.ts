/**
 * The arrangement of an app as functions: places in the grid, the order of slides, tabs, and the layout edit
 * that each move makes.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compact,
  type GridCell,
  type GridItem,
  gridOf,
  readingOrder,
} from '../../../src-shared/notebook/app/grid.ts';
import { slidesOf } from '../../../src-shared/notebook/app/slides.ts';
import { tabsOf } from '../../../src-shared/notebook/app/tabs.ts';
import { withAppEdit } from '../../../src-shared/notebook/appEdit.ts';
import type { AppLayout, GridPlace } from '../../../src-shared/wire/appLayout.ts';
import { gridEdit, moveItem, resizeItem } from './grid.ts';
import { moveSlide } from './moveSlide.ts';
import { slideAfterKey } from './slideKeys.ts';
import { moveTab, renameTab } from './tabs.ts';

const cell = (id: string, place: GridPlace | null = null, rows = 4): GridCell => ({ id, place, rows });
const item = (id: string, x: number, y: number, w: number, h: number): GridItem => ({ id, x, y, w, h });
/** `a 0 0 6 4` for each cell. */
const written = (items: readonly GridItem[]): readonly string[] =>
  items.map(({ id, x, y, w, h }) => [id, x, y, w, h].join(' '));

describe('[WI-390] the grid', () => {
  const ROWS: readonly [name: string, cells: readonly GridCell[], expected: readonly string[]][] = [
    ['nothing', [], []],
    [
      'cells without a place fill the width, in order',
      [cell('a'), cell('b', null, 2)],
      ['a 0 0 12 4', 'b 0 4 12 2'],
    ],
    ['places side by side', [cell('a', [0, 0, 6, 4]), cell('b', [6, 0, 6, 2])], ['a 0 0 6 4', 'b 6 0 6 2']],
    ['a cell without a place goes below', [cell('a'), cell('b', [0, 0, 6, 3])], ['a 0 3 12 4', 'b 0 0 6 3']],
    ['gaps close', [cell('a', [3, 40, 2, 2])], ['a 3 0 2 2']],
    [
      'overlaps are pushed down',
      [cell('a', [0, 0, 6, 4]), cell('b', [4, 2, 4, 4])],
      ['a 0 0 6 4', 'b 4 4 4 4'],
    ],
    [
      'one place twice, as after a merge of two branches',
      [cell('a', [0, 0, 6, 4]), cell('b', [0, 0, 6, 4])],
      ['a 0 0 6 4', 'b 0 4 6 4'],
    ],
  ];
  test.each(ROWS)('%s', (_name, cells, expected) => {
    expect(written(gridOf(cells))).toEqual(expected);
  });

  const PAIR = [item('a', 0, 0, 6, 4), item('b', 0, 4, 6, 2), item('c', 6, 0, 6, 3)];
  const MOVES: readonly [name: string, after: readonly GridItem[], expected: readonly string[]][] = [
    ['right', moveItem(PAIR, 'b', 'right'), ['a 0 0 6 4', 'b 1 4 6 2', 'c 6 0 6 3']],
    ['left at the edge', moveItem(PAIR, 'a', 'left'), written(PAIR)],
    ['right at the edge', moveItem(PAIR, 'c', 'right'), written(PAIR)],
    ['down past the next one', moveItem(PAIR, 'a', 'down'), ['a 0 2 6 4', 'b 0 0 6 2', 'c 6 0 6 3']],
    ['down at the end', moveItem(PAIR, 'b', 'down'), written(PAIR)],
    ['up past the next one', moveItem(PAIR, 'b', 'up'), ['a 0 2 6 4', 'b 0 0 6 2', 'c 6 0 6 3']],
    ['right, under another one', moveItem(PAIR, 'a', 'right'), ['a 1 0 6 4', 'b 0 4 6 2', 'c 6 4 6 3']],
    ['wider pushes down', resizeItem(PAIR, 'a', 'right'), ['a 0 0 7 4', 'b 0 4 6 2', 'c 6 4 6 3']],
    ['higher pushes down', resizeItem(PAIR, 'a', 'down'), ['a 0 0 6 5', 'b 0 5 6 2', 'c 6 0 6 3']],
    ['lower pulls up', resizeItem(PAIR, 'a', 'up'), ['a 0 0 6 3', 'b 0 3 6 2', 'c 6 0 6 3']],
    ['no wider than the grid', resizeItem(PAIR, 'c', 'right'), written(PAIR)],
    ['an unknown cell', moveItem(PAIR, 'x', 'down'), written(PAIR)],
  ].map(([name, after, expected]) => [name, after, expected] as (typeof MOVES)[number]);
  test.each(MOVES)('%s', (_name, after, expected) => {
    expect(written(after)).toEqual(expected);
  });

  test('only places that changed are written', () => {
    const cells = [cell('a', [0, 0, 6, 4]), cell('b', [0, 4, 6, 2]), cell('c')];
    const grid = gridOf(cells);
    expect(gridEdit(grid, cells)).toEqual({ cells: { c: { grid: [0, 6, 12, 4] } } });
    expect(gridEdit(resizeItem(grid, 'a', 'up'), cells)).toEqual({
      cells: { a: { grid: [0, 0, 6, 3] }, b: { grid: [0, 3, 6, 2] }, c: { grid: [0, 5, 12, 4] } },
    });
    expect(readingOrder(PAIR)).toEqual(['a', 'c', 'b']);
  });

  const place = fc
    .tuple(fc.nat(11), fc.nat(30), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9 }))
    .map(([x, y, w, h]): GridPlace => [x, y, Math.min(w, 12 - x), h]);
  const cells = fc
    .array(fc.record({ place: fc.option(place), rows: fc.integer({ min: 1, max: 9 }) }), { maxLength: 12 })
    .map((all) => all.map((one, at) => ({ ...one, id: `c${at}` })));
  const step = fc.record({
    at: fc.nat(11),
    how: fc.constantFrom(moveItem, resizeItem),
    direction: fc.constantFrom('left', 'right', 'up', 'down'),
  });

  test('after any moves, no cell overlaps another, each is there once, and no gap is left above', () => {
    fc.assert(
      fc.property(cells, fc.array(step, { maxLength: 25 }), (all, steps) => {
        let grid = gridOf(all);
        for (const { at, how, direction } of [
          { at: -1, how: moveItem, direction: 'up' } as const,
          ...steps,
        ]) {
          grid = how(grid, `c${at}`, direction);
          expect(grid.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
          expect(overlaps(grid)).toEqual([]);
          expect(grid.every(({ x, y, w, h }) => x >= 0 && y >= 0 && w >= 1 && h >= 1 && x + w <= 12)).toBe(
            true,
          );
          expect(compact(grid)).toEqual(grid);
        }
      }),
    );
  });
});

function overlaps(items: readonly GridItem[]): readonly string[] {
  return items.flatMap((a, at) =>
    items
      .slice(at + 1)
      .filter((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
      .map((b) => `${a.id} and ${b.id}`),
  );
}

describe('[WI-391] slides', () => {
  const layout = (...joined: readonly string[]): Pick<AppLayout, 'cells'> => ({
    cells: Object.fromEntries(joined.map((id) => [id, { slide: 'join' as const }])),
  });
  test.each([
    ['each cell is one', ['a', 'b'], layout(), [['a'], ['b']]],
    ['a cell joins the one before', ['a', 'b', 'c'], layout('b'), [['a', 'b'], ['c']]],
    ['several join', ['a', 'b', 'c'], layout('b', 'c'), [['a', 'b', 'c']]],
    ['the first cannot join', ['a', 'b'], layout('a'), [['a'], ['b']]],
    ['none', [], layout('a'), []],
  ] as const)('%s', (_name, ids, given, expected) => {
    expect(slidesOf(ids, given, ids)).toEqual(expected);
  });
  test.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 2, 2],
    ['PageDown', 1, 2],
    [' ', 0, 1],
    ['ArrowLeft', 0, 0],
    ['PageUp', 2, 1],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['x', 1, null],
  ] as const)('%s on slide %d of three', (key, at, expected) => {
    expect(slideAfterKey(key, at, 3)).toBe(expected);
  });
});

describe('[ED-99] the order of slides', () => {
  type Layout = Pick<AppLayout, 'cells' | 'slides'>;
  const layoutOf = (slides: readonly string[], ...joined: readonly string[]): Layout => ({
    slides: [...slides],
    cells: Object.fromEntries(joined.map((id) => [id, { slide: 'join' as const }])),
  });
  /** `c d | a b`: the slides, with their cells. */
  const shown = (layout: Layout, ids: string, order = ids): string =>
    slidesOf([...ids], layout, [...order])
      .map((slide) => slide.join(' '))
      .join(' | ');

  const ROWS: readonly [name: string, layout: Layout, ids: string, expected: string, order?: string][] = [
    ['as listed', layoutOf(['c', 'a', 'b']), 'abc', 'c | a | b'],
    ['a cell that is not listed follows the one before it', layoutOf(['c', 'a']), 'abcd', 'c | d | a | b'],
    ['cells before the first listed one come first', layoutOf(['d', 'c']), 'abcd', 'a | b | d | c'],
    ['a cell that joins goes with its slide', layoutOf(['c', 'a'], 'b'), 'abc', 'c | a b'],
    [
      'a listed cell joins the slide that comes before it there',
      layoutOf(['c', 'b', 'a'], 'b'),
      'abc',
      'c b | a',
    ],
    ['the first slide joins none', layoutOf(['b', 'a'], 'b'), 'ab', 'b | a'],
    ['an id that is listed twice counts once', layoutOf(['b', 'a', 'b', 'b']), 'abc', 'b | c | a'],
    ['ids of no cell', layoutOf(['gone', 'b', '', 'a']), 'ab', 'b | a'],
    ['nothing is listed', layoutOf([]), 'abc', 'a | b | c'],
    ['no cells', layoutOf(['a']), '', ''],
    [
      'a hidden cell has its place, and the next one keeps its own',
      layoutOf(['c', 'b', 'a']),
      'abd',
      'd | b | a',
      'abcd',
    ],
  ];
  test.each(ROWS)('%s', (_name, layout, ids, expected, order) => {
    expect(shown(layout, ids, order)).toBe(expected);
  });

  const MOVES: readonly [
    name: string,
    given: { readonly layout: Layout; readonly ids: string; readonly order?: string },
    from: number,
    to: number,
    edit: object,
    after: string,
  ][] = [
    ['down', { layout: layoutOf([]), ids: 'abc' }, 0, 1, { slides: ['b', 'a', 'c'] }, 'b | a | c'],
    [
      'up, to the front',
      { layout: layoutOf([]), ids: 'abc' },
      2,
      0,
      { slides: ['c', 'a', 'b'] },
      'c | a | b',
    ],
    [
      'back to the order of the notebook',
      { layout: layoutOf(['b', 'a', 'c']), ids: 'abc' },
      1,
      0,
      { slides: null },
      'a | b | c',
    ],
    [
      'with the cells that joined it',
      { layout: layoutOf([], 'b'), ids: 'abc' },
      1,
      0,
      { slides: ['c', 'a'] },
      'c | a b',
    ],
    [
      'a first cell that would join is separate',
      { layout: layoutOf([], 'a'), ids: 'abc' },
      0,
      2,
      { slides: ['b', 'c', 'a'], cells: { a: { slide: null } } },
      'b | c | a',
    ],
    [
      'a hidden cell goes with the one before it',
      { layout: layoutOf([]), ids: 'abd', order: 'abcd' },
      1,
      0,
      { slides: ['b', 'a', 'd'] },
      'b | a | d',
    ],
    [
      'ids of no cell stay listed',
      { layout: layoutOf(['gone', 'b', 'left', 'a']), ids: 'ab' },
      1,
      0,
      { slides: ['gone', 'a', 'b', 'left'] },
      'a | b',
    ],
    ['past the end: no change', { layout: layoutOf([]), ids: 'ab' }, 1, 2, {}, 'a | b'],
  ];
  test.each(MOVES)('a slide is moved: %s', (_name, { layout, ids, order = ids }, from, to, edit, after) => {
    const moved = moveSlide({ ids: [...ids], order: [...order], layout }, from, to);
    expect(moved).toEqual(edit);
    expect(shown(withAppEdit(layout, moved), ids, order)).toBe(after);
  });

  test('in any layout, a move changes the place of one slide and loses no id', () => {
    const id = fc.constantFrom(...'abcdefgh');
    const layouts = fc.record({
      cells: fc.dictionary(id, fc.record({ slide: fc.constant('join' as const) })),
      slides: fc.array(fc.constantFrom(...'abcdefgh', 'gone', 'left')),
    });
    const orders = fc.uniqueArray(id, { minLength: 1, maxLength: 8 });
    const steps = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 6 });
    fc.assert(
      fc.property(orders, fc.nat(255), layouts, steps, (order, mask, first, moves) => {
        const ids = order.filter((_id, at) => ((mask >> at) & 1) === 1);
        let layout: AppLayout = first;
        for (const [from, to] of moves) {
          const before = slidesOf(ids, layout, order);
          const slide = before[from];
          const unknown = (layout.slides ?? []).filter((one) => !order.includes(one));
          layout = withAppEdit(layout, moveSlide({ ids, order, layout }, from, to));
          const after = slidesOf(ids, layout, order);
          if (slide === undefined || before[to] === undefined) expect(after).toEqual(before);
          else {
            const expected = before.filter((one) => one !== slide);
            expected.splice(to, 0, slide);
            expect(after).toEqual(expected);
          }
          expect(layout.slides ?? []).toEqual(expect.arrayContaining(unknown));
        }
      }),
    );
  });
});

describe('[WI-392] tabs', () => {
  const CELLS = [
    { id: 'a', section: null },
    { id: 'b', section: 'Data' },
    { id: 'c', section: 'Data' },
    { id: 'd', section: 'Results' },
  ];
  const shown = (layout: Pick<AppLayout, 'cells' | 'tabs'>): readonly string[] =>
    tabsOf(CELLS, layout, 'Overview').map(({ name, ids }) => `${name}: ${ids.join(' ')}`);
  test.each([
    ['by section', { cells: {} }, ['Overview: a', 'Data: b c', 'Results: d']],
    ['a cell names its tab', { cells: { a: { tab: 'Results' } } }, ['Results: a d', 'Data: b c']],
    [
      'in the order of the layout',
      { cells: {}, tabs: ['Results', 'Gone'] },
      ['Results: d', 'Overview: a', 'Data: b c'],
    ],
    [
      'a name listed twice',
      { cells: {}, tabs: ['Data', 'Data'] },
      ['Data: b c', 'Overview: a', 'Results: d'],
    ],
  ])('%s', (_name, layout, expected) => {
    expect(shown(layout)).toEqual(expected);
  });

  test('a tab is renamed and moved', () => {
    const tabs = tabsOf(CELLS, { cells: {} }, 'Overview');
    expect(renameTab(tabs, 'Data', 'Input')).toEqual({
      tabs: ['Overview', 'Input', 'Results'],
      cells: { b: { tab: 'Input' }, c: { tab: 'Input' } },
    });
    expect(renameTab(tabs, 'Data', 'Results').tabs).toEqual(['Overview', 'Results']);
    expect(renameTab(tabs, 'Data', '')).toEqual({});
    expect(moveTab(tabs, 'Data', -1)).toEqual({ tabs: ['Data', 'Overview', 'Results'] });
    expect(moveTab(tabs, 'Results', 1)).toEqual({});
  });

  test('each cell is in one tab and on one slide, whatever the layout says', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
    const placement = fc.record(
      { tab: fc.constantFrom('x', 'y', 'z'), slide: fc.constant('join' as const) },
      { requiredKeys: [] },
    );
    const layouts = fc.record({
      cells: fc.dictionary(fc.constantFrom(...'abcdefgh'), placement),
      tabs: fc.array(fc.constantFrom('x', 'y', 'other')),
      slides: fc.array(fc.constantFrom(...'abcdefgh', 'gone')),
    });
    fc.assert(
      fc.property(ids, layouts, (all, layout) => {
        const cells = all.map((id, at) => ({ id, section: at % 2 === 0 ? null : 'x' }));
        expect(
          tabsOf(cells, layout, 'first')
            .flatMap((tab) => tab.ids)
            .sort(),
        ).toEqual([...all].sort());
        const shown = all.filter((_id, at) => at % 3 !== 1);
        expect(slidesOf(shown, layout, all).flat().sort()).toEqual([...shown].sort());
      }),
    );
  });
});
