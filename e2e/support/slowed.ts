/** Slows the processor of a browser page down, to run a test like on a slow machine. */

import type { Page } from '@playwright/test';

/** The factor by which a page's processor is slowed down: `CELLAR_TEST_SLOWED`, by default 1. */
export const SLOWED = Math.max(1, Number(process.env['CELLAR_TEST_SLOWED'] ?? '1') || 1);

/** Slows the page's processor down by SLOWED. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
}
