/**
 * The table of a result in a browser: paging, sorting, search, filters, distributions, keyboard, full size and export.
 * Against a fake server with 4,000 rows.
 */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { FakeServer } from '../support/fakeServer.ts';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeOutput } from '../support/fakeServerNotebook.ts';
import { fillOutputs, outputsNotebook } from '../support/fakeServerOutputs.ts';
import { TRIP_COLUMNS, tripRows } from '../support/fakeServerSamples.ts';
import { longOnly, longUnless } from '../support/longOnly.ts';

const URI = 'svc://artifact/nb_trips@v=3';
const rows = tripRows(4_000);

function notebook() {
  return fakeBody({
    name: 'Table',
    cells: [
      fakeCell({
        id: 'trips',
        defines: ['trips'],
        source: 'trips = read()',
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

test('[WI-10] the first rows need no request; other pages, orders and searches are requested from the server', async ({
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
  // The focus stays on the page buttons.
  await cell.getByRole('button', { name: 'First page' }).press('Enter');
  await expect(range).toHaveText('rows 1–10 of 4,000');
  await expect(cell.getByRole('button', { name: 'First page' })).toBeFocused();

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
  await expect(range).toHaveText('rows 1–10 of 800, filtered from 4,000');
  expect(fake.dataQueries.slice(before)).toHaveLength(1);
  await cell.getByRole('searchbox').fill('no such place');
  await expect(cell.getByText('No rows match the search')).toBeVisible();
});

test('a text that is too long for its column ends in an ellipsis, and no text overflows its box', async ({
  page,
  serve,
}) => {
  const texts = [
    '12.50',
    'W'.repeat(30),
    'm'.repeat(14),
    '東京都'.repeat(20),
    '2024-01-01 00:00:00',
    'é'.repeat(12),
  ];
  const columns = ['WWWWWWWW', 'a name of forty characters, more or less', 'n', 'i'];
  const preview = texts.map((text) => [text, 'i'.repeat(200), text.slice(0, 6), text.toUpperCase()]);
  const body = notebook();
  const { url } = await serve({
    ...body,
    cells: body.cells.map((cell) => ({
      ...cell,
      display_outputs: [
        fakeOutput({ content_type: 'arrow/ipc', rows: preview.length, columns, bytes: 9_000, preview }),
      ],
    })),
  });
  await openPage(page, url);
  const boxes = page.locator('[data-cell-id=trips] :is(.cell-box, .head-name, .head-summary)');
  await expect(page.getByRole('gridcell')).toHaveCount(24);
  const look = await boxes.evaluateAll((all) =>
    all.map((box) => ({
      text: box.textContent,
      clips: getComputedStyle(box).textOverflow === 'ellipsis',
      over: box.scrollWidth > box.clientWidth,
    })),
  );
  expect(look.filter(({ clips, over }) => over && !clips)).toEqual([]);
  expect(look.filter(({ over }) => over).length).toBeGreaterThan(5);
  expect(look.filter(({ clips }) => !clips).length).toBeGreaterThan(5);
});

test('a result that cannot be paged shows its first rows with a note', async ({ page, serve }) => {
  const { url } = await serve(notebook());
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=trips]');
  await cell.getByRole('button', { name: 'Last page' }).click();
  await expect(cell).toContainText('does not support paging');
  await expect(cell.locator('.grid-body [role=row]')).toHaveCount(10);
});

async function openTable(page: Page, serve: Serve) {
  const { fake, url } = await serve(notebook());
  fake.tables.set('trips', { columns: TRIP_COLUMNS, rows });
  await openPage(page, url);
  return { fake, cell: page.locator('[data-cell-id=trips]') };
}
type Serve = (body: ReturnType<typeof notebook>) => Promise<{ fake: FakeServer; url: string }>;

test('a header describes its column', async ({ page, serve }) => {
  const { cell } = await openTable(page, serve);
  const header = (name: string) => cell.getByRole('columnheader', { name }).locator('.head-summary');
  await expect(header('started_at')).toHaveText('timestamp');
  await expect(header('station')).toHaveText('text · 5');
  await expect(header('minutes')).toHaveText('0.4 – 310.3');
  await expect(header('member')).toHaveText('bool · 2');
  await expect(cell.getByRole('columnheader', { name: 'station' })).toHaveAttribute(
    'title',
    'string, 0 null, 5 distinct',
  );
});

test('[WI-251] a header shows the distribution of its column, with the value of each bar', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook());
  let answer = (): void => undefined;
  fake.distributionGate = new Promise((resolve) => {
    answer = resolve;
  });
  fake.tables.set('trips', { columns: TRIP_COLUMNS, rows });
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=trips]');
  const header = (name: string) => cell.getByRole('columnheader', { name });
  await expect(header('station').locator('.head-summary')).toHaveText('text · 5');
  const body = () => cell.locator('.grid-body').boundingBox();
  const before = await body();
  await expect(cell.locator('.spread-bars')).toHaveCount(0);
  answer();
  await expect(cell.locator('.spread-bars')).toHaveCount(5);
  expect(await body()).toEqual(before);

  const bars = header('station').locator('.spread-bars');
  await expect(bars).toHaveAttribute('aria-hidden', 'true');
  await bars.hover({ position: { x: 4, y: 4 } });
  await expect(header('station').locator('.head-summary')).toHaveText(/^[A-Z]\S+ · \d+ \(20 %\)$/);
  await header('km')
    .locator('.spread-bars')
    .hover({ position: { x: 1, y: 1 } });
  await expect(header('km').locator('.head-summary')).toHaveText(/^0\.4 – [\d.]+ · 800$/);
  await expect(header('station').locator('.head-summary')).toHaveText('text · 5');
  await page.mouse.move(0, 0);
  await expect(header('km').locator('.head-summary')).toHaveText(/^0\.4 – [\d.]+$/);
});

test(
  '[WI-251] the bars count only rows that match search and filters, also in full size',
  longOnly('e2e/app/table.spec.ts'),
  async ({ page, serve }) => {
    const { fake, cell } = await openTable(page, serve);
    const stations = cell.getByRole('columnheader', { name: 'station' }).locator('.spread-bars');
    await expect(stations).toHaveAttribute('width', '59');
    await cell.getByRole('button', { name: 'km', exact: true }).click();
    await cell.getByRole('searchbox').fill('vaise');
    await expect(cell.locator('.table-range')).toContainText('of 800');
    await expect(stations).toHaveAttribute('width', '11');
    const queries = fake.distributionQueries.map((query) => Object.fromEntries(new URLSearchParams(query)));
    expect(queries).toEqual([{ artifact_uri: URI }, { artifact_uri: URI, search: 'vaise' }]);
    await cell.getByRole('searchbox').fill('no such place');
    await expect(cell.getByText('No rows match the search')).toBeVisible();
    await expect(cell.locator('.spread-bars')).toHaveCount(0);
    await cell.getByRole('searchbox').fill('vaise');
    await expect(stations).toHaveAttribute('width', '11');
    await cell.getByRole('button', { name: 'Open', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const large = dialog.getByRole('columnheader', { name: 'station' }).locator('.spread-bars');
    await expect(large).toHaveAttribute('width', '11');
    await dialog.getByRole('searchbox').fill('');
    await expect(large).toHaveAttribute('width', '59');
    // Results are cached: no further request.
    expect(fake.distributionQueries).toHaveLength(3);
  },
);

test('[WI-251] a table of a few rows has no bars, and no space for them', async ({ page, serve }) => {
  const body = notebook();
  const few = rows.slice(0, 2);
  const { fake, url } = await serve({
    ...body,
    cells: body.cells.map((one) => ({
      ...one,
      display_outputs: one.display_outputs.map((output) => ({ ...output, rows: 2, preview: few })),
    })),
  });
  fake.tables.set('trips', { columns: TRIP_COLUMNS, rows: few });
  await openPage(page, url);
  const header = page.getByRole('columnheader', { name: 'station' });
  await expect(header.locator('.head-summary')).toHaveText('text · 2');
  expect((await header.boundingBox())?.height).toBe(42);
  expect(fake.distributionQueries).toEqual([]);
});

async function askFilter(page: Page, column: string): Promise<void> {
  const header = page.getByRole('columnheader', { name: column });
  await header.hover();
  await header.getByRole('button', { name: `Column ${column}` }).click();
  await page.getByRole('menuitem', { name: 'Filter…' }).click();
  await expect(page.getByRole('dialog', { name: `Filter ${column}` })).toBeVisible();
}

test('a column is filtered by the operators of its type, and the filter is shown and removed', async ({
  page,
  serve,
}) => {
  const { fake, cell } = await openTable(page, serve);
  const range = cell.locator('.table-range');
  await askFilter(page, 'km');
  const box = page.getByRole('dialog', { name: 'Filter km' });
  await box.getByRole('combobox').click();
  await page.getByRole('option', { name: 'between' }).click();
  await box.getByLabel('From').fill('ten');
  await box.getByLabel('To').fill('11');
  await box.getByRole('button', { name: 'Apply' }).click();
  await expect(box).toContainText('Enter a number.');
  await box.getByLabel('From').fill('10');
  await box.getByRole('button', { name: 'Apply' }).click();
  await expect(box).toHaveCount(0);
  const matchCount = rows.filter((row) => Number(row[3]) >= 10 && Number(row[3]) <= 11).length;
  await expect(range).toContainText(`of ${matchCount}, filtered from 4,000`);
  await expect(cell.locator('.filter-chip')).toHaveText('km between 10 and 11');
  const query = new URLSearchParams(fake.dataQueries.at(-1));
  expect(JSON.parse(query.get('filters') ?? '')).toEqual([
    { col: 'km', op: 'between', value: 10, value2: 11 },
  ]);

  await askFilter(page, 'member');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(cell.locator('.filter-chip')).toHaveText(['km between 10 and 11', 'member = true']);
  await askFilter(page, 'station');
  await page.getByRole('textbox', { name: 'Value' }).fill('nowhere');
  await page.keyboard.press('Enter');
  await expect(cell.getByText('No rows match the filters')).toBeVisible();
  await cell.getByRole('button', { name: 'Remove all filters' }).click();
  await expect(range).toHaveText('rows 1–10 of 4,000');
});

test('the grid is navigated, sorted, resized and copied by keyboard', async ({ page, serve, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { cell } = await openTable(page, serve);
  const grid = cell.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', '4001');
  await expect(grid).toHaveAttribute('aria-colcount', '5');
  await grid.focus();
  const active = async () => {
    const id = await grid.getAttribute('aria-activedescendant');
    return page.evaluate((elementId) => {
      const cell = document.getElementById(elementId ?? '');
      return `${cell?.dataset['row']},${cell?.dataset['column']}`;
    }, id);
  };
  await expect.poll(active).toBe('-1,0');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect.poll(active).toBe('0,4');
  await page.keyboard.press('Control+End');
  await expect.poll(active).toBe('9,4');
  await page.keyboard.press('Control+Home');
  await expect.poll(active).toBe('0,0');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(cell.locator('[aria-selected=true]')).toHaveCount(4);
  await page.keyboard.press('Control+c');
  await expect(page.locator('.toast-words')).toHaveText('Copied 2 × 2');
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('Part-Dieu\t0.4\nBellecour\t5.7');
  await page.keyboard.press('Escape');
  await expect(cell.locator('[aria-selected=true]')).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect.poll(active).toBe('-1,2');
  await page.keyboard.press('Enter');
  await expect(cell.getByRole('columnheader', { name: 'minutes' })).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByRole('menuitemcheckbox', { name: 'Sort ascending' })).toBeFocused();
  await page.getByRole('menuitem', { name: 'Hide column' }).press('Enter');
  await expect(grid).toHaveAttribute('aria-colcount', '4');
  await cell.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'Show minutes' }).click();
  await expect(grid).toHaveAttribute('aria-colcount', '5');
});

test('all rows can be scrolled in full size, and are fetched as they become visible', async ({
  page,
  serve,
}) => {
  const { fake, cell } = await openTable(page, serve);
  await cell.getByRole('button', { name: 'Open', exact: true }).click();
  const grid = page.getByRole('dialog').getByRole('grid');
  await expect(page.getByRole('dialog').getByRole('status').first()).toHaveText('4,000 rows × 5');
  await expect(grid.getByText(String(rows[10]?.[0]), { exact: true }).first()).toBeVisible();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+End');
  const last = grid.locator('[data-row="3999"]');
  await expect(last.nth(2)).toHaveText(String(rows[3_999]?.[2]));
  await expect(last.nth(2)).toBeInViewport();
  await expect.poll(() => grid.getByRole('row').count()).toBeLessThan(100);
  const limits = fake.dataQueries.map((query) => Number(new URLSearchParams(query).get('limit')));
  expect(Math.max(...limits)).toBeLessThanOrEqual(500);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'member, row 4,000' })).toContainText('false');
});

