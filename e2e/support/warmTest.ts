/** Playwright's test with what all browser tests of a worker share: a page, and servers. */

import { test as base } from '@playwright/test';
import { SharedServers } from './sharedServers.ts';
import { WarmPage } from './warmPage.ts';

/** What a test started for its page. */
export interface Started {
  /** The origins of the servers whose pages the test may have loaded. */
  readonly origins: string[];
  /** Functions that end what was started, called after the page has been returned, the last one first. */
  readonly ends: (() => Promise<void>)[];
}

/**
 * `test.use({ newPage: true })` gives a new page. Every fixture of scope `worker` is here, because Playwright ends its
 * workers, browsers and all, between tests whose worker fixtures differ.
 */
export const test = base.extend<
  { started: Started; newPage: boolean },
  { warm: WarmPage; servers: SharedServers }
>({
  newPage: [false, { option: true }],
  warm: [
    async ({ browser }, use) => {
      const warm = new WarmPage(browser);
      await use(warm);
      await warm.close();
    },
    { scope: 'worker' },
  ],
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructured first argument
    async ({}, use) => {
      const servers = new SharedServers();
      await use(servers);
      await servers.dispose();
    },
    { scope: 'worker' },
  ],
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
    const passed = info.status === info.expectedStatus;
    await warm.giveBack(passed && started.origins.length > 0 ? started.origins : null);
  },
  context: async ({ page }, use) => {
    await use(page.context());
  },
});
