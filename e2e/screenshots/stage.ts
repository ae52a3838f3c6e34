/** What screenshots are taken of: notebooks on a real server, and the steps that open and prepare them. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type CellText, writeNotebook } from '../support/notebookFolder.ts';
import { openReady, rest } from '../support/rest.ts';

/** What the screenshots are taken of: a real server, and a folder with copies of the examples. */
export interface Stage {
  readonly root: string;
  readonly url: string;
}

/** One screenshot, taken in every theme and width. */
export interface Shot {
  /** The file's name: `<name>-<look>-<width>.png`. */
  readonly name: string;
  /** The part of the URL after the server's; the function may prepare the notebook. */
  readonly address: (stage: Stage) => string | Promise<string>;
  /** The actions before the screenshot. */
  readonly show: (page: Page, stage: Stage) => Promise<void>;
  readonly recents?: (stage: Stage, nowMs: number) => readonly object[];
}

/** Opens an example and waits until its environment is ready; returns its URL. */
export async function notebook({ root, url }: Stage, name: string): Promise<string> {
  const { session_id, path } = await openReady(url, join(root, name));
  return `#/notebook/${session_id}?path=${encodeURIComponent(path)}`;
}

export async function live(page: Page): Promise<void> {
  await page.locator('[data-link=live]').first().waitFor();
  await page.locator('[data-cell-id]').first().waitFor();
  // The code is highlighted.
  await page.locator('.code-text span').first().waitFor();
}

/** Runs all cells that are not ready and waits until they are. */
export async function runAll(page: Page): Promise<void> {
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

/** Changes the source of one cell of an example; returns the example's URL. */
export async function edited(
  stage: Stage,
  how: { name: string; cell: string; source: string },
): Promise<string> {
  const address = await notebook(stage, how.name);
  const session = /notebook\/([^?]+)/.exec(address)?.[1] ?? '';
  await rest(stage.url, 'PUT', `/v1/notebooks/${session}/cells/${how.cell}`, { source: how.source });
  return address;
}

/** Writes a notebook for a screenshot; returns its URL. */
export async function made(
  stage: Stage,
  { name, title, cells }: { name: string; title: string; cells: readonly CellText[] },
): Promise<string> {
  const file = join(await writeNotebook(join(stage.root, name), { cells }), 'notebook.toml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('Test notebook', title));
  return notebook(stage, name);
}
