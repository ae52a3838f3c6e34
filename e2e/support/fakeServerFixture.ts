import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import { FakeServer } from './fakeServer.ts';
import { test as base } from './slowed.ts';

/** Starts fake servers for a test and ends them with it. */
export const test = base.extend<{
  serve: (body: NotebookBody) => Promise<{ fake: FakeServer; url: string }>;
}>({
  // Playwright wants the first argument taken apart, also where nothing is needed.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  serve: async ({}, use) => {
    const started: FakeServer[] = [];
    await use(async (body) => {
      const fake = new FakeServer(body);
      started.push(fake);
      const origin = await fake.start();
      return { fake, url: `${origin}/#/notebook/s1?path=${encodeURIComponent(fake.path)}` };
    });
    for (const fake of started) await fake.close();
  },
});
/** Opens a notebook and waits until it is live and the frames in sight have their height: nothing moves any more. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.locator('[data-link=live]')).toBeVisible();
  await expect(page.locator('.header-name')).not.toBeEmpty();
  // One further down is made as it comes near.
  const unsized = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('iframe[style="height: 40px;"], .output-frame-ahead')].filter(
          (frame) => frame.getBoundingClientRect().top < innerHeight,
        ).length,
    );
  await expect.poll(unsized).toBe(0);
}

export { expect };
