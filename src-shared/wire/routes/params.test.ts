import { describe, expect, it } from 'vitest';
import { CELL_ROUTES } from './cells.ts';
import { flagField, isTrueText } from './params.ts';
import { VARIANT_ROUTES } from './variants.ts';

describe('[RE-27] what clients of other languages send', () => {
  it.each<readonly [text: string | undefined, is: boolean | 'refused']>([
    ['true', true],
    ['True', true],
    ['1', true],
    ['yes', true],
    ['ON', true],
    ['false', false],
    ['False', false],
    ['0', false],
    ['off', false],
    ['', 'refused'],
    ['2', 'refused'],
    ['maybe', 'refused'],
    ['null', 'refused'],
    [undefined, false],
  ])('a query with %s', (text, is) => {
    const parsed = flagField.optional().safeParse(text);
    expect(parsed.success ? isTrueText(parsed.data) : 'refused').toBe(is);
  });

  it.each([
    ['addCell', CELL_ROUTES.addCell, { author: null, after_cell_id: null }],
    ['editCell', CELL_ROUTES.editCell, { source: 'x', author: null }],
    ['chooseVariant', VARIANT_ROUTES.chooseVariant, { active: 'x', mode: null }],
    ['chooseVariant', VARIANT_ROUTES.chooseVariant, { active: null, mode: 'sweep' }],
  ])('%s: null counts as absent', (_name, route, body) => {
    expect(route.body.safeParse(body).success).toBe(true);
  });
});
