/** Every screenshot that `npm run screenshots` takes: the notebooks it shows, and the steps to each view. */

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { CellText } from '../support/notebookFolder.ts';
import { APP_SHOTS } from './appShots.ts';
import { PANEL_SHOTS } from './panelShots.ts';
import { edited, live, made, notebook, runAll, type Shot } from './stage.ts';

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

const FIVE_HUNDRED = Array.from({ length: 500 }, (_none, at) => ({
  id: `c${at}`,
  source:
    at === 0
      ? 'total_0 = 1'
      : `# @name step ${at}\ntotal_${at} = total_${at - 1} + ${at}\nprint("so far", total_${at})`,
}));

const LANGUAGES: readonly CellText[] = [
  { id: 'controls', language: 'widget', source: 'least = slider(0, 3_000, step=50, default=900)' },
  {
    id: 'flats',
    source: '# @name flats\nflats = [("north", 54, 810), ("east", 40, 640), ("north", 71, 1_130)]',
  },
  {
    id: 'dear',
    language: 'sql',
    source:
      "# @name dear\n# @sql connection=lake\nSELECT district, avg(rent)::int AS rent -- without bills\nFROM rents\nWHERE rent > :least AND year = '2026'\nGROUP BY district",
  },
  {
    id: 'fit',
    language: 'r',
    source: '# @name fit\nfit <- lm(rent ~ size, data = dear)\nif (coef(fit)[2] > 0) "larger is dearer"',
  },
];

/** One cell divides by zero, one has a syntax error, and one waits for the cell that failed. */
const FAILING = [
  { id: 'flats', source: 'flats = [(54, 810), (0, 640), (71, 1_130)]\nlen(flats)' },
  {
    id: 'ratio',
    source:
      '# @name ratio\ndef per_metre(flat):\n    size, rent = flat\n    return rent / size\n\nratio = [per_metre(flat) for flat in flats]',
  },
  { id: 'chart', source: '# @name chart\nprint(max(ratio))' },
  { id: 'typo', source: '# @name median\nmedian = sorted(flats[len(flats) // 2' },
];

