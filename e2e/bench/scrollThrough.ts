import type { Locator } from '@playwright/test';

/**
 * Scrolls each output of a page that was opened at `startedAt` into view and waits until it is drawn.
 * @returns when the first and the last of them were drawn, in ms after `startedAt`
 */
export async function scrollThrough(
  count: number,
  {
    startedAt,
    output,
    drawn,
  }: {
    readonly startedAt: number;
    readonly output: (at: number) => Locator;
    /** An element that exists only after the output is drawn. */
    readonly drawn: (at: number) => Locator;
  },
): Promise<{ readonly first: number; readonly last: number }> {
  let first = Number.NaN;
  for (let at = 0; at < count; at += 1) {
    await output(at).scrollIntoViewIfNeeded();
    await drawn(at).waitFor({ timeout: 120_000 });
    if (at === 0) first = performance.now() - startedAt;
  }
  return { first, last: performance.now() - startedAt };
}
