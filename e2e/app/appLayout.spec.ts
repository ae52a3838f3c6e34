/**
 * The app view of a notebook and its layout editor in a browser: grid, slides and tabs by pointer and keyboard,
 * against a real server whose notebook.toml is read back.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { longOnly } from '../support/longOnly.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { type ServedNotebook, test } from '../support/realServerFixture.ts';
import { rest } from '../support/rest.ts';

const CELLS: readonly CellText[] = [
  { id: 'title', source: '# Sales', language: 'markdown' },
  { id: 'head1', source: '## Regions\n\nWhere we sell.', language: 'markdown' },
  {
    id: 'ctl',
    source: '# @name year\ny = slider(2020, 2026, default=2024, label="Year")',
    language: 'widget',
  },
  { id: 'north', source: '# @name north\n[{"region": "north", "sold": 12}]' },
  { id: 'head2', source: '## Outlook', language: 'markdown' },
  { id: 'south', source: '# @name south\n"south will grow"' },
  { id: 'setup', source: '# @name prices\nprices = [1, 2]' },
];

async function runCells({ server, sessionId }: ServedNotebook): Promise<void> {
  for (const id of ['north', 'south', 'setup']) {
    const path = `/v1/notebooks/${sessionId}/cells/${id}/execute`;
    expect((await rest(server.url, 'POST', path)).status).toBe(200);
  }
}

const appUrl = (url: string, more = ''): string => `${url.replace('#/notebook/', '#/app/')}${more}`;
const box = (page: Page, id: string) => page.locator(`[data-grid-cell=${id}]`);
const placeOf = async (page: Page, id: string): Promise<string> =>
  (await box(page, id).getAttribute('aria-label'))?.replace(/^[^:]*: /, '') ?? '';

/** The lines of notebook.toml about the app: its table and the keys of cells. */
async function appKeys({ dir }: ServedNotebook): Promise<string> {
  const lines = (await readFile(join(dir, 'notebook.toml'), 'utf8')).split('\n');
  return lines
    .filter((line) => /^(\[app\]|app = |layout = |theme = |title = |tabs = |slides = )/.test(line))
    .join('\n');
}

/** Drags with the pointer in steps, like a user. */
async function drag(
  page: Page,
  from: Locator,
  by: { readonly x: number; readonly y: number },
): Promise<void> {
  const at = await from.boundingBox();
  if (at === null) throw new Error('there is nothing to drag');
  const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 8; step += 1)
    await page.mouse.move(x + (by.x * step) / 8, y + (by.y * step) / 8);
  await page.mouse.up();
}

test('[WI-393] [WI-394] a grid is arranged by pointer and keyboard, can be undone, and is the same after a reload', async ({
  page,
  serveReal,
}) => {
  test.slow();
  const served = await serveReal(CELLS);
  await runCells(served);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(appUrl(served.url));
  await page.getByRole('link', { name: 'Edit layout' }).click();
  await page.getByRole('radio', { name: 'Grid' }).click();
  await expect(box(page, 'north')).toBeVisible();
  await expect.poll(() => appKeys(served)).toBe('[app]\nlayout = "grid"');

  // By pointer: first made narrower, then moved beside another cell.
  const width = (await box(page, 'north').boundingBox())?.width ?? 0;
  await drag(page, box(page, 'north').locator('.react-resizable-handle-e'), { x: -width / 2, y: 0 });
  await expect.poll(() => placeOf(page, 'north')).toMatch(/^Column 1, row \d+, 6 of 12 columns wide/);
  await drag(page, box(page, 'north').locator('.app-grip'), { x: width / 2, y: 0 });
  await expect.poll(() => placeOf(page, 'north')).toMatch(/^Column 7, /);
  await expect.poll(() => appKeys(served)).toMatch(/app = \{ grid = \[6, \d+, 6, 9\] \}/);

  // By keyboard, with an announcement.
  await box(page, 'north').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => placeOf(page, 'north')).toMatch(/10 rows high$/);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => placeOf(page, 'north')).toMatch(/^Column 6, /);
  await expect(page.locator('.app-grid [role=status]')).toContainText('north: Column 6,');
  const before = await placeOf(page, 'north');
  await page.keyboard.press('Control+z');
  await expect.poll(() => placeOf(page, 'north')).toMatch(/^Column 7, .*10 rows high$/);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => placeOf(page, 'north')).toBe(before);
  await expectAccessible(page);

  // The app view without the layout editor has no handles.
  await page.goto(appUrl(served.url));
  await expect(box(page, 'north')).toContainText('north');
  await expect(page.locator('.app-grip')).toHaveCount(0);
  await page.goto(appUrl(served.url, '&edit=1'));
  await box(page, 'north').focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => placeOf(page, 'north')).toMatch(/^Column 5, .*10 rows high$/);
  await expect.poll(() => appKeys(served)).toMatch(/app = \{ grid = \[4, /);

  await page.reload();
  await expect.poll(() => placeOf(page, 'north')).toMatch(/^Column 5, .*10 rows high$/);

  // In a narrow window there is one column, in reading order.
  await page.setViewportSize({ width: 480, height: 900 });
  await expect(page.locator('.react-grid-layout')).toHaveCount(0);
  await expect(page.getByText('too narrow for the grid')).toBeVisible();
});

