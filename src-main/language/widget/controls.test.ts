import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepOf } from '../../../src-shared/notebook/widgets.ts';
import { analyzeCell, createAnalyzer } from '../analyzeCell.ts';
import { loadPythonParser } from '../python/syntax.ts';
import { readWidget } from './readWidget.ts';

const parser = await loadPythonParser();
const analyzer = await createAnalyzer();
const read = (source: string) => readWidget(parser, source);

/** name, kind, params, default, and the JSON text the default is stored as. */
type Row = readonly [string, string, Record<string, unknown>, unknown, string];

const DECLARATIONS: readonly (readonly [string, readonly Row[]])[] = [
  [
    "# @live\nalpha = slider(0, 1, default=0.5)\nn = number(10)\nkind = dropdown(['a', 'b'])\non = checkbox()",
    [
      ['alpha', 'slider', { min: 0, max: 1, default: 0.5, step: 0.01 }, 0.5, '0.5'],
      ['n', 'number', { default: 10 }, 10, '10'],
      ['kind', 'dropdown', { options: ['a', 'b'] }, 'a', '"a"'],
      ['on', 'checkbox', {}, false, 'false'],
    ],
  ],
  ['a = slider(0, 100)', [['a', 'slider', { min: 0, max: 100, step: 1 }, 0, '0']]],
  ['a = slider(0.0, 100)', [['a', 'slider', { min: 0, max: 100, step: 1 }, 0, '0.0']]],
  ['a = slider(max=5, min=-5, step=2)', [['a', 'slider', { max: 5, min: -5, step: 2 }, -5, '-5']]],
  ['a = number()', [['a', 'number', {}, null, 'null']]],
  [
    'a = number(1_000)\nb = number(0x1f)\nc = number(1e3)',
    [
      ['a', 'number', { default: 1000 }, 1000, '1000'],
      ['b', 'number', { default: 31 }, 31, '31'],
      ['c', 'number', { default: 1000 }, 1000, '1000.0'],
    ],
  ],
  ['t = text(\'a\' "b\\n")', [['t', 'text', { default: 'ab\n' }, 'ab\n', '"ab\\n"']]],
  ['t = text()', [['t', 'text', {}, '', '""']]],
  ['c = checkbox(True, label="Go")', [['c', 'checkbox', { default: true, label: 'Go' }, true, 'true']]],
  [
    'd = dropdown((1.0, 2, None, True), default=2)',
    [['d', 'dropdown', { options: [1, 2, null, true], default: 2 }, 2, '2']],
  ],
  ['d = dropdown([1.0, 2])', [['d', 'dropdown', { options: [1, 2] }, 1, '1.0']]],
  // All other statements are ignored.
  [
    'import os\nx = 3\nprint("hi")\ny.z = slider(0, 1)\na, b = slider(0, 1)\nif x:\n    c = slider(0, 1)\nm.slider(0, 1)',
    [],
  ],
  [
    'a = slider(0, 1); b = checkbox()',
    [
      ['a', 'slider', { min: 0, max: 1, step: 0.01 }, 0, '0'],
      ['b', 'checkbox', {}, false, 'false'],
    ],
  ],
  ['', []],
];

