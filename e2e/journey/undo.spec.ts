/** Undo of deleted, merged and converted cells in a browser, against a real server: text, place and result return. */

import type { Page } from '@playwright/test';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { expect } from '../support/expect.ts';
import { pressSequence } from '../support/keys.ts';
import { longOnly } from '../support/longOnly.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';
import { rest } from '../support/rest.ts';

const cellIds = (page: Page) => () =>
  page.locator('[data-cell-id]').evaluateAll((all) => all.map((one) => one.getAttribute('data-cell-id')));

test(
  '[ED-2] [ED-9] undo restores deleted, merged and converted cells with their text, position and result',
  longOnly(
    'src-renderer/notebook/undo.test.tsx',
    'src-renderer/notebook/commands.test.tsx',
    'e2e/contract/restore.test.ts',
  ),
  async ({ page, serveReal }) => {
    const { url, server, sessionId } = await serveReal([
      { id: 'one', source: 'n = 1' },
      { id: 'two', source: 'print("n is", n)' },
      { id: 'three', source: 'print("on its own")' },
    ]);
    const cellsOf = async (): Promise<Cell[]> => {
      const answer = await rest<{ cells: Cell[] }>(server.url, 'GET', `/v1/notebooks/${sessionId}/cells`);
      return answer.body.cells;
    };
    const sources = async (): Promise<string[]> =>
      (await cellsOf()).map((cell) => `${cell.id}: ${cell.source}`);
    await openLive(page, url);
    await page.keyboard.press('Control+Shift+Enter');
    for (const id of ['one', 'two', 'three']) {
      await expect(statusOf(page, id)).toHaveAttribute('data-status', 'ready');
    }

    // A cell deleted right after typing: the last key is not lost, and the result is that of the previous text.
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-cell-id=three] [data-editor=live]')).toBeVisible();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  # more');
    await page.keyboard.press('Escape');
    await pressSequence(page, 'd', 'd');
    await expect.poll(cellIds(page)).toEqual(['one', 'two']);
    await page.keyboard.press('z');
    await expect.poll(cellIds(page)).toEqual(['one', 'two', 'three']);
    await expect.poll(async () => (await sources())[2]).toBe('three: print("on its own")  # more');

    // A cell deleted in the middle: position and result are restored, and nothing runs again.
    await page.keyboard.press('k');
    await pressSequence(page, 'd', 'd');
    await expect.poll(cellIds(page)).toEqual(['one', 'three']);
    await page.keyboard.press('z');
    await expect.poll(cellIds(page)).toEqual(['one', 'two', 'three']);
    await expect(statusOf(page, 'two')).toHaveAttribute('data-status', 'ready');
    await expect(page.locator('[data-cell-id=two]')).toContainText('n is 1');

    // Cells that are merged and converted to text are restored.
    const before = await sources();
    await page.keyboard.press('k');
    await expect(page.locator('[data-cell-id=one]')).toBeFocused();
    await page.keyboard.press('Shift+M');
    await expect.poll(async () => (await sources())[0]).toBe('one: n = 1\nprint("n is", n)');
    await expect.poll(cellIds(page)).toEqual(['one', 'three']);
    await page.keyboard.press('m');
    await expect.poll(async () => (await cellsOf())[0]?.language).toBe('markdown');
    await expect.poll(async () => (await cellsOf())[0]?.source).toBe('n = 1\nprint("n is", n)');
    await expect.poll(cellIds(page)).not.toContain('one');
    await page.keyboard.press('z');
    await expect.poll(cellIds(page)).toEqual(['one', 'three']);
    await page.keyboard.press('z');
    await expect.poll(sources).toEqual(before);
    for (const id of ['one', 'two']) {
      await expect(statusOf(page, id)).toHaveAttribute('data-status', 'ready');
    }
  },
);
