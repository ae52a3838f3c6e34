import { test as base } from '@playwright/test';
import { WarmPage } from './warmPage.ts';

/** What a test started for its page. */
export interface Started {
  /** The origins of the servers whose pages the test may have loaded. */
  readonly origins: string[];
  /** Functions that end what was started, called after the page has been returned, the last one first. */
  readonly ends: (() => Promise<void>)[];
}

/** Playwright's test, with the page that all tests of a worker share: `test.use({ newPage: true })` gives a new one. */
export const test = base.extend<{ started: Started; newPage: boolean }, { warm: WarmPage }>({
  newPage: [false, { option: true }],
  warm: [
    async ({ browser }, use) => {
      const warm = new WarmPage(browser);
      await use(warm);
      await warm.close();
    },
    { scope: 'worker' },
  ],
  // Playwright requires a destructured first argument, also if no fixture is used.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  started: async ({}, use) => {
    const started: Started = { origins: [], ends: [] };
    await use(started);
    for (const end of started.ends.reverse()) await end();
  },
  // The page depends on `started`, so that the servers still answer while it is reset for the next test.
  page: async ({ started, warm, viewport, newPage, permissions }, use, info) => {
    if (newPage) await warm.giveBack(null);
    const page = await warm.take(viewport ?? { width: 1280, height: 800 });
    if (permissions !== undefined) await page.context().grantPermissions(permissions);
    await use(page);
    const [origin, ...others] = new Set(started.origins);
    const known = origin !== undefined && others.length === 0;
    const passed = info.status === info.expectedStatus;
    await warm.giveBack(known && passed ? origin : null);
  },
  context: async ({ page }, use) => {
    await use(page.context());
  },
});
