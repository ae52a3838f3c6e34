/**
 * Marks process and unit tests that only `npm run test:long` runs: tests whose behaviour other tests of a normal run cover, and
 * rows that repeat others of the same table with another size, language or place. `longOnly.ts` is the same for browser
 * tests.
 */
import { it, type TestAPI, type TestContext } from 'vitest';

export const IS_LONG = process.env['LONG'] === '1';

/** Replaces `it` in a normal run and registers no test. */
const LEFT_OUT = Object.assign(() => undefined, { each: () => () => undefined });

/** `it`, as far as tests that a normal run leaves out need it. */
export type LongTest = Pick<TestAPI, 'each'> &
  ((name: string, test: (context: TestContext) => Promise<void> | void) => void);

/**
 * `it` for a test that a normal run leaves out: `longTest('e2e/contract/cli.test.ts')('[CL-1] …', async () => …)`.
 * @param heldBy paths from the project's root, of tests in a normal run that cover the behaviour [AR-55]
 */
export function longTest(...heldBy: readonly [string, ...string[]]): LongTest {
  return IS_LONG || heldBy.length === 0 ? it : (LEFT_OUT as unknown as LongTest);
}

/**
 * The rows of a table that a run tests: all in a long run, and at least one in a normal run [AR-56].
 * @param isKept whether a normal run has this row, by the row and its index
 */
export function rowsOfRun<Row>(
  rows: readonly Row[],
  isKept: (row: Row, index: number) => boolean,
  isLong = IS_LONG,
): readonly Row[] {
  const kept = rows.filter(isKept);
  if (kept.length === 0) throw new Error('no row of this table is left to a normal run');
  return isLong ? rows : kept;
}
