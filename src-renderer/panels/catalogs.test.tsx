/**
 * Iceberg catalogs in the data panel, in the whole window against a fake server: browsing, attaching,
 * inserting cells, and failures.
 */

import { refusal } from '../../e2e/support/fakeServer.ts';
import { fakeBody } from '../../e2e/support/fakeServerNotebook.ts';
import type { OfferedCatalog } from '../../src-shared/wire/routes/tableCatalogs.ts';
import { expect, openPage, test } from '../testing/fixture.ts';
import type { Page } from '../testing/page.tsx';

const LAKE: OfferedCatalog = {
  name: 'lake',
  from: 'window',
  secrets: [],
  problem: null,
  properties: { type: 'sql', warehouse: '/wh' },
};
const TEAM: OfferedCatalog = {
  name: 'team',
  from: 'settings',
  secrets: ['token'],
  problem: null,
  properties: { type: 'rest', uri: 'https://h' },
};
const NEWEST = '9007199254740995';
const FIRST = '9007199254740993';
const snapshot = (id: string, change: object) => ({
  id,
  parent_id: null,
  at: '2026-01-02T03:04:05.000Z',
  operation: 'append',
  added_rows: '10',
  deleted_rows: null,
  total_rows: '10',
  ...change,
});
const ORDERS = {
  uri: 'lake:shop.orders',
  location: 'file:///wh/shop/orders',
  format_version: 2,
  columns: [
    { name: 'id', type: 'long', required: true },
    { name: 'city', type: 'string', required: false },
  ],
  current_snapshot_id: NEWEST,
  snapshots: [
    snapshot(NEWEST, { operation: 'overwrite', deleted_rows: '2', total_rows: '18', parent_id: FIRST }),
    snapshot(FIRST, {}),
  ],
  snapshot_count: 3,
};

async function openData(page: Page, url: string) {
  await openPage(page, url);
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'Data', exact: true })
    .click();
  return page.getByRole('region', { name: 'Catalogs' });
}

test('[WI-350] [WI-351] a catalog is browsed to a table, its columns and snapshots, and cells read it', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'Lake', cells: [] }));
  const queries: unknown[] = [];
  fake.answers = {
    listTableCatalogs: { catalogs: [LAKE, TEAM] },
    tableNamespaces: { namespaces: ['shop'] },
    namespaceTables: { tables: ['orders'] },
    describeTable: ORDERS,
    sampleTable: ({ query }) => {
      queries.push(query);
      return { columns: [{ name: 'id', type: 'int64' }], rows: [[1]] };
    },
  };
  const section = await openData(page, url);
  await expect(section.locator('[data-catalog=team] summary')).toContainText('REST · server settings');
  // Catalogs of the server's settings are changed there.
  await expect(section.getByRole('button', { name: 'Remove catalog team' })).toHaveCount(0);
  await section.locator('[data-catalog=lake] summary', { hasText: 'lake' }).click();
  await section
    .getByRole('list', { name: 'Namespaces of lake' })
    .locator('summary', { hasText: 'shop' })
    .click();
  await section
    .getByRole('list', { name: 'Tables of shop' })
    .locator('summary', { hasText: 'orders' })
    .click();
  await expect(section.getByRole('list', { name: 'Columns: orders' }).locator('li')).toHaveText([
    'idlong · required',
    'citystring',
  ]);
  const snapshots = section.getByRole('list', { name: 'Snapshots: orders' });
  await expect(snapshots.locator('.snapshot-what')).toHaveText([
    'Rows replaced · +10, −2, 18 rows in total',
    'Rows added · +10, 10 rows in total',
  ]);
  await expect(snapshots.locator('[data-snapshot="9007199254740995"]')).toContainText('current');
  await expect(section).toContainText('1 older snapshot is not shown.');
  await section.getByRole('button', { name: 'Show the first rows of orders', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'First rows of orders' });
  await expect(dialog.locator('tbody tr')).toHaveText(['1']);
  await dialog.getByRole('button', { name: 'Insert a cell that reads this' }).click();
  await expect.poll(() => fake.body.cells.length).toBe(1);
  await snapshots.getByRole('button', { name: `Show the first rows of orders at snapshot ${FIRST}` }).click();
  const earlier = page.getByRole('dialog', { name: `First rows of orders at snapshot ${FIRST}` });
  await expect(earlier.locator('tbody tr')).toHaveText(['1']);
  await page.keyboard.press('Escape');
  await snapshots
    .getByRole('button', { name: `Insert a cell that reads orders at snapshot ${FIRST}` })
    .click();
  await expect
    .poll(() => fake.body.cells.map(({ source }) => source.split('\n')[0]))
    .toEqual([
      '# @table orders_table lake:shop.orders',
      `# @table orders_table lake:shop.orders snapshot=${FIRST}`,
    ]);
  await expect
    .poll(() => queries)
    .toEqual([
      { namespace: 'shop', table: 'orders' },
      { namespace: 'shop', table: 'orders', snapshot_id: FIRST },
    ]);
});

