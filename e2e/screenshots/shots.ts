import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openReady } from '../support/rest.ts';

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
      await page.keyboard.press('Control+Shift+Enter');
      const cells = page.locator('[data-cell-id] .bar [data-status]');
      await page.waitForFunction(
        () =>
          document.querySelectorAll('[data-cell-id] [data-status=ready]').length > 0 &&
          document.querySelector('[data-cell-id] [data-status=running]') === null &&
          document.querySelector('[data-cell-id] [data-status=idle]') === null,
        undefined,
        { timeout: 180_000 },
      );
      await cells.first().scrollIntoViewIfNeeded();
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
];
