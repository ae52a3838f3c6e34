import fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge3 } from './merge3.ts';

const text = (...lines: string[]) => lines.join('\n');
const BASE = text('import a', '', 'x = 1', 'y = 2', '', 'print(x)');

test.each([
  ['nothing changed', BASE, BASE, BASE],
  ['only mine', `${BASE}\n# end`, BASE, `${BASE}\n# end`],
  ['only theirs', BASE, `# top\n${BASE}`, `# top\n${BASE}`],
  ['top and end', `${BASE}\n# end`, `# top\n${BASE}`, `# top\n${BASE}\n# end`],
  ['the same change twice', `${BASE}\n# end`, `${BASE}\n# end`, `${BASE}\n# end`],
  [
    'lines apart',
    BASE.replace('import a', 'import b'),
    BASE.replace('y = 2', 'y = 3'),
    BASE.replace('import a', 'import b').replace('y = 2', 'y = 3'),
  ],
  [
    'theirs removed lines',
    `${BASE}\n# end`,
    BASE.replace('import a\n\n', ''),
    `${BASE}\n# end`.replace('import a\n\n', ''),
  ],
  // An editor ends a file with a line break; text typed after the last line is independent of it.
  ['their editor ends the file', `${BASE}\n# end`, `${BASE}\n`, `${BASE}\n# end\n`],
  ['a line called constructor', text('constructor', 'a', 'b'), text('a', 'b', '__proto__'), null],
])('[NF-50] %s', (_name, mine, theirs, expected) => {
  const base = expected === null ? text('a', 'b') : BASE;
  const expectedText = expected ?? text('constructor', 'a', 'b', '__proto__');
  expect(merge3({ base, mine, theirs })).toEqual({ kind: 'clean', text: expectedText });
});

test.each([
  ['the same line', BASE.replace('x = 1', 'x = 2'), BASE.replace('x = 1', 'x = 3')],
  ['touching lines', BASE.replace('x = 1', 'x = 2'), BASE.replace('y = 2', 'y = 3')],
  ['both add at one place', `${BASE}\n# mine`, `${BASE}\n# theirs`],
  ['a change of what they removed', BASE.replace('x = 1', 'x = 2'), 'import a'],
])('[NF-51] %s is a conflict, and the marked text has both', (_name, mine, theirs) => {
  const merged = merge3({ base: BASE, mine, theirs });
  expect(merged.kind).toBe('conflict');
  if (merged.kind !== 'conflict') return;
  for (const line of [...mine.split('\n'), ...theirs.split('\n')]) expect(merged.marked).toContain(line);
  expect(merged.marked).toMatch(/<<<<<<< mine\n[\s\S]*\n=======\n[\s\S]*>>>>>>> theirs/);
});

test('[NF-51] texts with nothing in common are a conflict at a bounded cost', () => {
  const lines = (word: string) => Array.from({ length: 100_000 }, (_, at) => `${word} ${at}`).join('\n');
  expect(merge3({ base: lines('o'), mine: lines('a'), theirs: lines('b') }).kind).toBe('conflict');
});

const doc = fc.array(fc.constantFrom('a', 'b', '', 'constructor'), { maxLength: 8 });
/** Lines inserted and deleted, as an editor does. */
const edits = fc.array(
  fc.record({ at: fc.nat(8), drop: fc.nat(2), put: fc.array(fc.nat(), { maxLength: 2 }) }),
  { maxLength: 3 },
);
const edited = (
  lines: readonly string[],
  side: string,
  todo: typeof edits extends fc.Arbitrary<infer T> ? T : never,
) =>
  todo.reduce(
    (now, { at, drop, put }) =>
      now.toSpliced(Math.min(at, now.length), drop, ...put.map((n) => `${side}${n}`)),
    [...lines],
  );

test('[NF-50] any merge without a conflict has every new line of both sides, and the sides may be swapped', () => {
  fc.assert(
    fc.property(doc, edits, edits, fc.boolean(), fc.boolean(), (o, left, right, endA, endB) => {
      const base = o.join('\n');
      const mine = edited(o, 'm', left).join('\n') + (endA ? '\n' : '');
      const theirs = edited(o, 't', right).join('\n') + (endB ? '\n' : '');
      const one = merge3({ base, mine, theirs });
      const other = merge3({ base, mine: theirs, theirs: mine });
      expect(one.kind).toBe(other.kind);
      const whole = one.kind === 'clean' ? one.text : one.marked;
      if (one.kind === 'clean' && other.kind === 'clean') expect(one.text).toBe(other.text);
      const has = whole.split('\n');
      for (const line of [...mine.split('\n'), ...theirs.split('\n')]) {
        if (/^[mt]\d/.test(line)) expect(has).toContain(line);
      }
    }),
    { numRuns: process.env['LONG'] === '1' ? 20_000 : 400 },
  );
});
