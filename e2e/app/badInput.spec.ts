/**
 * What the page shows when a folder is unusable, the disk is read-only or full, or the server is killed during a run,
 * against a real server.
 */

import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../support/expect.ts';
import { longOnly } from '../support/longOnly.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { editCell, openLive, statusOf, test } from '../support/realServerFixture.ts';
import { startServerProcess } from '../support/serverProcess.ts';
import { type SmallDisk, smallDisk } from '../support/smallDisk.ts';

const CELLS: readonly CellText[] = [
  { id: 'one', source: 'n = 1' },
  { id: 'two', source: 'print("n is", n)' },
];
const NO_DISK = 'only root can mount a small disk';

/** Opens a folder in the page by its path. */
async function openFolder(page: Page, served: { readonly url: string }, path: string): Promise<void> {
  await page.goto(`${new URL(served.url).origin}/#/open?path=${encodeURIComponent(path)}`);
}

const saved = (page: Page) => page.locator('[data-saved]');

test.describe('unusable folders', () => {
  test('[WI-80] a folder that is not a notebook is reported with what is missing', async ({
    page,
    serveReal,
  }) => {
    const served = await serveReal(CELLS);
    const plain = join(dirname(served.dir), 'photos');
    await mkdir(plain);
    await openFolder(page, served, plain);
    await expect(page.getByRole('alert')).toContainText('is not a notebook: it has no notebook.toml file');
    await expect(page.getByRole('link', { name: 'All notebooks' })).toBeVisible();
  });

  test('[WI-7] an unknown session is reported as ended, and not retried', async ({ page, serveReal }) => {
    const { url } = await serveReal(CELLS);
    let requestCount = 0;
    await page.route(/\/v1\/notebooks\/sessions/, async (route) => {
      requestCount += 1;
      await route.continue();
    });
    await page.goto(`${new URL(url).origin}/#/notebook/nobody-knows-it`);
    await expect(page.getByRole('alert')).toContainText('This session is closed');
    await expect(page.locator('[data-link=closed]')).toContainText('Session ended');
    const before = requestCount;
    // If the connection were retried, this would start the next attempt.
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(page.locator('[data-link=closed]')).toBeVisible();
    expect(requestCount).toBe(before);
  });

  test('[WI-80] a read-only disk is reported with a way to fix it', async ({ page, serveReal }) => {
    let disk: SmallDisk | null = null;
    const prepare = (root: string) => {
      disk = smallDisk(root, '32m');
      return () => disk?.remove();
    };
    const served = await serveReal(CELLS, { prepare });
    const volume = disk as SmallDisk | null; // assigned in `prepare`
    test.skip(volume === null, NO_DISK);
    const id = served.sessionId;
    await fetch(`${new URL(served.url).origin}/v1/notebooks/${id}/close`, { method: 'POST' });
    volume?.readOnly();
    await openFolder(page, served, served.dir);
    await expect(page.getByRole('alert')).toContainText(
      /is not writable.*read-only.*copy the folder to a writable disk/,
    );
  });

  test('[WI-80] spaces, quotes and emoji in a path are handled like other characters', async ({
    page,
    serveReal,
  }) => {
    const name = 'mine & "yours" — 100 % 🌧️ #1? <b>';
    const { url, dir } = await serveReal(CELLS, { name });
    await openLive(page, url);
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(page.locator('[data-cell-id=two]')).toContainText('n is 1');
    await editCell(page, 'one', 'n = 5');
    await expect.poll(() => readFile(join(dir, 'cells/one.py'), 'utf8')).toBe('n = 5');
    await page.reload();
    await expect(page.locator('[data-cell-id=one]')).toContainText('n = 5');
    expect(decodeURIComponent(page.url())).toContain(name);
  });
});

test(
  '[WI-81] on a full disk typed text stays with a message, and is written when there is room again',
  longOnly('src-renderer/notebook/editing.test.tsx', 'src-main/session/reduce/edit.test.ts'),
  async ({ page, serveReal }) => {
    let disk: SmallDisk | null = null;
    const prepare = (root: string) => {
      disk = smallDisk(root, '32m');
      return () => disk?.remove();
    };
    const { url, dir, sessionId } = await serveReal(CELLS, { prepare });
    const volume = disk as SmallDisk | null; // assigned in `prepare`
    test.skip(volume === null, NO_DISK);
    await openLive(page, url);
    const room = await volume?.fill();
    const text = `n = 2  # ${'x'.repeat(200)}`;
    await editCell(page, 'one', text);
    const card = page.locator('[data-cell-id=one]');
    await expect(card).toContainText('could not be saved');
    await expect(card).toContainText(/no space left.*Free some space/);
    await expect(saved(page)).toHaveAttribute('data-saved', 'false');
    expect(await readFile(join(dir, 'cells/one.py'), 'utf8')).toBe('n = 1');
    // The text survives a reload, and a close of the notebook by another client.
    await page.reload();
    await expect(card).toContainText('n = 2');
    await expect(saved(page)).toHaveAttribute('data-saved', 'false');
    const close = await fetch(`${new URL(url).origin}/v1/notebooks/${sessionId}/close`, { method: 'POST' });
    expect([close.status, await close.text()]).toEqual([409, expect.stringContaining('would lose the text')]);
    await room?.();
    await expect.poll(() => readFile(join(dir, 'cells/one.py'), 'utf8')).toBe(text);
    await expect(card).not.toContainText('could not be saved');
    await expect(saved(page)).toHaveAttribute('data-saved', 'true');
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(page.locator('[data-cell-id=two]')).toContainText('n is 2');
  },
);

test(
  '[WI-82] a server that dies during a run is reported, typed text stays, and no process is left behind',
  longOnly(
    'src-renderer/panels/connection.test.tsx',
    'e2e/faults/badCells.test.ts',
    'e2e/crash/shownKill.test.ts',
  ),
  async ({ page, serveReal }) => {
    const { url, dir, server } = await serveReal(
      [{ id: 'slow', source: 'import time\nprint("begun", flush=True)\ntime.sleep(600)' }, ...CELLS],
      { own: true },
    );
    await openLive(page, url);
    await page
      .locator('[data-cell-id=slow]')
      .getByRole('button', { name: /^Run cell/ })
      .click();
    await expect(page.locator('[data-cell-id=slow] .console')).toContainText('begun');
    // Printed output is written to disk within a second.
    await expect.poll(() => readdir(join(dir, '.svc/running')).catch(() => [])).toHaveLength(1);
    await server.stop('SIGKILL');
    await expect(page.locator('[data-link=lost]')).toBeVisible();
    await editCell(page, 'one', 'n = 7');
    await expect(saved(page)).toHaveAttribute('data-saved', 'false');
    const isRunning = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(dir);
    await expect.poll(isRunning).toBe(false);
    const { port, storageDir } = server;
    const again = await startServerProcess({ port, storageDir, grants: [dirname(dir)] });
    try {
      await expect(page.locator('[data-link=live]')).toBeVisible();
      await expect.poll(() => readFile(join(dir, 'cells/one.py'), 'utf8')).toBe('n = 7');
      await expect(statusOf(page, 'slow')).not.toHaveAttribute('data-status', 'running');
      await page.reload();
      const printed = page.locator('[data-cell-id=slow] .console');
      await expect(printed).toContainText('begun');
      await expect(printed).toContainText(
        '[… the server stopped during this run; output of its last second may be missing …]',
      );
      await page.getByRole('button', { name: /^Run cell: n/ }).click();
      await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'ready');
    } finally {
      await again.stop();
    }
  },
);
