import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, HIDDEN, hideInRest, NOTHING_HIDDEN } from './redactor.ts';

const runs = process.env['LONG'] === '1' ? 20_000 : 500;
const HARD = 'p"a\\ss\'w<ö>&rd';

const spelled: readonly [string, string][] = [
  ['as typed', `x ${HARD} y`],
  ['in JSON', `{"k": ${JSON.stringify(HARD)}}`],
  ['in JSON with only ASCII characters', '{"k": "p\\"a\\\\ss\'w<\\u00f6>&rd"}'],
  ['in a repr', "'p\"a\\\\ss\\'w<ö>&rd'"],
  ['in a URL', `https://me:${encodeURIComponent(HARD)}@db`],
  ['in CSV', `a,"${HARD.replaceAll('"', '""')}",b`],
  ['in HTML', '<b>p&quot;a\\ss&#x27;w&lt;ö&gt;&amp;rd</b>'],
  ['in other HTML', '<b>p&quot;a\\ss&#39;w&lt;ö&gt;&amp;rd</b>'],
];

describe('[SE-12] hidden values', () => {
  it.each(['', 'x', 'xy', 'user:', 'ä'])(
    'in base64 after %j, in both alphabets, before any text',
    (before) => {
      for (const after of ['', 'z', 'zz', 'zzz']) {
        const text = Buffer.from(before + HARD + after).toString('base64');
        for (const spelled of [text, text.replaceAll('+', '-').replaceAll('/', '_')]) {
          const hidden = createRedactor([HARD]).text(`Authorization: Basic ${spelled}`);
          expect(hidden).toContain(HIDDEN);
          // The rest reveals no byte of the value.
          const [head = '', rest = ''] = hidden.slice('Authorization: Basic '.length).split(HIDDEN);
          const padded = Buffer.from(head.slice(0, head.length - (head.length % 4)), 'base64').toString(
            'utf8',
          );
          expect(before.startsWith(padded)).toBe(true);
          expect(rest.length).toBeLessThanOrEqual(Math.ceil((after.length * 8) / 6) + 4);
        }
      }
    },
  );

  it('in base64 do not affect other base64', () => {
    const other = Buffer.from('nothing of it is secret').toString('base64');
    expect(createRedactor([HARD]).text(other)).toBe(other);
  });

  it.each(spelled)('%s', (_how, text) => {
    const hidden = createRedactor([HARD]).text(text);
    expect(hidden).toContain(HIDDEN);
    expect(hidden).not.toMatch(/ss.*w.*rd/);
  });

  it.each([
    ['shorter than eight characters stay', ['1234567', ''], 'a 1234567 b', 'a 1234567 b'],
    ['of eight characters are hidden', ['12345678'], 'a 12345678 b 12345678', `a ${HIDDEN} b ${HIDDEN}`],
    ['the longer of two that begin together', ['abcdefgh', 'abcdefghij'], 'abcdefghijk', `${HIDDEN}k`],
    [
      'the first of two that overlap, completely',
      ['abcdefgh', 'ghijklmn'],
      'abcdefghijklmn',
      `${HIDDEN}ijklmn`,
    ],
    ['are not patterns', ['.*(a|b)+?[c]'], 'axxxxxxxxxxx .*(a|b)+?[c]', `axxxxxxxxxxx ${HIDDEN}`],
    ['with space around, also without', ['  abcdefgh '], '"abcdefgh"', `"${HIDDEN}"`],
    ['over several lines', ['-----\nabc\n-----'], 'k=-----\nabc\n-----.', `k=${HIDDEN}.`],
    ['half a character', ['\ud800abcdefg'], 'x\ud800abcdefg', `x${HIDDEN}`],
  ])('%s', (_what, values, text, expected) => {
    expect(createRedactor(values).text(text)).toBe(expected);
  });

  it.each([
    ['whose beginning is missing', 'fghijkl rest', `${HIDDEN} rest`],
    ['whose beginning is complete', 'abcdefghijkl rest', `${HIDDEN} rest`],
    ['of which little is left', 'jkl rest', 'jkl rest'],
    ['that appears further on', 'x fghijkl', 'x fghijkl'],
  ])('%s, where text was cut off', (_what, text, expected) => {
    expect(hideInRest(text, createRedactor(['abcdefghijkl']))).toBe(expected);
  });

  it('without a match, text is unchanged', () => {
    expect(createRedactor(['short', ''])).toBe(NOTHING_HIDDEN);
  });
});

/** A small alphabet, so that values overlap and contain each other. */
const word = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '"', 'ö'), minLength, maxLength });

describe('[SE-12] hidden values in a stream', () => {
  it('are hidden however it is split, and nothing else is changed', () => {
    fc.assert(
      fc.property(
        fc.array(word(8, 12), { minLength: 1, maxLength: 4 }),
        fc.array(fc.oneof(word(0, 9), fc.nat(3)), { maxLength: 12 }),
        fc.array(fc.nat(200), { maxLength: 12 }),
        (values, parts, cuts) => {
          const text = parts.map((part) => (typeof part === 'string' ? part : (values[part] ?? ''))).join('');
          const redactor = createRedactor(values);
          const stream = redactor.stream();
          const places = [...cuts.filter((at) => at < text.length).sort((a, b) => a - b), text.length];
          let from = 0;
          let output = '';
          for (const to of places) {
            output += stream.push(text.slice(from, to));
            from = to;
          }
          output += stream.end();
          expect(output).toBe(redactor.text(text));
        },
      ),
      { numRuns: runs },
    );
  });

  it('only delay a possible beginning of a value', () => {
    const stream = createRedactor(['abcdefgh']).stream();
    expect(['x', 'yab', 'c', 'x', 'abcdefg', 'h!'].map((piece) => stream.push(piece))).toEqual([
      'x',
      'y',
      '',
      'abcx',
      '',
      `${HIDDEN}!`,
    ]);
    expect([stream.push('abc'), stream.end(), stream.push('defg'), stream.end()]).toEqual([
      '',
      'abc',
      'defg',
      '',
    ]);
  });
});
