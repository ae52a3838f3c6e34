import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLOAT_BYTES, writeFloat } from './floatText.ts';

const out = new DataView(new ArrayBuffer(FLOAT_BYTES + 2));

function shown(value: number): string {
  const end = writeFloat(out, 1, value);
  expect(end - 1).toBeLessThanOrEqual(FLOAT_BYTES);
  return Buffer.from(out.buffer, 1, end - 1).toString('latin1');
}

const LONG = process.env['LONG'] === '1';

describe('[VA-30] a double has the same text as in JavaScript', () => {
  const CASES = [
    0,
    -0,
    1,
    -1,
    0.1,
    0.5,
    0.25,
    1.5,
    1e-6,
    9.99999999999999e-7,
    1e-7,
    123456.789,
    1e15,
    1e21,
    1e22,
    999999999999999.9,
    0.1 + 0.2,
    1 / 3,
    2 / 3,
    5e-324,
    Number.MAX_VALUE,
    2 ** 53,
    2 ** 53 + 2,
    4.35,
    0.000123,
    99999999.99999999,
    0.001,
    0.0009999999999999998,
    1.0000000000000002,
    8.5e14,
    100.5,
    72057594037927.94,
  ];
  for (const value of CASES) {
    it(String(value), () => {
      expect(shown(value)).toBe(String(Object.is(value, -0) ? 0 : value));
      if (value !== 0) expect(shown(-value)).toBe(String(-value));
    });
  }

  it('NaN and infinities as in tables', () => {
    expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(shown)).toEqual([
      'NaN',
      'inf',
      '-inf',
    ]);
  });

  it('any double, and doubles with few digits', () => {
    const of = (arbitrary: fc.Arbitrary<number>) =>
      fc.assert(
        fc.property(arbitrary, (value) => {
          expect(shown(value)).toBe(String(value));
        }),
        { numRuns: LONG ? 1_000_000 : 5_000 },
      );
    of(fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)));
    of(fc.double({ min: 1e-6, max: 1e15, noNaN: true }));
    of(
      fc
        .tuple(fc.integer({ min: 1, max: 2 ** 40 }), fc.integer({ min: -18, max: 6 }))
        .map(([mantissa, power]) => Number(`${mantissa}e${power}`)),
    );
    of(fc.tuple(fc.maxSafeInteger(), fc.integer({ min: -60, max: 0 })).map(([n, p]) => n * 2 ** p || 1));
  });
});