/** Source, and its fault: code, the line the editor marks, message. */
const FAULTS: readonly (readonly [string, string, number | null, RegExp])[] = [
  ['a = slyder(0, 1)', 'widget_invalid', null, /Line 1: `slyder` is not a control/],
  ['\na = slider(0, 1)\na = checkbox()', 'widget_invalid', null, /Line 3: `a` is declared twice/],
  ['a = slider(lo, 1)', 'widget_invalid', null, /`min`: `lo` is not a literal value/],
  ['a = slider(0, 1 + 1)', 'widget_invalid', null, /`max`: `1 \+ 1` is not a literal value/],
  ['a = text(f"x")', 'widget_invalid', null, /is not a plain text/],
  ['a = text(b"x")', 'widget_invalid', null, /is not a plain text/],
  ['a = slider(0, 1, 2)', 'widget_invalid', null, /takes `min` and `max` by position/],
  ['a = slider(0, 1, **kw)', 'widget_invalid', null, /\*\*/],
  ['a = slider(*r)', 'widget_invalid', null, /\*/],
  ['a = slider(0, 1, min=3)', 'widget_invalid', null, /`min` is given twice/],
  ['a = slider(0)', 'widget_invalid', null, /smallest and largest/],
  ['a = slider("0", "1")', 'widget_invalid', null, /must be a number/],
  ['a = slider(0, 1, step=0)', 'widget_invalid', null, /larger than 0/],
  ['a = number(1e999)', 'widget_invalid', null, /too large/],
  ['a = number(12345678901234567890)', 'widget_invalid', null, /outside ±/],
  ['a = number(2j)', 'widget_invalid', null, /complex/],
  ['a = checkbox(1)', 'widget_invalid', null, /True or False/],
  ['a = text(1)', 'widget_invalid', null, /text in quotes/],
  ['a = dropdown([])', 'widget_invalid', null, /list of options/],
  ['a = dropdown("ab")', 'widget_invalid', null, /list of options/],
  ['a = dropdown([[1]])', 'widget_invalid', null, /cannot be a list/],
  [
    'a = dropdown([x for x in y])',
    'widget_invalid',
    null,
    /is not a literal value: a control takes numbers, text, True, False, None and lists of them/,
  ],
  ['a = slider(0,', 'widget_invalid', null, /declarations are not valid/],
  ['\na = slider(1, 1)', 'widget_bad_range', 2, /from 1 to 1/],
  ['a = slider(5, 1)', 'widget_bad_range', 1, /from 5 to 1/],
  ['a = slider(0, 1, default=2)', 'widget_default_out_of_range', 1, /starts at 2/],
  ['a = number(7, max=5)', 'widget_default_out_of_range', 1, /starts at 7/],
  ["a = dropdown(['a'], default='b')", 'widget_default_not_an_option', 1, /starts with "b"/],
  ['a = slider(0, 1, setp=0.1)', 'widget_argument_unknown', 1, /no `setp`/],
];

describe('the controls of a widget cell', () => {
  it.each(DECLARATIONS)('[WG-1] [WG-2] %j', (source, rows) => {
    const { controls, faults } = read(source);
    expect(faults).toEqual([]);
    expect(controls.map((c) => [c.name, c.kind, c.params, c.default, c.defaultText])).toEqual(rows);
    const { defines, references } = analyzeCell(analyzer, { language: 'widget', source });
    expect({ defines, references }).toEqual({ defines: rows.map(([name]) => name), references: [] });
  });

  it.each(FAULTS)('[WG-4] [WG-5] %j is %s', (source, code, line, message) => {
    const { diagnostics } = analyzeCell(analyzer, { language: 'widget', source });
    expect(diagnostics.map((one) => [one.code, one.line, one.severity])).toEqual([[code, line, 'warn']]);
    expect(diagnostics[0]?.message).toMatch(message);
  });

  it('[WG-1] never throws, and defines no name twice', () => {
    const piece = fc.constantFrom(
      'a',
      '=',
      'slider',
      '(',
      ')',
      '0',
      ',',
      '[',
      ']',
      '"',
      "'",
      '\n',
      '-',
      '.5',
      '**',
      'b',
      '#',
      '\\',
      '1e9',
      'é',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { defines } = analyzeCell(analyzer, { language: 'widget', source: pieces.join('') });
        expect(new Set(defines).size).toBe(defines.length);
      }),
    );
    const deep = `a = text(${'('.repeat(20_000)}1${')'.repeat(20_000)})`;
    expect(analyzer.python.readWidget(deep).controls).toEqual([]);
  });

  it('[WG-1] reads back any string and any number', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (text, value) => {
          // An integer that no float represents exactly is refused, so it is written as a float.
          const isFloat =
            Number.isInteger(value) && !Number.isSafeInteger(value) && !String(value).includes('e');
          const number = isFloat ? `${value}.0` : String(value);
          const { controls } = read(`t = text(${JSON.stringify(text)})\nn = number(${number})`);
          expect(controls.map((control) => control.default)).toEqual([text, value === 0 ? 0 : value]);
        },
      ),
      { examples: [['', 2 ** 53]] },
    );
  });
});

describe('[WG-3] the step of a slider', () => {
  it.each([
    [0, 1, 0.01],
    [0, 1.4, 0.01],
    [0, 1.6, 0.02],
    [0, 3.4, 0.02],
    [0, 3.6, 0.05],
    [0, 7.4, 0.05],
    [0, 7.6, 0.1],
    [0, 10, 0.1],
    [0, 100, 1],
    [-500, 500, 10],
    [0, 1e-9, 1e-11],
    [0, 1e300, 1e298],
    [-1e308, 1e308, 2e306],
    [1, 1, null],
    [2, 1, null],
  ])('from %d to %d is %d', (min, max, step) => {
    expect(stepOf(min, max)).toBe(step);
  });
});
