import { describe, expect, it } from 'vitest';
import {
  acceptValue,
  digitsOf,
  valueAfterEdit,
  type WidgetDescriptor,
  type WidgetKind,
  type WidgetValue,
} from './widgets.ts';

const control = (kind: WidgetKind, params: Record<string, unknown> = {}): WidgetDescriptor => ({
  name: 'a',
  kind,
  params,
  default: null,
});

const SLIDER = control('slider', { min: 0, max: 1 });
const DROPDOWN = control('dropdown', { options: ['a', 1, null] });

/** The sent value, and the accepted one; `undefined`: dropped. */
const SENT: readonly (readonly [string, WidgetDescriptor, unknown, WidgetValue | undefined])[] = [
  ['within the bounds', SLIDER, 0.25, 0.25],
  ['above', SLIDER, 7, 1],
  ['below', SLIDER, -7, 0],
  ['minus zero', SLIDER, -0, 0],
  ['a number as text', SLIDER, ' 0.5 ', 0.5],
  ['a number with an exponent', SLIDER, '1e-1', 0.1],
  ['no number', SLIDER, 'x', undefined],
  ['nothing', SLIDER, '', undefined],
  ['nan as text', SLIDER, 'nan', undefined],
  ['a text that is not decimal', SLIDER, '0x1', undefined],
  ['infinity', SLIDER, Number.POSITIVE_INFINITY, undefined],
  ['a number too large for a float', SLIDER, '1e999', undefined],
  ['null', SLIDER, null, undefined],
  ['a list', SLIDER, [0.5], undefined],
  ['an object', SLIDER, { valueOf: () => 1 }, undefined],
  ['a range whose minimum is above its maximum', control('slider', { min: 2, max: 1 }), 1.5, undefined],
  ['a number without bounds', control('number'), -1e9, -1e9],
  ['a number with one bound', control('number', { max: 5 }), 9, 5],
  ['an option', DROPDOWN, 1, 1],
  ['the option None', DROPDOWN, null, null],
  ['another spelling of an option', DROPDOWN, '1', undefined],
  ['no option', DROPDOWN, 'z', undefined],
  ['true', control('checkbox'), true, true],
  ['0', control('checkbox'), 0, false],
  ['1', control('checkbox'), 1, true],
  ['"false", which Python calls true', control('checkbox'), 'false', undefined],
  ['text', control('text'), 'é\n', 'é\n'],
  ['a number for a text', control('text'), 12, '12'],
  ['half a character', control('text'), 'a\ud800', undefined],
  ['too long a text', control('text'), 'x'.repeat(100_001), undefined],
];

describe('[WG-6] the values that a control accepts', () => {
  it.each(SENT)('%s', (_what, descriptor, value, expected) => {
    expect(acceptValue(descriptor, value)).toEqual(expected === undefined ? null : { value: expected });
  });

  it('[WG-13] a stored value is not read as another kind', () => {
    expect(valueAfterEdit(SLIDER, 5)).toEqual({ value: 1 });
    expect(valueAfterEdit(SLIDER, '0.5')).toBe(null);
    expect(valueAfterEdit(control('text'), 0.5)).toBe(null);
    expect(valueAfterEdit(DROPDOWN, 'a')).toEqual({ value: 'a' });
  });

  it.each([
    [0.01, 2],
    [0.25, 2],
    [1, 0],
    [20, 0],
    [1e-7, 7],
    [2.5, 1],
  ])('a step of %d has %d digits', (step, digits) => expect(digitsOf(step)).toBe(digits));
});
