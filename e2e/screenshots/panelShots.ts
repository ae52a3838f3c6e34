/** Screenshots of the panels, prompts, the app view and the diagnostics, also when something fails. */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { writeWheel } from '../../src-main/environment/testing/testIndex.ts';
import { writeNotebook } from '../support/notebookFolder.ts';
import { rest } from '../support/rest.ts';
import { live, made, notebook, runAll, type Shot, type Stage } from './stage.ts';

const PACKAGES = [
  { name: 'pandas', version: '2.3.1', requires: ['numpy>=1.26'] },
  { name: 'numpy', version: '2.3.0' },
  { name: 'altair', version: '5.5.0' },
];

/** A notebook whose packages come from a folder beside it, so that its screenshots need no network. */
async function packed(stage: Stage, name: string): Promise<string> {
  const wheels = join(stage.root, 'wheels');
  await mkdir(wheels, { recursive: true });
  for (const wheel of PACKAGES) await writeWheel(wheels, wheel);
  const dir = await writeNotebook(join(stage.root, name), {
    cells: [
      { id: 'prices', source: '# @name prices\nimport pandas\n\nprices = [14, 11, 17]' },
      { id: 'chart', source: '# @name chart\nimport sklearn.linear_model\n\nmax(prices)' },
    ],
  });
  const file = join(dir, 'pyproject.toml');
  const project = (await readFile(file, 'utf8')).replace(/\n\[tool\.uv\][\s\S]*$/, '\n');
  const settings = `\n[tool.uv]\nno-index = true\nfind-links = [${JSON.stringify(wheels)}]\n`;
  const changed = project.replace(/^dependencies = \[\]/m, 'dependencies = ["altair", "pandas>=2"]');
  if (!changed.includes('[tool.uv]')) await writeFile(file, changed + settings);
  const title = join(dir, 'notebook.toml');
  await writeFile(title, (await readFile(title, 'utf8')).replace('Test notebook', 'Bike prices'));
  return notebook(stage, name);
}

async function panel(page: Page, name: 'Data' | 'Environment' | 'Files'): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
}

/** Runs a command from the palette. */
async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
}

/** The URL of a notebook with two connections, the second of which is unreachable. */
async function connected(stage: Stage): Promise<string> {
  const address = await made(stage, {
    name: 'shop',
    title: 'The shop',
    cells: [
      { id: 'fruit', language: 'sql', source: '# @sql connection=shop\nSELECT name, price FROM fruit' },
    ],
  });
  const database = new Database(join(stage.root, 'shop', 'shop.db'));
  database.exec('CREATE TABLE IF NOT EXISTS fruit (id INTEGER NOT NULL, name TEXT, price REAL)');
  database.close();
  const session = /notebook\/([^?]+)/.exec(address)?.[1] ?? '';
  const one = (name: string, path: string) => ({ name, driver: 'sqlite', path, auth: {}, options: {} });
  const connections = [one('shop', 'shop.db'), one('archive', 'archive.db')];
  await rest(stage.url, 'PUT', `/v1/notebooks/${session}/connections`, { connections });
  return address;
}

/** Replaces values that differ between machines with fixed ones. */
async function plainDiagnosis(page: Page): Promise<void> {
  await page.route('**/x/environment/diagnosis', async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text())
      .replace(/"[^"]*\/(uv|python3[.\d]*)"/g, '"/home/me/.local/bin/$1"')
      .replace(/("name":"(?:Cache|Program’s cache)","value":")[^"( ]*/g, '$1/home/me/.cache/cellar')
      .replace(/\([\d.]+ GB free/g, '(120.4 GB free');
    await route.fulfill({ response: answer, body: text });
  });
}

const prompt = (stage: Stage): Promise<string> =>
  made(stage, {
    name: 'reviews',
    title: 'Reviews',
    cells: [
      { id: 'texts', source: '# @name texts\ntexts = ["Brakes squeak.", "A joy to ride."]' },
      {
        id: 'moods',
        language: 'prompt',
        source: '# @name moods\n# @output json\nSay of each review whether it is glad or cross:\n{{ texts }}',
      },
    ],
  });

const app = (address: string): string => address.replace('#/notebook/', '#/app/');

