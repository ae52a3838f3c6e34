/**
 * The Playwright fixture `serveReal` of browser tests: a notebook on a real built server, shared by the tests of a
 * worker or started for one test. Also helpers that open and edit its page.
 */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { CellText } from './notebookFolder.ts';
import { writeReadyNotebook } from './preparedEnvironment.ts';
import { openReady } from './rest.ts';
import type { ServerOptions, ServerProcess } from './serverProcess.ts';
import { test as base } from './warmTest.ts';

/** A notebook written for one test, on a real server, its environment ready. */
export interface ServedNotebook {
  readonly server: ServerProcess;
  readonly sessionId: string;
  /** The notebook's folder. */
  readonly dir: string;
  /** The URL of its page. */
  readonly url: string;
}

export interface ServeOptions {
  /** Name of the notebook's folder. */
  readonly name?: string;
  /** Prepares the folder that will contain the notebook; the returned function is called after the test. */
  readonly prepare?: (root: string) => (() => void) | undefined;
  /** Starts a server with these options for this test. */
  readonly server?: ServerOptions;
  /** Starts a server for this test, which the test may stop. */
  readonly own?: boolean;
  /** Puts a complete notebook into this folder instead of cells. @returns its path */
  readonly folder?: (root: string) => Promise<string>;
}

/** Starts real servers for a test; ends them and removes their folders after it. */
export const test = base.extend<{
  serveReal: (cells: readonly CellText[], options?: ServeOptions) => Promise<ServedNotebook>;
}>({
  serveReal: async ({ started, servers }, use, info) => {
    await use(async (cells, options = {}) => {
      // The effects of `prepare` are undone after the test, when no server may use them any more.
      const isOwn = options.own === true || options.server !== undefined || options.prepare !== undefined;
      const root = await realpath(
        await mkdtemp(join(isOwn ? tmpdir() : await servers.root(), 'cellar-page-')),
      );
      started.ends.push(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
      const restore = options.prepare?.(root);
      if (restore !== undefined) started.ends.push(async () => restore());
      const dir =
        (await options.folder?.(root)) ??
        (await writeReadyNotebook(join(root, options.name ?? 'notebook'), { cells }));
      const server = isOwn
        ? await servers.ownServer({ grants: [root], ...options.server })
        : await servers.server();
      if (isOwn) started.ends.push(() => server.dispose());
      started.origins.push(server.url);
      const { session_id } = await openReady(server.url, dir);
      if (!isOwn) started.ends.push(() => servers.leave(info.status === info.expectedStatus));
      const url = `${server.url}/#/notebook/${session_id}?path=${encodeURIComponent(dir)}`;
      return { server, sessionId: session_id, dir, url };
    });
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

/** Replaces a cell's text by typing. */
export async function editCell(page: Page, cellId: string, text: string): Promise<void> {
  await enterCell(page, cellId);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** The element of a cell's card with the status of its run (`data-status`). */
export function statusOf(page: Page, cellId: string) {
  return page.locator(`[data-cell-id=${cellId}] .bar [data-status]`);
}
