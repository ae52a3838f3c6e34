import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { largeNotebook } from '../support/fakeServerSamples.ts';

const COUNT = 500;
/** The most elements whose style a wheel turn may recalculate. With a rule that matches into the cells it is 700 here, and grows. */
const MOST = 200;

// A trace that the test runner takes looks through the whole page as well.
test.use({ trace: 'off' });

interface TraceEvent {
  readonly name: string;
  readonly args?: { readonly elementCount?: number };
}

/** How many elements the browser works the style of out while something is done. */
async function styledDuring(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await act();
  const { traceEvents }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(
    (await browser.stopTracing()).toString('utf8'),
  );
  return traceEvents
    .filter(({ name }) => name === 'UpdateLayoutTree')
    .reduce((sum, { args }) => sum + (args?.elementCount ?? 0), 0);
}

/** Resolves once the page has had nothing to do for a while: what came near is coloured and awake. */
function settled(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let calm = 0; calm < 5; ) {
      const before = performance.now();
      await new Promise((idle) => requestIdleCallback(idle, { timeout: 2_000 }));
      calm = performance.now() - before < 60 ? calm + 1 : 0;
    }
  });
}

test('[WI-78] a wheel turn recalculates no styles of the cells it moves', async ({ page, serve }) => {
  const { url } = await serve(largeNotebook(COUNT, 8));
  await openPage(page, url);
  await expect(page.locator('.place.resting')).toHaveCount(COUNT);
  await expect(page.locator('.rest-group:not(.resting)')).toHaveCount(0);
  const box = page.locator('[data-scroll-root]');
  const scrolled = (): Promise<number> => box.evaluate(({ scrollTop }) => scrollTop);
  const turn = async (way: number): Promise<void> => {
    const from = await scrolled();
    await page.mouse.wheel(0, way);
    await expect.poll(scrolled).toBe(from + way);
    // Includes the end of scrolling, when the pointer can hover again.
    await expect(page.locator('[data-scroll-root][data-moving]')).toHaveCount(0);
    await settled(page);
  };
  await page.mouse.move(640, 400);
  await settled(page);
  // What comes near is coloured and woken once; the second time through, the turning itself is all there is.
  for (const way of [240, -240]) await turn(way);
  const styled = await styledDuring(page, () => turn(240));
  expect(styled).toBeGreaterThan(0);
  expect(styled).toBeLessThan(MOST);
});
