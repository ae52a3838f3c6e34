/** The panels at the sides of the window in a browser: opening, resizing, narrow windows. Against a fake server. */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-62] panels open, close and are resized, and keep their size', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  await rail(page, 'Files').click();
  await expect(panel(page, 'Files')).toBeVisible();
  const edge = page.getByRole('separator', { name: 'Width of the left panel' });
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuenow', '216');
  const box = await edge.boundingBox();
  if (box === null) throw new Error('the edge has no place');
  await page.mouse.move(box.x, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 60, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect(edge).toHaveAttribute('aria-valuenow', '276');
  await page.getByRole('button', { name: 'Inspector', exact: true }).click();
  await expect(panel(page, 'Inspector')).toHaveCount(0);
  await page.reload();
  await expect(panel(page, 'Files')).toBeVisible();
  await expect(panel(page, 'Inspector')).toHaveCount(0);
  await expect(page.getByRole('separator', { name: 'Width of the left panel' })).toHaveAttribute(
    'aria-valuenow',
    '276',
  );
  await rail(page, 'Files').click();
  await expect(panel(page, 'Files')).toHaveCount(0);
});

test('[WI-65] in a narrow window a panel is over the cells, takes the focus and returns it', async ({
  page,
  serve,
}) => {
  await page.setViewportSize({ width: 900, height: 800 });
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await rail(page, 'Outline').click();
  await expect(panel(page, 'Outline')).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region')),
    )
    .toBe('left');
  await page.keyboard.press('Escape');
  await expect(panel(page, 'Outline')).toHaveCount(0);
  await page.getByRole('button', { name: 'Inspector', exact: true }).click();
  await expect(panel(page, 'Inspector')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(panel(page, 'Outline')).toBeVisible();
});
