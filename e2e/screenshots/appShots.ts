/** Screenshots of apps with slides, of snippets, and of the stored results of a cell. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { CellText } from '../support/notebookFolder.ts';
import { live, made, notebook, runAll, type Shot, type Stage } from './stage.ts';

const SALES: readonly CellText[] = [
  { id: 'title', language: 'markdown', source: '# Sales by region\n\nFigures of the first half of 2026.' },
  {
    id: 'regions',
    source:
      '# @name regions\nregions = [{"region": "north", "sold": 12}, {"region": "south", "sold": 9}]\nregions',
  },
  { id: 'outlook', language: 'markdown', source: '## Outlook\n\nThe south grows.' },
];

const SNIPPETS = `[[snippets]]
name = "Load sales"
language = "python"
source = "sales = load()"

[[snippets]]
name = "Customers of the last quarter, with the name of the region that each one had at the end of it"
language = "sql"
source = "SELECT 1"
`;

/** Shows the second slide of the app of a small notebook. */
async function slides(page: Page): Promise<void> {
  await live(page);
  await runAll(page);
  const app = page.url().replace('#/notebook/', '#/app/');
  await page.goto(`${app}&edit=1`);
  await page.getByRole('radio', { name: 'Slides' }).click();
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Next slide' }).click();
}

const sales = (stage: Stage): Promise<string> => made(stage, { name: 'sales', title: 'Sales', cells: SALES });

async function snippets(page: Page): Promise<void> {
  const list = page.getByRole('region', { name: 'Snippets' });
  await list.scrollIntoViewIfNeeded();
  await list.evaluate((box) => box.scrollIntoView({ block: 'start' }));
}

/** Apps, snippets and stored results of a cell. */
export const APP_SHOTS: readonly Shot[] = [
  { name: 'app-slides', address: sales, show: slides },
  {
    name: 'app-slides-full',
    address: sales,
    show: async (page) => {
      await slides(page);
      await page.keyboard.press('f');
      await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
    },
  },
  {
    name: 'app-slides-edited',
    address: sales,
    show: async (page) => {
      await slides(page);
      await page.getByRole('link', { name: 'Edit layout' }).click();
      await page.getByRole('button', { name: 'Move slide 3 up' }).click();
      await page.getByRole('button', { name: 'Move slide 2 down' }).waitFor();
    },
  },
  {
    name: 'snippets',
    address: async ({ root }) => {
      await writeFile(join(root, 'snippets.toml'), SNIPPETS);
      return '#/settings';
    },
    show: snippets,
  },
  {
    name: 'snippets-edited',
    address: async ({ root }) => {
      await writeFile(join(root, 'snippets.toml'), SNIPPETS);
      return '#/settings';
    },
    show: async (page) => {
      await snippets(page);
      await page.getByRole('button', { name: 'Edit Load sales' }).click();
      await page.getByRole('dialog', { name: 'Edit snippet' }).waitFor();
    },
  },
  {
    name: 'snippets-failing',
    address: async ({ root }) => {
      await writeFile(join(root, 'snippets.toml'), '[[snippets]\nname = 1\n');
      return '#/settings';
    },
    show: snippets,
  },
  {
    name: 'cell-results',
    address: (stage) => notebook(stage, 'first-steps'),
    show: async (page) => {
      await live(page);
      await runAll(page);
      await page.locator('[data-cell-id=smooth] .bar').click({ position: { x: 200, y: 14 } });
      await page.locator('[data-cell-id=smooth][aria-current=true]').waitFor();
      const results = page.getByRole('heading', { name: 'Stored results' });
      const inspector = page.getByRole('button', { name: 'Inspector', exact: true }).first();
      if ((await inspector.getAttribute('aria-pressed')) === 'false') await inspector.click();
      await results.evaluate((box) => box.scrollIntoView({ block: 'center' }));
      await page.getByRole('button', { name: 'Promote…' }).waitFor();
    },
  },
];
