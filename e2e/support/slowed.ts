import type { Page } from '@playwright/test';

/** How many times slower a page's processor should appear: `CELLAR_TEST_SLOWED`, default 1. */
export const SLOWED = Math.max(1, Number(process.env['CELLAR_TEST_SLOWED'] ?? '1') || 1);

/** Makes the page's processor seem slower. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
}
