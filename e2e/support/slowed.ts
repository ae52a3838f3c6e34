import { test as base, type Page } from '@playwright/test';

/** How many times slower a page's processor is to seem: `CELLAR_TEST_SLOWED`, 1 where nobody asks. */
export const SLOWED = Math.max(1, Number(process.env['CELLAR_TEST_SLOWED'] ?? '1') || 1);

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
}

/** Playwright's test, on the machine of somebody who has less of one. */
export const test = base.extend({
  context: async ({ context }, use) => {
    if (SLOWED > 1) context.on('page', (page) => void slowDown(page));
    await use(context);
  },
  page: async ({ page }, use) => {
    if (SLOWED > 1) await slowDown(page);
    await use(page);
  },
});
