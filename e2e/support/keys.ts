import type { Page } from '@playwright/test';

/**
 * Presses the keys of a sequence (`d d`) without waiting for the page in between: a busy page would take longer to
 * handle the first than the second may come late.
 */
export async function pressSequence(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}
