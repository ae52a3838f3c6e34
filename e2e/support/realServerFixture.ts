import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { type CellText, writeNotebook } from './notebookFolder.ts';
import { openReady } from './rest.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

/** A notebook written for one test, on a real server of its own, its environment ready. */
export interface ServedNotebook {
  readonly server: ServerProcess;
  readonly sessionId: string;
  /** The address of its page. */
  readonly url: string;
}

/** Starts real servers for a test and ends them with it, folders and all. */
export const test = base.extend<{
  serveReal: (cells: readonly CellText[]) => Promise<ServedNotebook>;
}>({
  // Playwright wants the first argument taken apart, also where nothing is needed.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  serveReal: async ({}, use) => {
    const undo: (() => Promise<void>)[] = [];
    await use(async (cells) => {
      const root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-page-')));
      undo.push(() => rm(root, { recursive: true, force: true }));
      const dir = await writeNotebook(join(root, 'notebook'), { cells });
      const server = await startServerProcess({ grants: [root] });
      undo.push(() => server.dispose());
      const { session_id } = await openReady(server.url, dir);
      const url = `${server.url}/#/notebook/${session_id}?path=${encodeURIComponent(dir)}`;
      return { server, sessionId: session_id, url };
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

/** The place in a cell's card that says how its run stands (`data-status`). */
export function statusOf(page: Page, cellId: string) {
  return page.locator(`[data-cell-id=${cellId}] .bar [data-status]`);
}
