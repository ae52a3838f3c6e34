import type { Page } from '@playwright/test';

/**
 * Presses the keys of a sequence (`d d`) without waiting for the page in between. A busy page could take longer to
 * handle the first key than the time limit for the second one.
 */
export async function pressSequence(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}
