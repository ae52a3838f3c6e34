import { expect, it } from 'vitest';
import { casesOf, type ReportLine } from './testReport.ts';

const testFile = 'cells/a1.test.py';
const begin = (name: string): ReportLine => ({ event: 'begin', name, nodeid: `${testFile}::${name}` });
const end = (name: string, message = ''): ReportLine => ({
  event: 'end',
  name,
  nodeid: `${testFile}::${name}`,
  message,
  outcome: message === '' ? 'passed' : 'failed',
});
const collected = (count: number): ReportLine => ({ event: 'collected', count });
const done: ReportLine = { event: 'done', exit: 0 };

const ROWS: readonly (readonly [string, readonly ReportLine[], string | null, readonly string[]])[] = [
  [
    '[CT-2] tests in order',
    [collected(2), begin('a'), end('a'), begin('b'), end('b', 'no'), done],
    null,
    ['a passed ', 'b failed no'],
  ],
  [
    '[CT-2] one error for tests that cannot be collected',
    [{ event: 'collection_error', message: 'bad', line: 1 }, done],
    null,
    ['<collection> error bad'],
  ],
  [
    '[CT-2] none found',
    [collected(0), done],
    null,
    [
      '<collection> error No tests were found in cells/a1.test.py. A test is a function whose name begins with test_.',
    ],
  ],
  [
    '[CT-3] cut short',
    [collected(3), begin('a'), end('a'), begin('b')],
    'It ended.',
    ['a passed ', 'b error It ended.\n\n1 test after it did not run.'],
  ],
  ['[CT-3] before the first', [], 'It ended.', ['<collection> error It ended.']],
  [
    '[CT-3] interrupted',
    [collected(1), begin('a'), done],
    null,
    ['a error The tests were interrupted here.'],
  ],
  [
    '[CT-3] pytest itself failed',
    [collected(1), { event: 'broken', message: 'INTERNALERROR' }, done],
    null,
    ['<collection> error INTERNALERROR\n\n1 test after it did not run.'],
  ],
];

it.each(ROWS)('%s', (_name, lines, broken, expected) => {
  const cases = casesOf(lines, { testFile, broken });
  expect(cases.map(({ name, outcome, message }) => `${name} ${outcome} ${message}`)).toEqual(expected);
});

it('[CT-3] the stored part of a run has limits, and failures come first', () => {
  const many = Array.from({ length: 3_000 }, (_, i) => end(`t${i}`, i % 2 === 0 ? '' : 'x'.repeat(20_000)));
  const cases = casesOf([...many, done], { testFile, broken: null });
  expect(cases).toHaveLength(2_000);
  expect(cases.slice(0, 1_500).every(({ outcome }) => outcome === 'failed')).toBe(true);
  expect(cases.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThan(1_200_000);
});
