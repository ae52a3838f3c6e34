import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AppEdit, AppLayout } from '../wire/appLayout.ts';
import { inverseAppEdit, sameAppEdit, withAppEdit } from './appEdit.ts';

const LAYOUT: AppLayout = {
  layout: 'grid',
  cells: { a: { grid: [0, 0, 6, 4], tab: 'x' } },
  problems: ['notebook.toml:4: wrong.'],
};

describe('[WI-398] an edit of the layout and its undo', () => {
  const ROWS: readonly [edit: AppEdit, after: AppLayout, inverse: AppEdit][] = [
    [{}, LAYOUT, {}],
    [{ layout: 'tabs' }, { ...LAYOUT, layout: 'tabs' }, { layout: 'grid' }],
    [{ slides: ['b', 'a'] }, { ...LAYOUT, slides: ['b', 'a'] }, { slides: null }],
    [{ title: 'T' }, { ...LAYOUT, title: 'T' }, { title: null }],
    [
      { cells: { a: { tab: null } } },
      { ...LAYOUT, cells: { a: { grid: [0, 0, 6, 4] } } },
      { cells: { a: { tab: 'x' } } },
    ],
    [
      { cells: { a: { tab: null, grid: null }, b: { shown: false } } },
      { ...LAYOUT, cells: { b: { shown: false } } },
      { cells: { a: { tab: 'x', grid: [0, 0, 6, 4] }, b: { shown: null } } },
    ],
  ];
  test.each(ROWS)('%j', (edit, after, inverse) => {
    expect(withAppEdit(LAYOUT, edit)).toEqual(after);
    expect(inverseAppEdit(LAYOUT, edit)).toEqual(inverse);
    expect(withAppEdit(after, inverse)).toEqual(LAYOUT);
  });

  test('edits of different values of two windows both stay, in either order', () => {
    const key = fc.constantFrom('a', 'b');
    const mine = fc.dictionary(key, fc.record({ tab: fc.option(fc.constantFrom('x', 'y')) }));
    const theirs = fc.dictionary(key, fc.record({ shown: fc.option(fc.boolean()) }));
    fc.assert(
      fc.property(mine, theirs, (a, b) => {
        const [one, two]: readonly AppEdit[] = [{ cells: a }, { cells: b, layout: 'tabs' }];
        if (one === undefined || two === undefined) return;
        const ab = withAppEdit(withAppEdit(LAYOUT, one), two);
        expect(withAppEdit(withAppEdit(LAYOUT, two), one)).toEqual(ab);
        expect(sameAppEdit(inverseAppEdit(ab, one), one)).toBe(true);
        expect(sameAppEdit(inverseAppEdit(ab, two), two)).toBe(true);
      }),
    );
  });
});