export const PANEL_SHOTS: readonly Shot[] = [
  {
    name: 'packages',
    address: (stage) => packed(stage, 'prices'),
    show: async (page) => {
      await live(page);
      await panel(page, 'Environment');
      await page.locator('[data-package=pandas]').waitFor();
      await page.locator('[data-environment-state=ready]').waitFor();
    },
  },
  {
    name: 'packages-failing',
    address: (stage) => packed(stage, 'prices'),
    show: async (page) => {
      await live(page);
      const failed = page.locator('[data-cell-id=chart][data-status=error]');
      if ((await failed.count()) === 0) {
        await page.locator('[data-cell-id=chart]').getByRole('button', { name: /^Run/ }).first().click();
        const only = page.getByRole('button', { name: /only this/i });
        await failed.or(only).first().waitFor();
        if ((await only.count()) > 0) await only.click();
      }
      await page.getByRole('button', { name: 'Install scikit-learn' }).click();
      await page.getByRole('dialog', { name: 'Add scikit-learn' }).getByRole('alert').waitFor();
    },
  },
  {
    name: 'connections',
    address: connected,
    show: async (page) => {
      await live(page);
      await panel(page, 'Data');
      const section = page.getByRole('region', { name: 'Connections' });
      await section.getByText('shop', { exact: true }).click();
      await section.getByText('fruit', { exact: true }).click();
      await section.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'connections-failing',
    address: connected,
    show: async (page) => {
      await live(page);
      await panel(page, 'Data');
      const section = page.getByRole('region', { name: 'Connections' });
      await section.getByRole('button', { name: 'Test connection archive' }).click();
      await section.locator('[data-connection=archive] [aria-live]', { hasText: 'archive.db' }).waitFor();
      await section.scrollIntoViewIfNeeded();
    },
  },
  { name: 'prompt', address: prompt, show: live },
  {
    name: 'prompt-failing',
    address: prompt,
    show: async (page) => {
      await live(page);
      await page.keyboard.press('Control+Shift+Enter');
      await page.locator('[data-cell-id=moods][data-status=error] .error-summary').waitFor();
    },
  },
  {
    name: 'app',
    address: (stage) => notebook(stage, 'slider-and-chart'),
    show: async (page) => {
      await live(page);
      await runAll(page);
      await page.goto(app(page.url()));
      await page.getByRole('slider').first().waitFor();
    },
  },
  {
    name: 'app-grid-edited',
    address: (stage) => notebook(stage, 'slider-and-chart'),
    show: async (page) => {
      await live(page);
      await runAll(page);
      await page.goto(`${app(page.url())}&edit=1`);
      await page.getByRole('radio', { name: 'Grid' }).click();
      await page.getByRole('slider').first().waitFor();
    },
  },
  {
    name: 'app-failing',
    address: (stage) =>
      made(stage, {
        name: 'app-failing',
        title: 'Rent per square metre',
        cells: [
          { id: 'size', language: 'widget', source: 'size = slider(0, 100, default=0)' },
          { id: 'ratio', source: '# @name ratio\nratio = 1_130 / size\nprint(ratio)' },
        ],
      }),
    show: async (page) => {
      await live(page);
      await page.keyboard.press('Control+Shift+Enter');
      await page.locator('[data-cell-id=ratio][data-status=error]').waitFor();
      await page.goto(app(page.url()));
      await page.getByRole('slider').first().waitFor();
    },
  },
  {
    name: 'diagnostics',
    address: (stage) => packed(stage, 'prices'),
    show: async (page) => {
      await plainDiagnosis(page);
      await live(page);
      await command(page, 'environment diagnostics');
      await page.locator('.diagnosis').waitFor();
    },
  },
  {
    name: 'diagnostics-failing',
    address: async (stage) => {
      const address = await packed(stage, 'broken');
      await rm(join(stage.root, 'broken/.venv/bin'), { recursive: true, force: true });
      await writeFile(join(stage.root, 'broken/uv.lock'), '<<<<<<< ours\n');
      return address;
    },
    show: async (page) => {
      await plainDiagnosis(page);
      await live(page);
      await command(page, 'environment diagnostics');
      await page.locator('.diagnosis-wrong').waitFor();
      await page.getByRole('region', { name: 'Environment', exact: true }).scrollIntoViewIfNeeded();
    },
  },
];
