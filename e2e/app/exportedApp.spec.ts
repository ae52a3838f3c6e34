/**
 * Tests exported apps in a browser: slides, tabs and grid of an HTML export, opened from disk and printed. The file has
 * no script and its policy allows none, so CSS does all of this.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { openMemoryStore } from '../../src-main/artifacts/testing/memoryStore.ts';
import { RENDER_DEFAULTS } from '../../src-main/convert/export/blocks.ts';
import { htmlExport } from '../../src-main/convert/export/htmlExport.ts';
import { display, exportedCell, exportView } from '../../src-main/convert/testing/views.ts';
import { allOf } from '../../src-main/convert/testing/zips.ts';
import { notebookFolder } from '../../src-main/notebook/folder/notebookFolder.ts';
import type { AppLayout } from '../../src-shared/wire/appLayout.ts';
import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { test } from '../support/warmTest.ts';

test.use({ viewport: { width: 1280, height: 800 } });

const CELLS = [
  exportedCell({ id: 'title', language: 'markdown', source: '# Sales by region\n\nThe first half of 2026.' }),
  exportedCell({ id: 'head', language: 'markdown', source: '## Regions\n\nWhere we sell.' }),
  exportedCell(
    {
      id: 'regions',
      source: 'regions',
      display_outputs: [
        display({
          content_type: 'arrow/ipc',
          columns: ['region', 'sold'],
          rows: 30,
          preview: Array.from({ length: 12 }, (_, at) => [`region ${at}`, at * 3]),
        }),
      ],
    },
    { title: 'regions' },
  ),
  exportedCell({ id: 'outlook', language: 'markdown', source: '## Outlook\n\nThe south grows.' }),
  exportedCell(
    { id: 'total', source: 'total = 21\ntotal', display_outputs: [display({ preview: 'total 21' })] },
    { title: 'total' },
  ),
];

/** Opens the exported file of the notebook with this layout. */
async function open(page: Page, app: AppLayout): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'cellar-exported-'));
  const store = await openMemoryStore();
  try {
    const view = exportView(notebookFolder(root), store, { cells: CELLS, app });
    const pieces = htmlExport(view, { ...RENDER_DEFAULTS, appView: true, appLayout: true });
    const file = join(root, 'app.html');
    await writeFile(file, await allOf(pieces));
    await page.goto(pathToFileURL(file).href);
  } finally {
    await store.close();
    await rm(root, { recursive: true, force: true });
  }
}

test('[VA-107] keys and links move an exported app slide by slide, and each slide is one printed page', async ({
  page,
}) => {
  await open(page, {
    layout: 'slides',
    slides: ['title', 'outlook', 'head'],
    cells: { total: { slide: 'join' }, regions: { slide: 'join' } },
  });
  /** The number of the slide at the top of the window; 0 while the page is between two slides. */
  const current = (): Promise<number> =>
    page.evaluate(() => {
      const slides = [...document.querySelectorAll('.slide')];
      return slides.findIndex((one) => Math.abs(one.getBoundingClientRect().top) < 2) + 1;
    });
  await expect(page.getByRole('region', { name: 'Slide 1 of 3' })).toContainText('Sales by region');
  await expectAccessible(page);
  await page.keyboard.press('PageDown');
  await expect.poll(current).toBe(2);
  await page.keyboard.press('ArrowDown');
  await expect.poll(current).toBe(3);
  await expect(page.getByText('Where we sell.')).toBeInViewport();
  await page.keyboard.press('Home');
  await expect.poll(current).toBe(1);
  await page.getByRole('link', { name: 'Next slide' }).first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#slide-2$/);
  await expect.poll(current).toBe(2);
  await page.getByRole('link', { name: 'Previous slide' }).first().click();
  await expect.poll(current).toBe(1);

  await page.emulateMedia({ media: 'print' });
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(3);
});

test('[VA-107] exported tabs are changed by key, and all of them are printed', async ({ page }) => {
  await open(page, { layout: 'tabs', theme: 'dark', cells: { total: { tab: 'Figures' } } });
  await expect(page.getByRole('radio')).toHaveCount(4);
  await expect(page.getByText('The first half of 2026.')).toBeVisible();
  await expect(page.getByText('Where we sell.')).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: 'Overview' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Regions' })).toBeChecked();
  await expect(page.getByText('Where we sell.')).toBeVisible();
  await expect(page.getByText('The first half of 2026.')).toBeHidden();
  await expectAccessible(page);
  await page.getByText('Figures', { exact: true }).first().click();
  await expect(page.getByText('total 21')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  for (const text of ['The first half of 2026.', 'Where we sell.', 'The south grows.', 'total 21'])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Figures' })).toBeVisible();
});

test('[VA-107] an exported grid keeps its layout, and has one column in a narrow window', async ({
  page,
}) => {
  await open(page, {
    layout: 'grid',
    cells: { total: { grid: [0, 0, 6, 5] }, regions: { grid: [6, 0, 6, 5] }, title: { grid: [0, 5, 6, 4] } },
  });
  const box = async (name: string) => {
    const place = await page.getByRole('article', { name, exact: true }).boundingBox();
    if (place === null) throw new Error(`no box of ${name}`);
    return place;
  };
  const [total, regions, title] = [await box('total'), await box('regions'), await box('Sales by region')];
  expect(Math.abs(total.y - regions.y)).toBeLessThan(1);
  expect(regions.x).toBeGreaterThan(total.x + total.width);
  expect(title.y).toBeGreaterThanOrEqual(total.y + total.height);
  // Nothing is cut off, because the row of a table grows.
  await expect(page.getByText('region 11')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await expectAccessible(page);
  await page.setViewportSize({ width: 480, height: 800 });
  const narrow = [await box('total'), await box('regions'), await box('Sales by region')];
  expect(new Set(narrow.map(({ x }) => Math.round(x))).size).toBe(1);
  expect(narrow.map(({ y }) => y)).toEqual(narrow.map(({ y }) => y).sort((a, b) => a - b));
});
