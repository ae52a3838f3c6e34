import { describe, expect, it } from 'vitest';
import type { VariantGroup } from '../../src-shared/wire/cell.ts';
import { sampleBody } from '../../src-shared/wire/testing/sampleNotebook.ts';
import { afterGroups, shownOrder, variantsToShow, withSiblings } from './variants.ts';

function group(active: string, mode: 'switch' | 'sweep' = 'switch'): VariantGroup {
  const members = ['lo', 'hi'].map((name) => ({
    cell_id: name,
    name,
    is_active: mode === 'sweep' || name === active,
  }));
  return { group: 'm', active_name: active, active_cell_id: active, mode, members };
}

function view(groups: readonly VariantGroup[], shownVariants: Readonly<Record<string, string>> = {}) {
  const meta = { ...sampleBody({ name: '', cells: [] }), variant_groups: [...groups] };
  return {
    shownVariants,
    leaving: {},
    foldedSections: {},
    model: { order: ['a', 'lo', 'b', 'hi', 'c'], cells: {}, meta },
  };
}

describe('[WI-110] a group of variants is one position', () => {
  it('that shows the active member, or the one that the person selected', () => {
    expect(shownOrder(view([]))).toEqual(['a', 'lo', 'b', 'hi', 'c']);
    expect(shownOrder(view([group('lo')]))).toEqual(['a', 'lo', 'b', 'c']);
    expect(shownOrder(view([group('hi')]))).toEqual(['a', 'b', 'hi', 'c']);
    expect(shownOrder(view([group('lo')], { m: 'hi' }))).toEqual(['a', 'b', 'hi', 'c']);
    expect(shownOrder(view([group('lo')], { m: 'gone' }))).toEqual(['a', 'lo', 'b', 'c']);
  });

  it('[ED-66] next to cells that are being deleted, which are not shown', () => {
    const leaving = { a: true, c: true } as const;
    expect(shownOrder({ ...view([]), leaving })).toEqual(['lo', 'b', 'hi']);
    expect(shownOrder({ ...view([group('hi')]), leaving })).toEqual(['b', 'hi']);
    expect(shownOrder(view([group('hi')]))).toEqual(['a', 'b', 'hi', 'c']);
  });

  it('that moves with all of its members', () => {
    expect(withSiblings(view([group('lo')]), ['lo', 'c'])).toEqual(['lo', 'hi', 'c']);
  });

  it('selects the member that must become visible', () => {
    expect(variantsToShow(view([group('lo')]), 'hi')).toEqual({ m: 'hi' });
    const same = view([group('lo')]);
    expect(variantsToShow(same, 'lo')).toBe(same.shownVariants);
    expect(variantsToShow(same, 'a')).toBe(same.shownVariants);
  });

  it('that follows a choice made anywhere', () => {
    expect(afterGroups({ m: 'hi' }, [group('lo')], [group('hi')])).toEqual({});
    expect(afterGroups({ m: 'hi' }, [group('lo')], [group('lo', 'sweep')])).toEqual({});
    const choices = { m: 'hi' };
    expect(afterGroups(choices, [group('lo')], [group('lo')])).toBe(choices);
  });
});
