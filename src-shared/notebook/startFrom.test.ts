import { expect, test } from 'vitest';
import { withLoopStart } from './startFrom.ts';

const L1 = '# @loop max_iter=5 carry=state start_from=l1@iter=3';

/** A loop's source → that of a loop that continues from its iteration 3. */
const ROWS = [
  ['# @loop max_iter=5 carry=state\nstate = 1', `${L1}\nstate = 1`],
  [
    '# @name big\n# @timeout 9\n# @loop max_iter=5 carry=state until=x>1\nx = 1',
    `${L1}\n# @loop_until x>1\n# @timeout 9\nx = 1`,
  ],
  [
    '# @loop max_iter=5\n# @loop carry=state start_from=l0@iter=1\n# @loop_until a > b\ny',
    `${L1}\n# @loop_until a > b\ny`,
  ],
  ['# @loop max_iter=5 carry=state\r\nstate = 1\r\n', `${L1}\r\nstate = 1\r\n`],
  ['# @loop max_iter=5\nstate = 1', null],
  ['state = 1', null],
] as const;

test.each(ROWS)('[LO-5] %j started from an iteration', (source, expected) => {
  expect(withLoopStart(source, { cellId: 'l1', iteration: 3 })).toBe(expected);
});