test('[WI-352] a catalog is attached by keyboard, changed without typing its secret again, and removed', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'Lake', cells: [] }));
  let stored: OfferedCatalog[] = [];
  const sent: unknown[] = [];
  fake.answers = {
    listTableCatalogs: () => ({ catalogs: stored }),
    attachTableCatalog: ({ params, body }) => {
      sent.push([params['catalog'], body]);
      stored = [{ ...LAKE, properties: { type: 'rest', uri: 'https://h' }, secrets: ['token'] }];
      return { catalogs: stored };
    },
    detachTableCatalog: () => {
      stored = [];
      return { catalogs: stored };
    },
  };
  const section = await openData(page, url);
  await expect(section).toContainText('A catalog lists the Iceberg tables of a warehouse.');
  await section.getByRole('button', { name: 'Attach catalog' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Attach a catalog' });
  await form.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(form.getByRole('alert')).toHaveText([/Start with a letter/, /Required/]);
  await form.getByRole('textbox', { name: 'Name' }).fill('lake');
  await form.getByRole('combobox', { name: 'Kind' }).press('Enter');
  await page.getByRole('option', { name: 'REST' }).press('Enter');
  await form.getByRole('textbox', { name: 'Address', exact: true }).fill('https://h');
  await form.getByRole('textbox', { name: 'Token' }).fill('hush');
  await form.getByRole('textbox', { name: 'Token' }).press('Enter');
  await expect(form).toHaveCount(0);
  await section.getByRole('button', { name: 'Edit catalog lake' }).click();
  const change = page.getByRole('dialog', { name: 'Catalog lake' });
  await expect(change.getByRole('textbox', { name: 'Token' })).toHaveValue('');
  await expect(change).toContainText('Leave empty to keep the value that is set.');
  await change.getByRole('textbox', { name: 'Warehouse' }).fill('w');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change).toHaveCount(0);
  await section.getByRole('button', { name: 'Remove catalog lake' }).click();
  await expect(section.locator('[data-catalog]')).toHaveCount(0);
  expect(sent).toEqual([
    ['lake', { properties: { type: 'rest', uri: 'https://h', token: 'hush' } }],
    ['lake', { properties: { type: 'rest', uri: 'https://h', warehouse: 'w', token: null } }],
  ]);
});

test('[WI-352] what the server refuses is shown in the form, and nothing typed is lost', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(fakeBody({ name: 'Lake', cells: [] }));
  fake.answers = { attachTableCatalog: refusal(400, 'The address has a password, which would be stored.') };
  const section = await openData(page, url);
  await section.getByRole('button', { name: 'Attach catalog' }).click();
  const form = page.getByRole('dialog', { name: 'Attach a catalog' });
  await form.getByRole('textbox', { name: 'Name' }).fill('lake');
  await form.getByRole('textbox', { name: 'Folder' }).fill('/wh');
  await form.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(form.getByRole('alert')).toContainText('The address has a password');
  await expect(form.getByRole('textbox', { name: 'Folder' })).toHaveValue('/wh');
});

const HANGS = 'Listing the namespaces took longer than 20 seconds. The catalog or the storage may be down.';
test.for<[string, 'tableNamespaces' | 'describeTable' | 'sampleTable', number, string]>([
  ['a catalog that hangs', 'tableNamespaces', 504, HANGS],
  [
    'refused credentials',
    'tableNamespaces',
    503,
    'The REST catalog cannot be used: it rejected the login (401).',
  ],
  ['damaged metadata', 'describeTable', 422, 'v3.metadata.json cannot be read: it is missing.'],
  ['a missing data file', 'sampleTable', 422, 'data/a.parquet cannot be read: it is missing.'],
])('[WI-353] %s is reported and can be tried again', async ([, route, status, text], { page, serve }) => {
  const { fake, url } = await serve(fakeBody({ name: 'Lake', cells: [] }));
  const good = {
    listTableCatalogs: { catalogs: [LAKE] },
    tableNamespaces: { namespaces: ['shop'] },
    namespaceTables: { tables: ['orders'] },
    describeTable: ORDERS,
    sampleTable: { columns: [{ name: 'id', type: 'int64' }], rows: [[1]] },
  };
  fake.answers = { ...good, [route]: refusal(status, text) };
  const section = await openData(page, url);
  await section.locator('[data-catalog=lake] summary', { hasText: 'lake' }).click();
  if (route !== 'tableNamespaces') {
    await section.locator('summary', { hasText: 'shop' }).click();
    await section.locator('summary', { hasText: 'orders' }).click();
  }
  if (route === 'sampleTable') {
    await section.getByRole('button', { name: 'Show the first rows of orders', exact: true }).click();
  }
  const place = route === 'sampleTable' ? page.getByRole('dialog') : section;
  await expect(place.getByRole('alert')).toContainText(text);
  fake.answers = good;
  await place.getByRole('button', { name: 'Try again' }).click();
  await expect(place.getByRole('alert')).toHaveCount(0);
  if (route === 'sampleTable') await expect(place.locator('tbody tr')).toHaveText(['1']);
  else await expect(section.locator('summary', { hasText: 'shop' })).toBeVisible();
});
