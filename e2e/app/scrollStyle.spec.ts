/**
 * Measures by a trace how many elements the browser restyles while the wheel scrolls a notebook of 500 cells. With a
 * fake server.
 */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { largeNotebook } from '../support/fakeServerSamples.ts';

const COUNT = 500;
/** The maximum of restyled elements per wheel turn. A CSS rule that also matches inside cells restyles over 700. */
const MOST = 200;

// A trace of the test runner would also read the whole page.
test.use({ trace: 'off' });

interface TraceEvent {
  readonly name: string;
  readonly args?: { readonly elementCount?: number };
}

/** The number of elements whose style the browser recalculates during an action. */
async function countRestyled(page: Page, act: () => Promise<void>): Promise<number> {
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

/** Resolves once the page has been idle for a while: cells near the viewport are highlighted and laid out. */
function waitUntilIdle(page: Page): Promise<void> {
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
  const position = (): Promise<number> => box.evaluate(({ scrollTop }) => scrollTop);
  const turn = async (way: number): Promise<void> => {
    const from = await position();
    await page.mouse.wheel(0, way);
    await expect.poll(position).toBe(from + way);
    // The measurement includes the end of scrolling, when the pointer can hover again.
    await expect(page.locator('[data-scroll-root][data-moving]')).toHaveCount(0);
    await waitUntilIdle(page);
  };
  await page.mouse.move(640, 400);
  await waitUntilIdle(page);
  // Cells that come near are highlighted and laid out once, so the last turn only scrolls.
  for (const way of [240, -240]) await turn(way);
  const restyled = await countRestyled(page, () => turn(240));
  expect(restyled).toBeGreaterThan(0);
  expect(restyled).toBeLessThan(MOST);
});
