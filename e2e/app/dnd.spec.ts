/**
 * Drag and drop in a browser: cells moved by pointer and by keyboard, and files dropped on the window. Against a fake
 * server.
 */

import type { Page } from '@playwright/test';
import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell } from '../support/fakeServerNotebook.ts';

const notebook = (count: number) =>
  fakeBody({
    name: 'Order',
    cells: Array.from({ length: count }, (_, at) =>
      fakeCell({ id: `c${at}`, defines: [`v${at}`], source: `v${at} = ${at}\nv${at}`, status: 'ready' }),
    ),
  });

const cellIds = (page: Page) => () =>
  page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}` });

test('[ED-8] a cell is dragged to another position, and undo restores the order', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook(4));
  await openPage(page, url);
  await page.locator('[data-cell-id=c0]').hover();
  const from = await handle(page, 'v0').boundingBox();
  if (from === null) throw new Error('nothing to drag');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 12, from.y + 40, { steps: 4 });
  // The cards grow while their editors load, so the pointer follows the end of the third.
  await expect(async () => {
    const to = await page.locator('[data-cell-id=c2]').boundingBox();
    if (to === null) throw new Error('the third cell is not shown');
    await page.mouse.move(from.x + 12, to.y + to.height - 8, { steps: 4 });
    const line = await page.locator('[data-drop-line]').boundingBox({ timeout: 1_000 });
    expect(Math.abs((line?.y ?? 0) - (to.y + to.height))).toBeLessThan(30);
  }).toPass();
  await page.mouse.up();
  await expect(page.locator('[data-drop-line]')).toHaveCount(0);
  await expect.poll(cellIds(page)).toEqual(['c1', 'c2', 'c0', 'c3']);
  await expect.poll(() => fake.body.cells.map((cell) => cell.id)).toEqual(['c1', 'c2', 'c0', 'c3']);
  await page.keyboard.press('z');
  await expect.poll(cellIds(page)).toEqual(['c0', 'c1', 'c2', 'c3']);
});

test('[ED-8] several selected cells are moved together by keyboard, and the move is announced', async ({
  page,
  serve,
}) => {
  const { url } = await serve(notebook(5));
  await openPage(page, url);
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+J');
  await handle(page, 'v1').focus();
  await page.keyboard.press('Space');
  const live = page.locator('[id^=DndLiveRegion]');
  await expect(live).toContainText('2 cells');
  // The drag starts to listen to keys in the next turn of the event loop.
  await page.evaluate(() => new Promise((turn) => setTimeout(turn)));
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[data-drop-line]')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(live).toContainText('2 cells: position 3 of 5');
  await page.keyboard.press('Space');
  await expect.poll(cellIds(page)).toEqual(['c2', 'c3', 'c0', 'c1', 'c4']);
});

test('[ED-8] Escape during a drag leaves the order unchanged', async ({ page, serve }) => {
  const { fake, url } = await serve(notebook(3));
  await openPage(page, url);
  await page.keyboard.press('j');
  await handle(page, 'v0').focus();
  await page.keyboard.press('Space');
  // The keyboard controls the drag once it is announced.
  await expect(page.locator('[id^=DndLiveRegion]')).not.toBeEmpty();
  await page.evaluate(() => new Promise((turn) => setTimeout(turn)));
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[data-drop-line]')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-drop-line]')).toHaveCount(0);
  expect(fake.requests.filter((call) => call.name === 'reorderCells')).toEqual([]);
  await expect.poll(cellIds(page)).toEqual(['c0', 'c1', 'c2']);
});

/** Drags files over the window and drops them. */
async function dropFiles(page: Page, ...names: readonly string[]): Promise<void> {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const name of all) transfer.items.add(new File(['a,b\n1,2\n'], name));
    return transfer;
  }, names);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
  await expect(page.locator('.list-drop')).toContainText(
    'Drop data (CSV, Parquet, Excel, JSON, SQLite), a picture or a folder',
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

test('[WI-274] a dropped CSV file becomes a cell that reads it, below the selected cell; undo removes the cell', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook(2));
  fake.answers = { addFile: { path: 'Bike trips-2.csv' } };
  await openPage(page, url);
  await page.locator('[data-cell-id=c0] .cell-name').click();
  await dropFiles(page, 'Bike trips.csv', 'notes.docx');
  const toastWith = (words: string) => page.locator('.toast-words', { hasText: words });
  await expect(toastWith('notes.docx is not a file that a cell can read.')).toBeVisible();
  await expect(toastWith('Bike trips-2.csv was copied into the notebook’s folder.')).toBeVisible();
  await expect
    .poll(() => fake.body.cells.map((cell) => cell.source))
    .toEqual([
      'v0 = 0\nv0',
      'import pandas as pd\n\nbike_trips_2 = pd.read_csv("Bike trips-2.csv")\nbike_trips_2',
      'v1 = 1\nv1',
    ]);
  await page.keyboard.press('z');
  await expect.poll(cellIds(page)).toEqual(['c0', 'c1']);
});
