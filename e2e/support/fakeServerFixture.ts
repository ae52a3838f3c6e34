/** The Playwright fixture that starts fake servers for a test, and helpers that open their pages. */

import type { Page } from '@playwright/test';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import { expect } from './expect.ts';
import { FakeServer } from './fakeServer.ts';
import { test as base } from './warmTest.ts';

export type Serve = (body: NotebookBody) => Promise<{ fake: FakeServer; url: string }>;

/** Starts fake servers for a test and ends them with it. */
export const test = base.extend<{ serve: Serve }>({
  serve: async ({ started, servers }, use) => {
    await use(async (body) => {
      const fake = new FakeServer(body);
      const isFirst = started.origins.length === 0;
      // At the same URL the browser's cache still has the program from the test before.
      const origin = await fake.startAt(isFirst ? servers.fakePort : 0);
      if (isFirst) servers.fakePort = fake.port;
      started.origins.push(origin);
      started.ends.push(() => fake.close());
      return { fake, url: `${origin}/#/notebook/s1?path=${encodeURIComponent(fake.path)}` };
    });
  },
});

/** Puts values into the storage of a server's pages before the program runs. */
export async function storeBefore(
  page: Page,
  url: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await page.goto(new URL('/icon.svg', url).href);
  await page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, values);
}

/** Opens a notebook and waits until it is live and visible frames have their height, so that nothing moves. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.locator('[data-link=live]')).toBeVisible();
  await expect(page.locator('.header-name')).not.toBeEmpty();
  // A frame further down is made only when it comes near.
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
