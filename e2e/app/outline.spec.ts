/** The outline panel in a browser: states of cells, and selection by click and keyboard. Against a fake server. */

import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-60] the outline shows every cell with its status, and a click or key goes to the cell', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  const outline = page.getByRole('listbox', { name: 'Outline' });
  await expect(outline.getByRole('option')).toHaveText([
    'Bike trips, 2025',
    'tripscached',
    'dailystale',
    'lossnot run',
    'summary',
    'weather_apifailed',
  ]);
  await outline.getByRole('option', { name: 'daily' }).click();
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('aria-current', 'true');
  await outline.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[data-cell-id=fit]')).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=fit]')).toBeFocused();
  fake.status('fit', 'running');
  await expect(outline.getByRole('option', { name: 'loss' }).locator('[data-status=running]')).toBeVisible();
});
