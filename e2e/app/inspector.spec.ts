/** The inspector panel in a browser: long names and errors fit into its width. Against a fake server. */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const panel = (page: Page, name: string) => page.getByRole('complementary', { name });

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-63] a name without spaces wraps, the times beside it are complete, and a long error ends in an ellipsis', async ({
  page,
  serve,
}) => {
  const name = 'a_name_that_never_ends_'.repeat(7);
  const cells = [
    fakeCell({
      id: 'long',
      source: `# @name ${name}\n1`,
      status: 'error',
      error: `ValueError: ${'long '.repeat(200)}`,
      last_duration_ms: 64,
      annotations: { ...fakeCell({ id: 'x' }).annotations, name },
    }),
  ];
  const { url } = await serve(fakeBody({ name: 'Long', cells }));
  await openPage(page, url);
  await page.locator('[data-cell-id=long] .bar').click({ position: { x: 40, y: 14 } });
  const inspector = panel(page, 'Inspector');
  await expect(inspector.getByRole('heading', { name: `Why did ${name} fail?` })).toBeVisible();
  await expect(inspector.locator('.why')).toContainText(/long …$/);
  const tooWide = await inspector.evaluate((box) => {
    const edge = box.getBoundingClientRect().right;
    return [...box.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > edge)
      .map((one) => one.className);
  });
  expect(tooWide).toEqual([]);
  const chip = page.locator('[data-cell-id=long] .bar .chip');
  await expect(chip).toHaveText('64 ms last time');
  expect(await chip.locator('.chip-text').evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
});
