import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('[WI-60] the outline shows every cell with its state, and goes there by click and by key', async ({
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

test('[WI-60] variables are listed with their shape, and lead to the cell that made them', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  await openPage(page, url);
  const trips = page.getByRole('button', { name: 'trips 1.2 M × 5' });
  await expect(trips).toBeVisible();
  fake.output('summary', { outputs: { summary: { content_type: 'json/object', preview: { a: 1, b: 2 } } } });
  await page.getByRole('button', { name: 'summary {2}' }).click();
  await expect(page.locator('[data-cell-id=summary]')).toHaveAttribute('aria-current', 'true');
});

test('[WI-60] what was computed before this window opened has its size too', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const uri = 'svc://artifact/summary@v=1';
  fake.setCell('summary', { defines: ['summary', 'math'], artifact_uris: { summary: uri } });
  const variable = { name: 'summary', cell_id: 'summary', artifact_uri: uri, rows: null, columns: null };
  fake.variables = [{ ...variable, content_type: 'json/object', byte_size: 12, value: '"Lyon"' }];
  await openPage(page, url);
  await expect(page.getByRole('button', { name: 'summary "Lyon"' })).toBeVisible();
  // An import is a name, and nothing is kept of it.
  await expect(page.locator('.variables-others')).toContainText('math');
});
