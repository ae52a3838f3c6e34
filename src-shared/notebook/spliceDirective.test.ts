import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseAnnotations } from './annotations.ts';
import { readDirectives } from './directives.ts';
import {
  pinnedFetch,
  spliceDirective,
  withLineAfter,
  withLineChanged,
  withoutLine,
} from './spliceDirective.ts';

/** Source, key, argument → source. */
const ROWS: readonly (readonly [string, string, string | null, string])[] = [
  ['x', 'worker', 'gpu', '# @worker gpu\nx'],
  ['', 'worker', 'gpu', '# @worker gpu\n'],
  ['# @worker a\nx', 'worker', 'b', '# @worker b\nx'],
  ['# @worker a\n# hi\n# @Worker c\nx', 'worker', 'b', '# @worker b\n# hi\nx'],
  ['#@timeout 5\r\nx\r\n', 'timeout', '9', '# @timeout 9\r\nx\r\n'],
  ['# @name n\r\n# hi\r\nx', 'timeout', '9', '# @name n\r\n# @timeout 9\r\n# hi\r\nx'],
  ['# @name n', 'timeout', '9', '# @name n\n# @timeout 9'],
  ['\uFEFF# @name n\nx', 'name', 'm', '\uFEFF# @name m\nx'],
  ['\uFEFFx', 'name', 'm', '\uFEFF# @name m\nx'],
  ['\uFEFF# @name n\nx', 'name', null, '\uFEFFx'],
  ['# @a\r# @b\nx\r\n', 'b', 'y', '# @a\r# @b y\nx\r\n'],
  ['# @nocache\nx', 'nocache', '', '# @nocache\nx'],
  ['x', 'nocache', '', '# @nocache\nx'],
  ['# @nocache\nx', 'nocache', null, 'x'],
  ['x', 'nocache', null, 'x'],
  ['# @a\r# @b\n\nx', 'worker', 'gpu', '# @a\r# @b\n# @worker gpu\n\nx'],
  ['x\n# @name late', 'name', 'n', '# @name n\nx\n# @name late'],
];

describe('[AN-8] one directive is changed in place', () => {
  it.each(ROWS)('%j, @%s %j', (source, key, argument, expected) => {
    expect(spliceDirective(source, key, argument)).toBe(expected);
  });

  it.each(['env', 'mount', 'table', 'fetch', 'dataset', 'no name', ''])('refuses @%s', (key) => {
    expect(() => spliceDirective('x', key, 'a')).toThrow(RangeError);
  });

  it('refuses what one line cannot hold', () => {
    expect(() => spliceDirective('x', 'name', 'a\nb')).toThrow(RangeError);
  });

  test('sets the directive and keeps every other line, for any text', () => {
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const line = fc.constantFrom(
      '# @worker a',
      '#@timeout 3',
      '# note',
      '',
      'x = 1',
      '  # @worker b  ',
      '# @name q',
    );
    const source = fc
      .array(fc.tuple(line, end), { maxLength: 8 })
      .chain((lines) =>
        fc
          .tuple(fc.constantFrom('', 'tail', '# @worker z'), fc.constant(lines))
          .map(([last, all]) => all.map((pair) => pair.join('')).join('') + last),
      );
    fc.assert(
      fc.property(source, fc.constantFrom('gpu', null), (text, argument) => {
        const spliced = spliceDirective(text, 'worker', argument);
        expect(parseAnnotations(spliced, 'python').worker).toBe(argument);
        expect(readDirectives(spliced).filter(({ key }) => key === 'worker')).toHaveLength(
          argument === null ? 0 : 1,
        );
        const others = (all: string) => all.split(/\r\n|\r|\n/).filter((one) => !/@worker/.test(one));
        const lead = new Set(readDirectives(text).map((one) => one.line));
        if (![...lead].some((at) => at > 0 && /@worker/.test(text.split(/\r\n|\r|\n/)[at - 1] ?? ''))) {
          expect(others(spliced).join('|')).toContain(others(text).join('|').replace(/\|$/, ''));
        }
        expect(spliceDirective(spliced, 'worker', argument)).toBe(spliced);
      }),
    );
  });
});

describe('lines', () => {
  it('are added, removed and changed with their own ends', () => {
    expect(withLineAfter('a\r\nb', 1, 'n')).toBe('a\r\nn\r\nb');
    expect(withLineAfter('a', 1, 'n')).toBe('a\nn');
    expect(withoutLine('a\r\nb\nc', 2)).toBe('a\r\nc');
    expect(withLineChanged('a\r\nb\n', 1, (text) => `${text}!`)).toBe('a!\r\nb\n');
    expect(pinnedFetch('z  https://h/z refetch=never sha256=00', 'ab')).toBe(
      'z https://h/z sha256=ab refetch=never',
    );
  });
});
