import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeOutput } from '../support/fakeServerNotebook.ts';
import { TRIP_COLUMNS, tripRows } from '../support/fakeServerSamples.ts';

const URI = 'svc://artifact/nb_trips@v=3';
const rows = tripRows(4_000);

function notebook() {
  return fakeBody({
    name: 'Table',
    cells: [
      fakeCell({
        id: 'trips',
        defines: ['trips'],
        status: 'ready',
        display_outputs: [
          fakeOutput({
            content_type: 'arrow/ipc',
            rows: rows.length,
            columns: TRIP_COLUMNS,
            artifact_uri: URI,
            bytes: 1_000_000,
            preview: rows.slice(0, 20),
          }),
        ],
      }),
    ],
  });
}

test('[WI-10] the first rows need no request; every other page, order and search asks the server', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  fake.tables.set('trips', { columns: TRIP_COLUMNS, rows });
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=trips]');
  const range = cell.locator('.table-range');
  await expect(range).toHaveText('rows 1–10 of 4,000');
  await cell.getByRole('button', { name: 'Next page' }).click();
  await expect(range).toHaveText('rows 11–20 of 4,000');
  expect(fake.dataQueries).toEqual([]);

  await cell.getByRole('button', { name: 'Next page' }).click();
  await expect(range).toHaveText('rows 21–30 of 4,000');
  await expect(cell.locator('.grid-body [role=row]').first()).toContainText(String(rows[20]?.[0]));
  await cell.getByRole('button', { name: 'Last page' }).click();
  await expect(range).toHaveText('rows 3,991–4,000 of 4,000');
  await expect(cell.getByRole('button', { name: 'Next page' })).toBeDisabled();

  await cell.getByRole('button', { name: 'km', exact: true }).click();
  await expect(cell.getByRole('columnheader', { name: 'km' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(range).toHaveText('rows 1–10 of 4,000');
  await expect(cell.locator('.grid-body [role=row]').first().getByRole('gridcell').nth(3)).toHaveText('0.4');
  await cell.getByRole('button', { name: 'km', exact: true }).click();
  await expect(cell.getByRole('columnheader', { name: 'km' })).toHaveAttribute('aria-sort', 'descending');
  await cell.getByRole('button', { name: 'km', exact: true }).click();
  await expect(cell.getByRole('columnheader', { name: 'km' })).toHaveAttribute('aria-sort', 'none');

  const before = fake.dataQueries.length;
  await cell.getByRole('searchbox').pressSequentially('vaise', { delay: 20 });
  await expect(range).toHaveText('rows 1–10 of 800');
  expect(fake.dataQueries.slice(before)).toHaveLength(1);
  await cell.getByRole('searchbox').fill('no such place');
  await expect(cell.getByText('No row matches the search')).toBeVisible();
});

test('a result that cannot be paged shows its first rows and says so', async ({ page, serve }) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=trips]');
  await cell.getByRole('button', { name: 'Last page' }).click();
  await expect(cell).toContainText('this result cannot be paged');
  await expect(cell.locator('.grid-body [role=row]')).toHaveCount(10);
});