test(
  '[WI-395] [WI-396] slides and tabs are changed by keyboard, look right in both themes, and every cell is printed',
  longOnly('src-renderer/appView/appEdit.test.tsx', 'e2e/contract/appLayout.test.ts'),
  async ({ page, serveReal }) => {
    test.slow();
    const served = await serveReal(CELLS);
    await runCells(served);
    await page.goto(appUrl(served.url, '&edit=1'));
    await page.getByRole('radio', { name: 'Slides' }).click();
    await page.getByRole('button', { name: 'Move Regions to the previous slide' }).click();
    await expect.poll(() => appKeys(served)).toBe('[app]\nlayout = "slides"\napp = { slide = "join" }');
    await page.getByRole('link', { name: 'Done' }).click();

    await expect(page.getByText('1 / 5')).toBeVisible();
    await expect(page.getByText('Where we sell.')).toBeVisible();
    await page.keyboard.press('End');
    await expect(page.getByText('5 / 5')).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('heading', { name: 'Outlook' })).toBeVisible();
    await expect(page).toHaveURL(/slide=4/);
    await page.reload();
    await expect(page.getByText('4 / 5')).toBeVisible();
    await page.keyboard.press('Home');
    // An arrow key on a control does not change the slide.
    await page.keyboard.press('ArrowRight');
    await page.getByRole('slider', { name: 'Year' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText('2 / 5')).toBeVisible();
    await page.getByRole('button', { name: 'Next slide' }).focus();
    await expectAccessible(page);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading', { name: 'Sales', level: 1 }).last()).toBeVisible();
    await expect(page.getByText('south will grow')).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await expect(page.getByText('south will grow')).toBeHidden();

    await page.getByRole('link', { name: 'Edit layout' }).click();
    await page.getByRole('radio', { name: 'Tabs' }).click();
    await expect(page.getByRole('tab')).toHaveText(['Overview', 'Regions', 'Outlook']);
    await page.getByRole('textbox', { name: 'Tab name' }).fill('Start');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab')).toHaveText(['Start', 'Regions', 'Outlook']);
    await page.getByRole('combobox', { name: 'Theme' }).click();
    await page.getByRole('option', { name: 'Dark' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('tab', { name: 'Start' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText('Where we sell.')).toBeVisible();
    await expect(page).toHaveURL(/tab=Regions/);
    await expectAccessible(page, { coloursOnly: true });
  },
);

test('[WI-407] [ED-99] [ED-101] slides are ordered by dragging and shown in full screen; Escape leaves it', async ({
  page,
  serveReal,
}) => {
  test.slow();
  const served = await serveReal(CELLS);
  await runCells(served);
  await page.goto(appUrl(served.url, '&edit=1'));
  await page.getByRole('radio', { name: 'Slides' }).click();
  await expect.poll(() => appKeys(served)).toBe('[app]\nlayout = "slides"');

  // By pointer, then by keyboard with an announcement.
  const row = (number: number) => page.locator('.app-slide-row').nth(number - 1);
  const height = (await row(1).boundingBox())?.height ?? 0;
  await drag(page, row(6).locator('.app-slide-name'), { x: 0, y: -height });
  await expect(row(5)).toContainText('south');
  await expect.poll(() => appKeys(served)).toContain('"north", "south", "head2"]');
  await row(1).locator('.app-slide-grip').focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Sales picked up.')).toBeAttached();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText('Sales: position 2 of 6')).toBeAttached();
  await page.keyboard.press('Space');
  await expect(row(2)).toContainText('Sales');
  await expect(row(2).locator('.app-slide-grip')).toBeFocused();
  await expect.poll(() => appKeys(served)).toContain('slides = ["head1", "title", ');
  await expectAccessible(page);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => appKeys(served)).toBe('[app]\nlayout = "slides"');
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page.getByText('1 / 6')).toBeVisible();
  const isFull = (): Promise<boolean> =>
    page.evaluate(() => document.fullscreenElement?.matches('.app-deck') ?? false);

  await page.keyboard.press('f');
  await expect.poll(isFull).toBe(true);
  await expect(page.getByRole('button', { name: 'Leave full screen' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('2 / 6')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByText('south will grow')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect.poll(isFull).toBe(false);
  await expect(page.getByText('6 / 6')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Full screen' })).toBeVisible();

  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect.poll(isFull).toBe(true);
  await page.keyboard.press('f');
  await expect.poll(isFull).toBe(false);
});
