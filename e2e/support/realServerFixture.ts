import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type CellText, writeNotebook } from './notebookFolder.ts';
import { openReady } from './rest.ts';
import { type ServerOptions, type ServerProcess, startServerProcess } from './serverProcess.ts';
import { test as base } from './slowed.ts';

/** A notebook written for one test, on a real server of its own, its environment ready. */
export interface ServedNotebook {
  readonly server: ServerProcess;
  readonly sessionId: string;
  /** The notebook's folder. */
  readonly dir: string;
  /** The address of its page. */
  readonly url: string;
}

export interface ServeOptions {
  /** Name of the notebook's folder. */
  readonly name?: string;
  /** Makes the folder it lies in ready; the answer is undone after the test. */
  readonly prepare?: (root: string) => (() => void) | undefined;
  readonly server?: ServerOptions;
  /** Puts a whole notebook into this folder instead of cells; @returns its path */
  readonly folder?: (root: string) => Promise<string>;
}

/** Starts real servers for a test and ends them with it, folders and all. */
export const test = base.extend<{
  serveReal: (cells: readonly CellText[], options?: ServeOptions) => Promise<ServedNotebook>;
}>({
  // Playwright wants the first argument taken apart, also where nothing is needed.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  serveReal: async ({}, use) => {
    const undo: (() => Promise<void>)[] = [];
    await use(async (cells, options = {}) => {
      const root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-page-')));
      undo.push(() => rm(root, { recursive: true, force: true }));
      const restore = options.prepare?.(root);
      if (restore !== undefined) undo.push(async () => restore());
      const dir =
        (await options.folder?.(root)) ??
        (await writeNotebook(join(root, options.name ?? 'notebook'), { cells }));
      const server = await startServerProcess({ grants: [root], ...options.server });
      undo.push(() => server.dispose());
      const { session_id } = await openReady(server.url, dir);
      const url = `${server.url}/#/notebook/${session_id}?path=${encodeURIComponent(dir)}`;
      return { server, sessionId: session_id, dir, url };
    });
    for (const one of undo.reverse()) await one();
  },
});

/** Opens the page of a notebook and waits until it is live. */
export async function openLive(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('[data-link=live]').waitFor();
  await page.locator('[data-cell-id]').first().waitFor();
}

/** Puts the caret into a cell's text, and waits for the editor. */
export async function enterCell(page: Page, cellId: string): Promise<void> {
  await page.locator(`[data-cell-id=${cellId}] .code`).click();
  await page.locator(`[data-cell-id=${cellId}] [data-editor=live]`).waitFor();
}

/** Writes over a cell's text by keys. */
export async function editCell(page: Page, cellId: string, text: string): Promise<void> {
  await enterCell(page, cellId);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** The place in a cell's card that says how its run stands (`data-status`). */
export function statusOf(page: Page, cellId: string) {
  return page.locator(`[data-cell-id=${cellId}] .bar [data-status]`);
}
