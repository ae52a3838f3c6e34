import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { seriousFaults } from '../support/seriousFaults.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** The main job without a mouse: nothing here clicks, hovers or puts the focus anywhere but by keys. */
let storage = '';
let server: ServerProcess;

test.beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), 'cellar-keys-'));
  const notebook = join(storage, 'by-keys');
  await cp(join(PROJECT_ROOT, 'examples/seattle-weather'), notebook, {
    recursive: true,
    filter: (source) => !/[\\/](\.svc|\.venv|uv\.lock)$/.test(source),
  });
  const file = join(notebook, 'notebook.toml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^name = .*$/m, 'name = "Weather by keys"'));
  server = await startServerProcess({ storageDir: storage });
});
test.afterAll(() => server.dispose());

const status = (page: Page, id: string) => page.locator(`[data-cell-id=${id}] .bar [data-status]`);

/** Presses a key until what has the focus says these words. */
async function pressUntil(page: Page, key: string, words: RegExp): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    const text = await page.evaluate(() => {
      const active = document.activeElement;
      return active === document.body
        ? ''
        : `${active?.getAttribute('aria-label') ?? ''} ${active?.textContent ?? ''}`;
    });
    if (words.test(text)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reached ${words}`);
}

async function goTo(page: Page, name: string, id = name): Promise<void> {
  await page.keyboard.press('Control+P');
  await expect(page.getByRole('dialog', { name: 'Go to' })).toBeVisible();
  await page.keyboard.type(name);
  await expect(page.getByRole('option').first()).toContainText(name);
  await page.keyboard.press('Enter');
  await expect(page.locator(`[data-cell-id=${id}]`)).toBeFocused();
}

async function allReady(page: Page): Promise<void> {
  for (const id of ['load', 'quality', 'monthly', 'rainfig', 'verdict']) {
    await expect(status(page, id)).toHaveAttribute('data-status', 'ready', { timeout: 240_000 });
  }
}

test('[WI-4] [ED-2] from the first page to a changed result by keys alone', async ({ page }) => {
  test.setTimeout(400_000);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(`${server.url}/`);
  await expect(page.getByText('Weather by keys').first()).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await pressUntil(page, 'Tab', /Weather by keys/);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=load]')).toBeVisible();
  await expect(page.locator('[data-link=live]')).toBeVisible();

  await page.keyboard.press('Control+Shift+Enter');
  await allReady(page);
  await goTo(page, 'rain_figure', 'rainfig');
  await expect(page.locator('[data-cell-id=rainfig] img')).toBeInViewport();
  await goTo(page, 'weather', 'load');
  await expect(page.locator('[data-cell-id=load]')).toContainText('precipitation');
  expect(await seriousFaults(page)).toEqual([]);

  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cell-id=load] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.type('\nweather = weather[weather["date"] < "2015-01-01"]');
  await page.keyboard.press('Escape');
  await expect(status(page, 'monthly')).toHaveAttribute('data-status', 'stale');
  await expect(page.locator('[data-cell-id=monthly] .chip').first()).toContainText('stale: weather changed');
  expect(await seriousFaults(page)).toEqual([]);

  await page.keyboard.press('Control+Alt+Enter');
  await allReady(page);
  await expect(page.locator('[data-cell-id=quality]')).toContainText('1096');

  // Deleted, and back with its result: nothing has to run again.
  await goTo(page, 'checks', 'quality');
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await expect(page.locator('[data-cell-id=quality]')).toHaveCount(0);
  await page.keyboard.press('z');
  await expect(page.locator('[data-cell-id=quality]')).toContainText('1096');
  await expect(status(page, 'quality')).toHaveAttribute('data-status', 'ready');

  // And the first page again.
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('all notebooks');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Weather by keys').first()).toBeVisible();
});
