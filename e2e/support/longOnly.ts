/**
 * Browser tests that only `npm run test:long` runs. A normal run leaves out a test whose behaviour other tests of that run
 * hold, or that repeats one of them with another theme, width, row or size. `playwright.config.ts` filters by the tag.
 */

const TAG = '@long';

/** What a normal run leaves out; null: nothing, it is the long one. */
export const LEFT_OUT: RegExp | null = process.env['LONG'] === '1' ? null : new RegExp(`${TAG}\\b`);

interface LongDetails {
  readonly tag?: string;
  readonly annotation?: { readonly type: string; readonly description: string };
}

/**
 * The details of a browser test that a normal run leaves out: `test('…', longOnly('e2e/contract/cli.test.ts'), …)`.
 * @param heldBy paths from the project's root, of tests in a normal run that hold the behaviour [AR-48]
 */
export function longOnly(...heldBy: readonly [string, ...string[]]): LongDetails {
  return { tag: TAG, annotation: { type: 'in a normal run', description: heldBy.join(', ') } };
}

/**
 * For a table of tests: the normal run keeps some of its rows, in the same file.
 * @param isKept whether the normal run has this row
 * @param file the file of the table, where the other rows are
 */
export function longUnless(isKept: boolean, file: string): LongDetails {
  return isKept ? {} : longOnly(file);
}
