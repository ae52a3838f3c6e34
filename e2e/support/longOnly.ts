/**
 * Marks browser tests that only `npm run test:long` runs. A normal run leaves out a test whose behaviour other tests of
 * that run cover, or that repeats one of them with another theme, width, row or size. `playwright.config.ts` filters by
 * the tag.
 */

const TAG = '@long';

/** Matches tests that a normal run leaves out; null in a long run. */
export const LEFT_OUT: RegExp | null = process.env['LONG'] === '1' ? null : new RegExp(`${TAG}\\b`);

interface LongDetails {
  readonly tag?: string;
  readonly annotation?: { readonly type: string; readonly description: string };
}

/**
 * The details of a browser test that a normal run leaves out: `test('…', longOnly('e2e/contract/cli.test.ts'), …)`.
 * @param heldBy paths from the project's root, of tests in a normal run that cover the behaviour [AR-48]
 */
export function longOnly(...heldBy: readonly [string, ...string[]]): LongDetails {
  return { tag: TAG, annotation: { type: 'in a normal run', description: heldBy.join(', ') } };
}

/**
 * The details of a row of a table of tests, of which a normal run has only some rows.
 * @param isKept whether a normal run has this row
 * @param file the file of the table, which has the other rows
 */
export function longUnless(isKept: boolean, file: string): LongDetails {
  return isKept ? {} : longOnly(file);
}