test('keyboard focus stays in the table after sorting in full size, and the table scrolls to its top', async ({
  page,
  serve,
}) => {
  const { fake, cell } = await openTable(page, serve);
  await cell.getByRole('button', { name: 'Open', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const grid = dialog.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+End');
  await expect(grid.locator('[data-row="3999"]').first()).toBeInViewport();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, 20_000);
  await expect.poll(() => grid.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(10_000);
  await page.keyboard.press('Enter');
  const first = () => dialog.getByRole('columnheader').first();
  await expect(first()).toHaveAttribute('aria-sort', 'ascending');
  await expect(grid).toBeFocused();
  expect(await grid.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  const sorted = rows.map(([at]) => String(at)).sort();
  await expect(grid.locator('[data-row="0"]').first()).toHaveText(sorted[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(first()).toHaveAttribute('aria-sort', 'descending');
  await expect(grid.locator('[data-row="0"]').first()).toHaveText(sorted.at(-1) ?? '');
  // The selection is cleared when another row takes the position of the selected one.
  await grid.locator('[data-row="3"]').nth(1).click();
  await dialog.getByRole('searchbox').fill('vaise');
  await expect(dialog.getByRole('status').first()).toContainText('800 rows');
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await expect(grid.locator('[aria-selected=true]')).toHaveCount(0);
  expect(fake.dataQueries.length).toBeLessThan(20);
});

for (const full of [false, true]) {
  test(
    `keyboard focus stays in the table after actions: ${full ? 'full size' : 'card'}`,
    longUnless(full, 'e2e/app/table.spec.ts'),
    async ({ page, serve }) => {
      const { cell } = await openTable(page, serve);
      if (full) await cell.getByRole('button', { name: 'Open', exact: true }).click();
      const table = full ? page.getByRole('dialog', { name: 'Table of trips' }) : cell;
      const grid = table.getByRole('grid');
      const menu = table.getByRole('button', { name: 'Column station' });
      const ask = async (row: string) => {
        await grid.focus();
        await page.keyboard.press('Alt+ArrowDown');
        await page.locator('.menu-row', { hasText: row }).press('Enter');
      };
      await grid.focus();
      await page.keyboard.press('ArrowRight');
      await ask('Sort descending');
      await expect(table.getByRole('columnheader', { name: 'station' })).toHaveAttribute(
        'aria-sort',
        'descending',
      );
      await expect(menu).toBeFocused();
      await ask('Filter…');
      await page.getByRole('textbox', { name: 'Value' }).fill('Bellecour');
      await page.keyboard.press('Enter');
      await expect(table.locator('.filter-chip')).toHaveCount(1);
      await expect(menu).toBeFocused();
      await table.getByRole('button', { name: /^Remove filter/ }).press('Enter');
      await expect(table.locator('.filter-chip')).toHaveCount(0);
      await expect(grid).toBeFocused();
    },
  );
}

test(
  'a thousand columns are rendered as they become visible, and the first can be pinned',
  longOnly('e2e/app/table.spec.ts'),
  async ({ page, serve }) => {
    const { fake, url } = await serve(outputsNotebook());
    fillOutputs(fake);
    await openPage(page, url);
    await page.locator('[data-cell-id=wide]').getByRole('button', { name: 'Open', exact: true }).click();
    const grid = page.getByRole('dialog').getByRole('grid');
    await expect(grid).toHaveAttribute('aria-colcount', '1000');
    await expect(grid.locator('.head-name').first()).toHaveText('');
    const index = grid.getByRole('columnheader', { name: 'index' });
    await index.hover();
    await index.getByRole('button', { name: 'Column index' }).click();
    await page.getByRole('menuitem', { name: 'Pin left' }).click();
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+End');
    await expect(grid.locator('[data-row="999"][data-column="999"]')).toBeInViewport();
    await expect(grid.locator('[data-row="999"][data-column="0"]')).toBeInViewport();
    await expect(grid.locator('[data-row="999"][data-column="0"]')).toHaveText('999');
    await expect.poll(() => grid.getByRole('gridcell').count()).toBeLessThan(3_000);
  },
);

test('the shown rows are exported, with progress, and an export can be cancelled', async ({
  page,
  serve,
}) => {
  const { fake, cell } = await openTable(page, serve);
  await cell.getByRole('button', { name: 'km', exact: true }).click();
  await cell.getByRole('searchbox').fill('vaise');
  await expect(cell.locator('.table-range')).toContainText('of 800');
  let finish = (): void => undefined;
  fake.exportGate = new Promise((resolve) => {
    finish = resolve;
  });
  const start = async (): Promise<void> => {
    await cell.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Save as CSV' }).click();
    await expect(cell.locator('.export-running')).toContainText('Exporting…');
  };
  await start();
  await cell.getByRole('button', { name: 'Stop' }).click();
  await expect(cell.getByRole('button', { name: 'Export' })).toBeVisible();
  await start();
  const download = page.waitForEvent('download');
  finish();
  const file = await download;
  expect(file.suggestedFilename()).toBe('trips.csv');
  const text = await readFile(await file.path(), 'utf8');
  expect(text.trim().split('\n')).toHaveLength(801);
  const query = new URLSearchParams(fake.exportQueries.at(-1));
  expect(Object.fromEntries(query)).toMatchObject({
    fmt: 'csv',
    sort_by: 'km',
    sort_dir: 'asc',
    search: 'vaise',
  });
});
