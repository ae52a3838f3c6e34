/**
 * The tools of a result's table in a browser: filter builder, sorting by several columns, groups, charts, column order
 * and jump to a row. Against a fake server.
 */

import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeOutput } from '../support/fakeServerNotebook.ts';
import { TRIP_COLUMNS, tripRows } from '../support/fakeServerSamples.ts';

const rows = tripRows(4_000);

function notebook() {
  return fakeBody({
    name: 'Table tools',
    cells: [
      fakeCell({
        id: 'trips',
        defines: ['trips'],
        source: 'trips = read()\ntrips',
        status: 'ready',
        display_outputs: [
          fakeOutput({
            content_type: 'arrow/ipc',
            rows: rows.length,
            columns: TRIP_COLUMNS,
            artifact_uri: 'svc://artifact/nb_trips@v=3',
            bytes: 1_000_000,
            preview: rows.slice(0, 20),
          }),
        ],
      }),
    ],
  });
}

/** Chooses an entry of the table's menu by keyboard; further names are entries of submenus. */
async function tool(page: Page, ...names: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
  for (const name of names) await page.getByRole('menuitem', { name, exact: true }).press('Enter');
}

test('[TB-11] rows are filtered, sorted, grouped and charted by keyboard, and become the code of a cell', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  fake.tables.set('trips', { columns: TRIP_COLUMNS, rows });
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=trips]');
  const range = cell.locator('.table-range');
  await expect(range).toHaveText('rows 1–10 of 4,000');

  await tool(page, 'Filter…');
  const builder = page.getByRole('dialog', { name: 'Filter rows' });
  await builder.getByRole('combobox', { name: 'Column' }).press('Enter');
  await page.getByRole('option', { name: 'station' }).press('Enter');
  await builder.getByRole('combobox', { name: 'Condition' }).press('Enter');
  await page.getByRole('option', { name: 'is one of' }).press('Enter');
  await builder.getByRole('button', { name: 'Apply' }).press('Enter');
  await expect(builder).toContainText('Select at least one value.');
  await builder.getByRole('searchbox', { name: 'Find a value' }).fill('va');
  await builder.getByRole('checkbox', { name: /^Vaise/ }).press(' ');
  await builder.getByRole('button', { name: 'Add alternative (or)' }).press('Enter');
  await expectAccessible(page, { only: '[role=dialog]' });
  await builder.getByRole('combobox', { name: 'Column' }).last().press('Enter');
  await page.getByRole('option', { name: 'km' }).press('Enter');
  await builder.getByRole('combobox', { name: 'Condition' }).last().press('Enter');
  await page.getByRole('option', { name: 'less than' }).press('Enter');
  await builder.getByLabel('Value', { exact: true }).fill('1');
  await builder.getByRole('button', { name: 'Apply' }).press('Enter');
  await expect(builder).toHaveCount(0);
  await expect(cell.locator('.filter-chip')).toHaveText('station in Vaise or km < 1');
  const matchCount = rows.filter(([, station, , km]) => station === 'Vaise' || Number(km) < 1).length;
  await expect(range).toContainText(`of ${matchCount.toLocaleString('en-US')}, filtered from 4,000`);

  const grid = cell.getByRole('grid');
  await grid.focus();
  const header = (name: string) => cell.getByRole('columnheader', { name });
  await header('station').getByRole('button', { name: 'station', exact: true }).click();
  await header('km')
    .getByRole('button', { name: 'km', exact: true })
    .click({ modifiers: ['Shift'] });
  await expect(header('station')).toHaveAttribute('aria-sort', 'ascending');
  await expect(header('km')).toHaveAttribute('aria-sort', 'ascending');
  await expect
    .poll(() => new URLSearchParams(fake.dataQueries.at(-1)).get('sort'))
    .toBe('[{"col":"station","dir":"asc"},{"col":"km","dir":"asc"}]');

  await tool(page, 'Group…');
  const group = page.getByRole('dialog', { name: 'Group rows' });
  await expect(group.getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page, { only: '[role=dialog]' });
  await page.keyboard.press('Escape');

  await tool(page, 'Insert as code', 'pandas');
  const newCell = page.locator('[data-cell-id]').nth(1);
  await expect(newCell).toContainText('rows = trips.reset_index');
  await expect(newCell).toContainText('rows["station"].isin(["Vaise"]) | (rows["km"] < 1)');
  await expect(newCell).toContainText('rows.sort_values(["station", "km"], ascending=[True, True]');
  await page.keyboard.press('z');
  await expect(page.locator('[data-cell-id]')).toHaveCount(1);

  await tool(page, 'Chart…');
  const chart = page.getByRole('dialog', { name: 'Chart of these rows' });
  await expect(chart.getByRole('region', { name: 'Code of the new cell' })).toContainText('mark_bar');
  const preview = chart.getByRole('region', { name: 'Preview' });
  await expect(preview.frameLocator('iframe').locator('.marks').first()).toBeVisible();
  await expectAccessible(page, { only: '[role=dialog]' });
  await chart.getByRole('radio', { name: 'Scatter' }).click();
  await chart.getByRole('button', { name: 'Insert chart cell' }).press('Enter');
  await expect(newCell).toContainText('mark_circle');
});

test('[TB-6, TB-9] column positions persist, and a row is found by its number', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook());
  fake.tables.set('trips', { columns: TRIP_COLUMNS, rows });
  await openPage(page, url);
  const names = () =>
    page
      .locator('[data-cell-id=trips] .head-cell')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-name')));
  const first = TRIP_COLUMNS[0] ?? '';
  const second = TRIP_COLUMNS[1] ?? '';
  const grid = page.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect.poll(names).toEqual([second, first, ...TRIP_COLUMNS.slice(2)]);
  await page.keyboard.press('Control+g');
  await page.getByRole('textbox', { name: 'Row number (1 to 4,000)' }).fill('9999');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Enter a whole number from 1 to 4,000.');
  await page.getByRole('textbox', { name: 'Row number (1 to 4,000)' }).fill('2345');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-row="2344"].active')).toBeVisible();
  await page.reload();
  await expect.poll(names).toEqual([second, first, ...TRIP_COLUMNS.slice(2)]);
  await tool(page, 'Reset columns');
  await expect.poll(names).toEqual([...TRIP_COLUMNS]);
});
