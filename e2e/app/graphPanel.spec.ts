/** The graph panel in a browser: states of cells, selection by click and keyboard, 500 cells. Against a fake server. */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { largeNotebook, sampleNotebook } from '../support/fakeServerSamples.ts';
import { longOnly } from '../support/longOnly.ts';

const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: true });

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-64] the graph shows the status of every cell and goes to a cell by click and by keyboard', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  await rail(page, 'Graph').click();
  const node = (id: string) => page.locator(`[data-dag-node=${id}]`);
  await expect(node('daily')).toHaveAttribute('data-status', 'stale');
  await expect(page.locator('[data-dag-node]')).toHaveCount(5);
  await node('daily').click();
  await expect(page.locator('[data-cell-id=daily]')).toHaveAttribute('aria-current', 'true');
  await page.getByRole('application').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-cell-id=fit]')).toHaveAttribute('aria-current', 'true');
  await expect(page.locator('#dag-now')).toHaveText('loss, not run; reads from daily');
  const place = () =>
    node('trips').evaluate((element) => element.closest('.react-flow__node')?.getAttribute('style'));
  const before = await place();
  fake.status('daily', 'ready');
  await expect(node('daily')).toHaveAttribute('data-status', 'ready');
  expect(await place()).toBe(before);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=fit]')).toBeFocused();
});

test(
  '[WI-64] a graph of five hundred cells is drawn',
  longOnly('e2e/app/graphPanel.spec.ts'),
  async ({ page, serve }) => {
    const { url } = await serve(largeNotebook(500, 1));
    await openPage(page, url);
    await rail(page, 'Graph').click();
    await expect(page.locator('[data-dag-node]').first()).toBeVisible();
    await page.getByRole('listbox', { name: 'Outline' }).focus();
    await page.keyboard.press('End');
    await expect(page.locator('[data-dag-node=c499]')).toBeVisible();
  },
);
