import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type CellText, writeNotebook } from '../support/notebookFolder.ts';
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

/** The address of an example, opened and its environment ready. */
export async function notebook({ root, url }: Stage, name: string): Promise<string> {
  const { session_id, path } = await openReady(url, join(root, name));
  return `#/notebook/${session_id}?path=${encodeURIComponent(path)}`;
}

export async function live(page: Page): Promise<void> {
  await page.locator('[data-link=live]').first().waitFor();
  await page.locator('[data-cell-id]').first().waitFor();
  // The code has its colours.
  await page.locator('.code-text span').first().waitFor();
}

/** Runs what is not ready and waits until all of it is; an unchanged notebook is ready at once. */
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

/** The address of an example whose cell says something else. */
export async function edited(
  stage: Stage,
  how: { name: string; cell: string; source: string },
): Promise<string> {
  const address = await notebook(stage, how.name);
  const session = /notebook\/([^?]+)/.exec(address)?.[1] ?? '';
  await rest(stage.url, 'PUT', `/v1/notebooks/${session}/cells/${how.cell}`, { source: how.source });
  return address;
}

/** The address of a notebook written for its picture. */
export async function made(
  stage: Stage,
  { name, title, cells }: { name: string; title: string; cells: readonly CellText[] },
): Promise<string> {
  const file = join(await writeNotebook(join(stage.root, name), { cells }), 'notebook.toml');
  await writeFile(file, (await readFile(file, 'utf8')).replace('Test notebook', title));
  return notebook(stage, name);
}
