/** The undo stack stored by a real server, in a browser: reloads, kills, external changes and several windows. */

import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../support/expect.ts';
import { pressSequence } from '../support/keys.ts';
import { longOnly } from '../support/longOnly.ts';
import { editCell, openLive, statusOf, test } from '../support/realServerFixture.ts';
import { replaceFile } from '../support/replaceFile.ts';
import { openReady, rest } from '../support/rest.ts';
import { startServerProcess } from '../support/serverProcess.ts';

const CELLS = [
  { id: 'one', source: 'n = 1\nprint("n is", n)' },
  { id: 'two', source: 'm = 2' },
];

const ids = (page: Page) =>
  page
    .locator('[data-cell-id]')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-cell-id')));

/** The server's undo stack; an action is stored right after it is done. */
async function storedUndo(server: string, sid: string): Promise<readonly string[]> {
  const { body } = await rest<{ done: { deed: string }[] }>(server, 'GET', `/v1/notebooks/${sid}/x/undo`);
  return body.done.map(({ deed }) => deed);
}

test('[HI-20] actions are undone after a reload and a kill of the server, and redone', async ({
  page,
  serveReal,
}) => {
  const { url, dir, server, sessionId } = await serveReal(CELLS, { own: true });
  await openLive(page, url);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'ready');
  await editCell(page, 'two', 'm = 3');
  await page.keyboard.press('Escape');
  await page.locator('[data-cell-id=two] .cell-language').click();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => ids(page)).toEqual(['two', 'one']);
  await page.locator('[data-cell-id=one] .cell-language').click();
  await pressSequence(page, 'd', 'd');
  await expect(page.locator('[data-cell-id=one]')).toHaveCount(0);
  await expect.poll(() => storedUndo(server.url, sessionId)).toEqual(['edit', 'move', 'delete']);

  await page.reload();
  await openLive(page, url);
  await page.locator('[data-cell-id=two] .cell-language').click();
  await page.keyboard.press('Control+z');
  // The restored cell has the output of its run.
  await expect(page.locator('[data-cell-id=one]')).toContainText('n is 1');
  await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'ready');
  await expect.poll(() => storedUndo(server.url, sessionId)).toEqual(['edit', 'move']);

  await server.stop('SIGKILL');
  const next = await startServerProcess({ grants: [dirname(dir)] });
  try {
    const { session_id } = await openReady(next.url, dir);
    await openLive(page, `${next.url}/#/notebook/${session_id}?path=${encodeURIComponent(dir)}`);
    await page.locator('[data-cell-id=two] .cell-language').click();
    await page.keyboard.press('Control+z');
    await expect.poll(() => ids(page)).toEqual(['one', 'two']);
    await page.keyboard.press('Control+z');
    await expect(page.locator('[data-cell-id=two] .code')).toContainText('m = 2');
    for (const _deed of ['edit', 'move', 'delete']) await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => ids(page)).toEqual(['two']);
    await expect(page.locator('[data-cell-id=two] .code')).toContainText('m = 3');
  } finally {
    await next.dispose();
  }
});

test(
  '[HI-21] an undo does not overwrite an external change, and a message reports it',
  longOnly('src-renderer/notebook/undo.test.tsx', 'src-main/notebook/history/undoStack.test.ts'),
  async ({ page, serveReal }) => {
    const { url, dir, server, sessionId } = await serveReal(CELLS);
    await openLive(page, url);
    await editCell(page, 'two', 'm = 3');
    await page.keyboard.press('Escape');
    await expect.poll(() => storedUndo(server.url, sessionId)).toEqual(['edit']);
    await page.goto('about:blank');
    await replaceFile(join(dir, 'cells/two.py'), 'm = 4  # by hand');
    await openLive(page, url);
    await expect(page.locator('[data-cell-id=two] .code')).toContainText('by hand');
    await page.locator('[data-cell-id=two] .cell-language').click();
    await page.keyboard.press('Control+z');
    await expect(page.locator('.toasts')).toContainText(
      'Undo skipped typing: the cell was changed elsewhere in the meantime.',
    );
    await expect(page.locator('[data-cell-id=two] .code')).toContainText('by hand');
  },
);

test(
  '[HI-24] a third window undoes the actions of two others, newest first',
  longOnly('src-main/notebook/history/undoStack.test.ts', 'e2e/journey/undoKept.spec.ts'),
  async ({ page, context, serveReal }) => {
    const { url, server, sessionId } = await serveReal(CELLS);
    const [left, right] = [await context.newPage(), await context.newPage()];
    await openLive(left, url);
    await openLive(right, url);
    await editCell(left, 'one', 'n = 10');
    await left.keyboard.press('Escape');
    await expect.poll(() => storedUndo(server.url, sessionId)).toEqual(['edit']);
    await editCell(right, 'two', 'm = 20');
    await right.keyboard.press('Escape');
    await expect.poll(() => storedUndo(server.url, sessionId)).toEqual(['edit', 'edit']);
    await left.locator('[data-cell-id=two] .cell-language').click();
    await left.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => storedUndo(server.url, sessionId)).toEqual(['edit', 'edit', 'move']);
    // Each window still undoes only its own actions.
    await right.locator('[data-cell-id=two] .cell-language').click();
    await right.keyboard.press('Control+z');
    await expect(right.locator('[data-cell-id=two] .code')).toContainText('m = 2');
    await expect.poll(() => storedUndo(server.url, sessionId)).toEqual(['edit', 'move']);
    await right.keyboard.press('Control+Shift+z');
    await expect.poll(() => storedUndo(server.url, sessionId)).toEqual(['edit', 'edit', 'move']);
    await left.close();
    await right.close();

    await openLive(page, url);
    await page.locator('[data-cell-id=two] .cell-language').click();
    await page.keyboard.press('Control+z');
    await expect.poll(() => ids(page)).toEqual(['one', 'two']);
    await page.keyboard.press('Control+z');
    await expect(page.locator('[data-cell-id=two] .code')).toHaveText(/m\s=\s2$/);
    await page.keyboard.press('Control+z');
    await expect(page.locator('[data-cell-id=one] .code')).toContainText('n = 1print');
  },
);
