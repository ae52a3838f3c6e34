/** The main journey of a user as a test, by mouse or by keys, in a browser or in the desktop app. */

import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect } from './expect.ts';

/**
 * The main journey from the home page: open an example, run it, change a cell, see why the rest is stale, run again;
 * quit, start, and have all results without a run. A long run tests it in Chromium and in the packaged app, each by
 * mouse and by keys alone. A normal run tests it by keys in the app; in Chromium, both ways, if there is no Electron.
 * Component tests of the home page, the menus and the run buttons use the mouse.
 */
export interface JourneyStage {
  /** Starts the program and shows its home page. */
  readonly start: () => Promise<Page>;
  /** Quits the program like a user. */
  readonly quit: () => Promise<void>;
  /** Whether the page is in Electron, where axe cannot open another page to collect the findings of frames. */
  readonly inElectron: boolean;
}

/** How the user performs each action; text is typed by keys in both cases. */
export interface Hands {
  readonly openExample: (page: Page, title: string) => Promise<void>;
  readonly runAll: (page: Page) => Promise<void>;
  readonly editLoad: (page: Page) => Promise<void>;
  readonly runStale: (page: Page) => Promise<void>;
  /** Scrolls to a cell, by its name. */
  readonly lookAt: (page: Page, cell: { readonly id: string; readonly name: string }) => Promise<void>;
  readonly openRecent: (page: Page, title: string) => Promise<void>;
}

const TITLE = 'Four years of weather in Seattle';
const LOAD = { id: 'load', name: 'weather' };
const FIGURE = { id: 'rainfig', name: 'rain_figure' };
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
const EDIT = '\nweather = weather[weather["date"] < "2015-01-01"]';
/** Includes creating the first environment, on a busy machine. */
const FIRST_RUN_MS = 240_000;

export async function mainJourney(stage: JourneyStage, hands: Hands): Promise<void> {
  // Both journeys visit the same pages, so only one of them checks with axe.
  const stop = async (page: Page): Promise<void> => {
    if (hands === KEYS) await expectAccessible(page, { inElectron: stage.inElectron });
  };

  let page = await stage.start();
  await expect(page.getByRole('button', { name: TITLE })).toBeVisible();
  await stop(page);

  await hands.openExample(page, TITLE);
  await expect(page.getByRole('heading', { name: TITLE, level: 1 }).first()).toBeVisible();
  await expect(page.locator('[data-link=live]')).toBeVisible();
  await stop(page);

  await hands.runAll(page);
  await allReady(page, FIRST_RUN_MS);
  await hands.lookAt(page, FIGURE);
  await showsFigure(page);
  await stop(page);
  await hands.lookAt(page, LOAD);
  const table = page.locator('[data-cell-id=load] table, [data-cell-id=load] [role=grid]').first();
  await expect(table).toContainText('precipitation');
  await expect(table).toContainText('10.9');
  await expect(page.locator('[data-cell-id=verdict]')).toContainText('It rains on 43% of days');
  await stop(page);

  await hands.editLoad(page);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.type(EDIT);
  await page.keyboard.press('Escape');
  await expect(status(page, 'monthly')).toHaveAttribute('data-status', 'stale');
  await expect(chip(page, 'monthly')).toContainText('stale: weather changed');
  await expect(chip(page, 'load')).toContainText('source changed');
  await stop(page);

  await hands.runStale(page);
  await allReady(page);
  await expect(page.locator('[data-cell-id=quality]')).toContainText('1096');
  await stop(page);

  await stage.quit();
  page = await stage.start();
  await expect(page.getByRole('link', { name: TITLE }).first()).toBeVisible();
  await stop(page);
  await hands.openRecent(page, TITLE);
  await allReady(page);
  await expect(page.locator('[data-cell-id=load]')).toContainText('2015-01-01');
  await expect(page.locator('[data-cell-id=quality]')).toContainText('1096');
  await hands.lookAt(page, FIGURE);
  await showsFigure(page);
  await stop(page);
  await hands.runAll(page);
  for (const id of CODE_CELLS) await expect(chip(page, id)).toContainText('cached');
  await allReady(page);
}

const status = (page: Page, id: string) => page.locator(`[data-cell-id=${id}] .bar [data-status]`);
const chip = (page: Page, id: string) => page.locator(`[data-cell-id=${id}] .chip`).first();

async function allReady(page: Page, timeout = 60_000): Promise<void> {
  for (const id of CODE_CELLS) {
    await expect(status(page, id)).toHaveAttribute('data-status', 'ready', { timeout });
  }
}

async function showsFigure(page: Page): Promise<void> {
  const figure = page.locator(`[data-cell-id=${FIGURE.id}] img`);
  await expect(figure).toBeInViewport();
  await expect
    .poll(() => figure.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(300);
}

export const MOUSE: Hands = {
  openExample: (page, title) => page.getByRole('button', { name: title }).click(),
  async runAll(page) {
    await page.getByRole('button', { name: 'More ways to run' }).click();
    await page.getByRole('menuitem', { name: 'Run all', exact: true }).click();
  },
  async editLoad(page) {
    await page.locator('[data-cell-id=load] .code-click').click();
    await expect(page.locator('[data-cell-id=load] [data-editor=live]')).toBeVisible();
  },
  runStale: (page) => page.getByRole('button', { name: 'Run stale' }).click(),
  lookAt: (page, { id }) => page.locator(`[data-cell-id=${id}]`).scrollIntoViewIfNeeded(),
  openRecent: (page, title) => page.getByRole('link', { name: title }).first().click(),
};

/** Actions by keys alone: nothing is clicked or hovered, and the focus is moved only by keys. */
export const KEYS: Hands = {
  openExample: (page, title) => tabTo(page, 'button', title),
  async runAll(page) {
    await page.keyboard.press('Control+Shift+Enter');
  },
  async editLoad(page) {
    await goTo(page, LOAD);
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-cell-id=load] [data-editor=live]')).toBeVisible();
  },
  async runStale(page) {
    await page.keyboard.press('Control+Alt+Enter');
  },
  lookAt: (page, cell) => goTo(page, cell),
  openRecent: (page, title) => tabTo(page, 'a', title),
};

/** Presses Tab until the element with these words has the focus, then Enter. */
async function tabTo(page: Page, tag: string, words: string): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    const texts = await page.evaluate(
      ([wanted, text]) => {
        const active = document.activeElement;
        if (active?.tagName.toLowerCase() !== wanted) return false;
        return (active?.textContent ?? '').includes(text ?? '');
      },
      [tag, words],
    );
    if (texts) return page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${words}`);
}

async function goTo(page: Page, { id, name }: { readonly id: string; readonly name: string }): Promise<void> {
  await page.keyboard.press('Control+P');
  await expect(page.getByRole('dialog', { name: 'Go to' })).toBeVisible();
  await page.keyboard.type(name);
  await expect(page.getByRole('option').first()).toContainText(name);
  await page.keyboard.press('Enter');
  await expect(page.locator(`[data-cell-id=${id}]`)).toBeFocused();
}
