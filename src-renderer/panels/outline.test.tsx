import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

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

test('[WI-60] values computed before this window opened have a size too', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const uri = 'svc://artifact/summary@v=1';
  fake.setCell('summary', { defines: ['summary', 'math'], artifact_uris: { summary: uri } });
  const variable = { name: 'summary', cell_id: 'summary', artifact_uri: uri, rows: null, columns: null };
  fake.variables = [{ ...variable, content_type: 'json/object', byte_size: 12, value: '"Lyon"' }];
  await openPage(page, url);
  await expect(page.getByRole('button', { name: 'summary "Lyon"' })).toBeVisible();
  // An import has a name only: no value is stored for it.
  await expect(page.locator('.variables-others')).toContainText('math');
});
