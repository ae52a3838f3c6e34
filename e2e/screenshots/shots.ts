import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openReady, rest } from '../support/rest.ts';

/** Where the pictures are taken: a real server, and a folder with copies of the examples. */
export interface Stage {
  readonly root: string;
  readonly url: string;
}

/** One picture, in every look and width. */
export interface Shot {
  /** The file's name: `<name>-<look>-<width>.png`. */
  readonly name: string;
  /** The address to go to, after the server's: it may prepare what is seen there. */
  readonly address: (stage: Stage) => string | Promise<string>;
  /** What a person does until the page is worth a picture. */
  readonly show: (page: Page, stage: Stage) => Promise<void>;
  readonly recents?: (stage: Stage, nowMs: number) => readonly object[];
}

const HOUR_MS = 3_600_000;

const recents: NonNullable<Shot['recents']> = ({ root }, nowMs) => [
  { path: join(root, 'penguins'), name: 'Penguins', openedAtMs: nowMs - 2 * HOUR_MS, pinned: true },
  { path: '/media/usb/thesis', name: 'Thesis data', openedAtMs: nowMs - 30 * HOUR_MS },
];

const home = (): string => '#/';

async function homeReady(page: Page): Promise<void> {
  await page.locator('.home-main[aria-busy=false]').waitFor();
  await page.locator('.examples li').first().waitFor();
}

/** The address of an example, opened and its environment ready. */
async function notebook({ root, url }: Stage, name: string): Promise<string> {
  const { session_id, path } = await openReady(url, join(root, name));
  return `#/notebook/${session_id}?path=${encodeURIComponent(path)}`;
}

async function live(page: Page): Promise<void> {
  await page.locator('[data-link=live]').first().waitFor();
  await page.locator('[data-cell-id]').first().waitFor();
  // The code has its colours.
  await page.locator('.code-text span').first().waitFor();
}

/** Runs what is not ready and waits until all of it is; an unchanged notebook is ready at once. */
async function runAll(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+Enter');
  await page.waitForFunction(
    () =>
      document.querySelectorAll('[data-cell-id][data-status=ready]').length > 0 &&
      document.querySelector(
        '[data-cell-id]:is([data-status=running], [data-status=idle]):not(.cell-text)',
      ) === null,
    undefined,
    { timeout: 180_000 },
  );
}

/** The address of an example whose cell says something else. */
async function edited(stage: Stage, how: { name: string; cell: string; source: string }): Promise<string> {
  const address = await notebook(stage, how.name);
  const session = /notebook\/([^?]+)/.exec(address)?.[1] ?? '';
  await rest(stage.url, 'PUT', `/v1/notebooks/${session}/cells/${how.cell}`, { source: how.source });
  return address;
}

const SLOW = `# @name training
import time

for epoch in range(1, 41):
    bar = "\u2588" * (epoch // 2)
    print(f"\\repoch {epoch:2}/40 {bar:<20} loss {1 / epoch:.4f}", end="")
    time.sleep(0.5)`;

const BROKEN = `# @name spots
import csv

with open("data/sunspots.csv", newline="") as file:
    spots = {int(row["YEARS"]): float(row["SUNACTIVITY"]) for row in csv.DictReader(file)}`;

const smoothed = (window: number): string => `# @name smooth
from statistics import fmean

WINDOW = ${window}

years = sorted(spots)
smooth = {
    year: round(fmean(spots[y] for y in range(year - WINDOW // 2, year + WINDOW // 2 + 1) if y in spots), 1)
    for year in years
}`;

async function choose(page: Page, cell: string): Promise<void> {
  await page.locator(`[data-cell-id=${cell}] .bar`).click({ position: { x: 200, y: 14 } });
  await page.locator(`[data-cell-id=${cell}][aria-current=true]`).waitFor();
}

/** Add a row; `npm run screenshots -- NAME` takes it alone. */
export const SHOTS: readonly Shot[] = [
  { name: 'home', address: home, recents, show: homeReady },
  {
    name: 'home-new',
    address: home,
    recents,
    show: async (page) => {
      await homeReady(page);
      await page.getByRole('button', { name: 'New notebook' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Bike trips');
    },
  },
  {
    name: 'settings',
    address: () => '#/settings',
    recents,
    show: async (page) => {
      await homeReady(page);
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    },
  },
  { name: 'notebook', address: (stage) => notebook(stage, 'first-steps'), show: live },
  {
    name: 'notebook-run',
    address: (stage) => notebook(stage, 'first-steps'),
    show: async (page) => {
      await live(page);
      await runAll(page);
    },
  },
  {
    name: 'palette',
    address: (stage) => notebook(stage, 'first-steps'),
    show: async (page) => {
      await live(page);
      await page.keyboard.press('Control+Shift+P');
      await page.getByRole('dialog').first().waitFor();
    },
  },
  {
    name: 'stale',
    address: (stage) => edited(stage, { name: 'first-steps', cell: 'smooth', source: smoothed(11) }),
    show: async (page, stage) => {
      await live(page);
      await runAll(page);
      await edited(stage, { name: 'first-steps', cell: 'smooth', source: smoothed(5) });
      await page.locator('[data-cell-id=peaks][data-status=stale]').waitFor();
      await choose(page, 'peaks');
    },
  },
  {
    name: 'error',
    address: async (stage) => edited(stage, { name: 'first-steps', cell: 'spots', source: BROKEN }),
    show: async (page) => {
      await live(page);
      await page.locator('[data-status=running]').first().waitFor({ state: 'detached', timeout: 60_000 });
      await choose(page, 'spots');
      await page.keyboard.press('Control+Enter');
      await page.locator('[data-cell-id=spots][data-status=error]').waitFor();
    },
  },
  {
    name: 'running',
    address: async (stage) => edited(stage, { name: 'first-steps', cell: 'quiet', source: SLOW }),
    show: async (page) => {
      await live(page);
      await choose(page, 'quiet');
      const running = page.locator('[data-cell-id=quiet][data-status=running]');
      if ((await running.count()) === 0) await page.keyboard.press('Control+Enter');
      await page.locator('[data-cell-id=quiet] .console', { hasText: 'epoch' }).waitFor();
    },
  },
  {
    name: 'figure',
    address: (stage) => notebook(stage, 'seattle-weather'),
    show: async (page) => {
      await live(page);
      await runAll(page);
      await choose(page, 'rainfig');
      await page.locator('[data-cell-id=rainfig] img').first().waitFor();
      await page.locator('[data-cell-id=rainfig]').evaluate((cell) => cell.scrollIntoView());
    },
  },
  {
    name: 'graph',
    address: (stage) => notebook(stage, 'seattle-weather'),
    show: async (page) => {
      await live(page);
      await page.getByRole('button', { name: 'Graph' }).first().click();
      await page.locator('.react-flow__node').first().waitFor();
    },
  },
  {
    name: 'table',
    address: (stage) => notebook(stage, 'seattle-weather'),
    show: async (page) => {
      await live(page);
      await runAll(page);
      await page.locator('[data-cell-id=load]').getByRole('button', { name: 'Open' }).click();
      await page.getByRole('dialog').getByRole('row').nth(5).waitFor();
    },
  },
];