const SLOW = `# @name training
# @nocache
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

/** Waits until every visible source is highlighted. */
async function untilHighlighted(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.code-text:not(.code-empty)')].every((code) => {
      const { top, bottom } = code.getBoundingClientRect();
      return bottom < 0 || top > window.innerHeight || code.querySelector('span') !== null;
    }),
  );
}

async function choose(page: Page, cell: string): Promise<void> {
  await page.locator(`[data-cell-id=${cell}] .bar`).click({ position: { x: 200, y: 14 } });
  await page.locator(`[data-cell-id=${cell}][aria-current=true]`).waitFor();
}

/** For a new screenshot add a row; `npm run screenshots -- NAME` takes only that one. */
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
    name: 'inside',
    address: (stage) => notebook(stage, 'first-steps'),
    show: async (page) => {
      await live(page);
      await runAll(page);
      await choose(page, 'peaks');
      await page.keyboard.press('Control+Shift+L');
      await page.locator('[data-cell-console-state=ready]').waitFor({ timeout: 60_000 });
      for (const text of ['len(spots)', 'max(spots, key=spots.get)', 'spots[1650]']) {
        await page.locator('.cell-console-prompt textarea').fill(text);
        await page.keyboard.press('Control+Enter');
        await page.locator('.cell-console-entry[data-answered=true]', { hasText: text }).last().waitFor();
      }
    },
  },
  {
    name: 'history',
    address: (stage) => edited(stage, { name: 'first-steps', cell: 'smooth', source: smoothed(7) }),
    show: async (page, stage) => {
      await live(page);
      await edited(stage, { name: 'first-steps', cell: 'smooth', source: smoothed(9) });
      await page.locator('[data-cell-id=smooth] .code', { hasText: 'WINDOW = 9' }).waitFor();
      await choose(page, 'smooth');
      await page.keyboard.press('Shift+H');
      await page.getByRole('dialog', { name: /^History of/ }).waitFor();
      await page.locator('.diff-after').first().waitFor();
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
      const failed = page.locator('[data-cell-id=spots][data-status=error] .error-summary');
      if ((await failed.count()) === 0) await page.keyboard.press('Control+Enter');
      await failed.waitFor();
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
      const epochs = page.locator('[data-cell-id=quiet] .console', { hasText: /epoch +\d*[6-9]\/40/ });
      await epochs.waitFor();
      await epochs.evaluate((box) => box.scrollIntoView({ block: 'end' }));
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
  {
    name: 'drag',
    address: (stage) => notebook(stage, 'seattle-weather'),
    show: async (page) => {
      await live(page);
      await choose(page, 'load');
      const handle = page.getByRole('button', { name: /^Move / }).first();
      const from = await handle.boundingBox();
      const over = await page.locator('[data-cell-id=load]').boundingBox();
      if (from === null || over === null) throw new Error('nothing to drag');
      await page.mouse.move(from.x + 8, from.y + 8);
      await page.mouse.down();
      await page.mouse.move(from.x + 20, from.y - 60, { steps: 4 });
      await page.mouse.move(from.x + 20, over.y - 90, { steps: 8 });
      await page.locator('[data-drop-line]').waitFor();
    },
  },
  {
    name: 'home-empty',
    address: home,
    show: async (page) => {
      // A notebook folder without notebooks; the examples are part of the program.
      await page.route('**/v1/notebooks/discover*', (route) =>
        route.fulfill({ json: { root: '/home/me/notebooks', notebooks: [] } }),
      );
      await page.route('**/v1/notebooks/sessions', (route) => route.fulfill({ json: { sessions: [] } }));
      await page.reload();
      await homeReady(page);
    },
  },
  {
    name: 'notebook-empty',
    address: (stage) => made(stage, { name: 'empty', title: 'Bike trips', cells: [] }),
    show: async (page) => {
      await page.locator('[data-link=live]').first().waitFor();
      await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
    },
  },
  {
    name: 'large',
    address: (stage) => made(stage, { name: 'large', title: 'Five hundred steps', cells: FIVE_HUNDRED }),
    show: async (page) => {
      await live(page);
      await page.locator('[data-cell-id=c240] .bar').first().scrollIntoViewIfNeeded();
      await choose(page, 'c240');
      await untilHighlighted(page);
    },
  },
  {
    name: 'languages',
    address: (stage) => made(stage, { name: 'languages', title: 'Rents by district', cells: LANGUAGES }),
    show: async (page) => {
      await live(page);
      await choose(page, 'dear');
      await untilHighlighted(page);
    },
  },
  {
    name: 'failing',
    address: (stage) => made(stage, { name: 'failing', title: 'Rent per square metre', cells: FAILING }),
    show: async (page) => {
      await live(page);
      await page.keyboard.press('Control+Shift+Enter');
      await page.locator('[data-cell-id=ratio][data-status=error] .error-summary').waitFor();
      await choose(page, 'ratio');
    },
  },
  {
    name: 'open-failed',
    address: ({ root }) => `#/open?path=${encodeURIComponent(join(root, 'penguins', 'cells'))}`,
    show: (page) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'tests',
    address: (stage) => notebook(stage, 'tested-cells'),
    show: async (page) => {
      await live(page);
      await runAll(page);
      await choose(page, 'prices');
      const section = page.locator('[data-cell-id=prices]').getByRole('region', { name: /^Tests of/ });
      await page.keyboard.press('t');
      await section.locator('[data-editor=live]').waitFor();
      // The first screenshot installs pytest; later ones find it installed.
      const passed = section.getByText('5 tests passed');
      if (!(await passed.isVisible())) await page.keyboard.press('Control+Enter');
      await passed.waitFor({ timeout: 120_000 });
      await page.keyboard.press('Escape');
      await section.evaluate((box) => box.scrollIntoView({ block: 'center' }));
      await untilHighlighted(page);
    },
  },
  {
    name: 'storage',
    address: (stage) => notebook(stage, 'seattle-weather'),
    show: async (page) => {
      await live(page);
      await runAll(page);
      await page.keyboard.press('Control+Shift+P');
      await page.keyboard.type('stored results');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Stored results' }).getByRole('img').waitFor();
    },
  },
  ...PANEL_SHOTS,
  ...APP_SHOTS,
];
