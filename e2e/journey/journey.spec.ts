import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** Runs every cell by the menu beside the button that runs what is stale. */
async function runAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More ways to run' }).click();
  await page.getByRole('menuitem', { name: 'Run all', exact: true }).click();
}

/**
 * The main job, as a person does it: open an example, run it, change a cell, see why the rest is stale, run
 * again; restart the server and find everything where it was, for free.
 */
let root = '';
let notebook = '';
let server: ServerProcess;

test.beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-journey-'));
  notebook = join(root, 'seattle-weather');
  await cp(join(PROJECT_ROOT, 'examples/seattle-weather'), notebook, {
    recursive: true,
    filter: (source) => !/[\\/](\.svc|\.venv|uv\.lock)$/.test(source),
  });
  server = await startServerProcess({ grants: [root] });
});
test.afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const status = (page: Page, id: string) => page.locator(`[data-cell-id=${id}] .bar [data-status]`);
const CODE_CELLS = [
  'load',
  'quality',
  'monthly',
  'rainfig',
  'season',
  'spells',
  'kinds',
  'tempfig',
  'verdict',
];

async function open(page: Page): Promise<void> {
  await page.goto(`${server.url}/#/open?path=${encodeURIComponent(notebook)}`);
  await expect(
    page.getByRole('heading', { name: 'Four years of weather in Seattle', level: 1 }).first(),
  ).toBeVisible();
}

async function allReady(page: Page): Promise<void> {
  for (const id of CODE_CELLS) {
    await expect(status(page, id)).toHaveAttribute('data-status', 'ready', { timeout: 60_000 });
  }
}

test('[WI-4] [ST-6] open, run all, edit, see why, run, restart, all hits', async ({ page }) => {
  test.setTimeout(300_000);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await open(page);
  await runAll(page);
  await expect(status(page, 'load')).toHaveAttribute('data-status', 'ready', { timeout: 240_000 });
  await allReady(page);

  const table = page.locator('[data-cell-id=load] table, [data-cell-id=load] [role=grid]').first();
  await expect(table).toContainText('precipitation');
  await expect(table).toContainText('10.9');
  const figure = page.locator('[data-cell-id=rainfig] img');
  await expect(figure).toBeVisible();
  expect(await figure.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300);
  await expect(page.locator('[data-cell-id=verdict]')).toContainText('It rains on 43% of days');

  await page.locator('[data-cell-id=load] .code, [data-cell-id=load] pre').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.type('\nweather = weather[weather["date"] < "2015-01-01"]');
  await page.keyboard.press('Escape');
  await expect(status(page, 'monthly')).toHaveAttribute('data-status', 'stale');
  await expect(page.locator('[data-cell-id=monthly] .chip').first()).toContainText('stale: weather changed');
  await expect(page.locator('[data-cell-id=load] .chip').first()).toContainText('source changed');

  await runAll(page);
  await allReady(page);
  await expect(page.locator('[data-cell-id=quality]')).toContainText('1096');

  const { port, storageDir } = server;
  await server.stop();
  server = await startServerProcess({ grants: [root], port, storageDir });
  await page.reload();
  await allReady(page);
  await expect(page.locator('[data-cell-id=rainfig] img')).toBeVisible();
  await expect(page.locator('[data-cell-id=quality]')).toContainText('1096');
  await runAll(page);
  for (const id of CODE_CELLS) {
    await expect(page.locator(`[data-cell-id=${id}] .chip`).first()).toContainText('cached');
  }
});
