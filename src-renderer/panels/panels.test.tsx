/** Moving the keyboard focus between the regions of the window with F6, against a fake server. */

import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

test('[WI-62] F6 cycles through the regions', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  await page.locator('[data-cell-id=daily] .bar').click();
  await expect(page.locator('[data-cell-id=daily]')).toBeFocused();
  const region = () =>
    page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'));
  const round = ['right', 'status', 'header', 'rail', 'left', 'main'];
  for (const name of round) {
    await page.keyboard.press('F6');
    await expect.poll(region).toBe(name);
  }
  await expect(page.locator('[data-cell-id=daily]')).toBeFocused();
  await page.keyboard.press('Shift+F6');
  await expect.poll(region).toBe('left');
});
