/**
 * The list of variables in the outline panel, in the whole window against a fake server: shapes, search, and
 * opening a value.
 */

import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

test('[WI-60] variables are listed with their shape, and link to the cell that computed them', async ({
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

test('[EX-99] a variable shows its type and size, can be searched by them, and its value can be opened', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(sampleNotebook());
  const names = ['city', 'total', 'ok', 'scores', 'model', 'empty'];
  const uris = Object.fromEntries(names.map((name) => [name, `svc://artifact/${name}@v=1`]));
  fake.setCell('summary', { defines: names, artifact_uris: uris });
  const values = ['"Lyon"', '7', 'true', '[1, 2]', null, '{}'];
  fake.variables = names.map((name, at) => ({
    name,
    cell_id: 'summary',
    artifact_uri: uris[name] ?? '',
    rows: null,
    columns: null,
    content_type: name === 'model' ? 'pickle/object' : 'json/object',
    byte_size: 12,
    value: values[at] ?? null,
  }));
  await openPage(page, url);
  const list = page.locator('.variables li');
  await expect(page.getByRole('button', { name: 'scores [2]' })).toHaveText('scores[2]list · 12 bytes');
  await page.getByLabel('Find a variable by name, type or shape').fill('number');
  await expect(list).toHaveCount(1);
  await expect(list).toHaveText(/^total7number/);
  await page.getByLabel('Find a variable by name, type or shape').fill('nothing like it');
  await expect(page.locator('.variables')).toContainText('No variable matches.');
  await page.getByLabel('Find a variable by name, type or shape').fill('scores');
  await page.getByRole('button', { name: 'Show scores' }).click();
  const dialog = page.getByRole('dialog', { name: 'scores' });
  await expect(dialog.locator('.variable-value')).toHaveText(/1,\s+2/);
  await dialog.getByRole('button', { name: /^defined by / }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('[data-cell-id=summary]')).toHaveAttribute('aria-current', 'true');
});

test('[EX-99] a variable that is a table opens as a table', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  const trips = { name: 'trips', cell_id: 'trips', artifact_uri: 'svc://artifact/nb_trips@v=3' };
  fake.variables = [{ ...trips, content_type: 'arrow/ipc', rows: 2, columns: 2, byte_size: 64, value: null }];
  fake.answers = {
    cellData: ({ query }) => ({
      cell_id: 'trips',
      artifact_uri: query['artifact_uri'],
      sort_by: null,
      sort_dir: 'asc',
      columns: ['a', 'b'],
      total: 2,
      offset: 0,
      limit: 10,
      rows: [
        [1, 'one'],
        [2, 'two'],
      ],
      pageable: true,
    }),
  };
  await openPage(page, url);
  await page.getByRole('button', { name: 'Show trips' }).click();
  const dialog = page.getByRole('dialog', { name: 'trips' });
  await expect(dialog).toContainText('table · 2 × 2 · 64 bytes');
  await expect(dialog.locator('.table-view')).toContainText('two');
});
