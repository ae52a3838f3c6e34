/**
 * Tests changes by another program during work in a browser, with a real server: they are shown, merged or resolved as
 * conflicts. Also a folder that is missing for a while.
 */

import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { longOnly } from '../support/longOnly.ts';
import type { CellText } from '../support/notebookFolder.ts';
import {
  editCell,
  enterCell,
  openLive,
  type ServedNotebook,
  statusOf,
  test,
} from '../support/realServerFixture.ts';
import { replaceFile } from '../support/replaceFile.ts';

const CELLS = [
  { id: 'one', source: 'n = 1' },
  { id: 'two', source: 'print("n is", n)' },
];

type ServeReal = (cells: readonly CellText[]) => Promise<ServedNotebook>;

/** Opens a notebook in the page; returns its folder and the file of its first cell. */
async function openCells(page: Page, serveReal: ServeReal, cells: readonly CellText[] = CELLS) {
  const { url, dir } = await serveReal(cells);
  await openLive(page, url);
  return { dir, file: join(dir, 'cells/one.py') };
}

test('[NF-40] [NF-41] a change by another program is shown; neither it nor typed text is lost', async ({
  page,
  serveReal,
}) => {
  const { file } = await openCells(page, serveReal);
  await test.step('it is shown, and the cell’s readers are stale', async () => {
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(statusOf(page, 'two')).toHaveAttribute('data-status', 'ready');
    await replaceFile(file, 'n = 42  # by hand');
    await expect(page.locator('[data-cell-id=one] .code')).toContainText('by hand');
    await expect(page.locator('[data-cell-id=one] .chip').first()).toHaveText('changed on disk');
    await expect(statusOf(page, 'two')).toHaveAttribute('data-status', 'stale');
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(page.locator('[data-cell-id=two]')).toContainText('n is 42');
  });
  await test.step('during typing it is a conflict', async () => {
    await editCell(page, 'one', 'n = "mine"');
    await replaceFile(file, 'n = "theirs"');
    await page.keyboard.type('  # and more');
    const note = page.locator('[data-conflict=one]');
    await expect(note).toBeVisible();
    expect(await readFile(file, 'utf8')).toBe('n = "theirs"');
    await note.getByRole('button', { name: 'Compare' }).click();
    await expect(note).toContainText('theirs');
    await expect(note).toContainText('mine');
    await note.getByRole('button', { name: 'Keep mine' }).click();
    await expect(note).toHaveCount(0);
    await expect.poll(() => readFile(file, 'utf8')).toBe('n = "mine"  # and more');
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(page.locator('[data-cell-id=two]')).toContainText('n is mine');
  });
});

/** Runs the cell `one` and makes a conflict on it: `n = "mine"` is typed, the file has `n = "theirs"`. */
async function makeConflict(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(statusOf(page, 'two')).toHaveAttribute('data-status', 'ready');
  await editCell(page, 'one', 'n = "mine"');
  await replaceFile(file, 'n = "theirs"');
  await page.keyboard.type('  # and more');
  await expect(page.locator('[data-conflict=one]')).toBeVisible();
}

test('[ED-70] [ED-71] [ED-72] a conflict is named in the status bar, keeps its cell from running, and is still shown after a reload', async ({
  page,
  serveReal,
}) => {
  const { file, dir } = await openCells(page, serveReal);
  await makeConflict(page, file);
  const note = page.locator('[data-conflict=one]');

  await test.step('[ED-72] the status bar names the unsaved cell, and links to the conflict', async () => {
    await page.keyboard.press('Escape');
    await page.locator('[data-cell-id=two] .bar').click();
    const status = page.locator('[data-region=status] [data-saved=false]');
    await expect(status).toHaveText('Not saved: n was changed elsewhere');
    await status.getByRole('button').click();
    await expect(note).toBeFocused();
    await expect(note).not.toContainText('Not run');
  });

  await test.step('[ED-70] a run is not sent: the conflict gets the focus', async () => {
    await enterCell(page, 'one');
    await page.keyboard.press('Control+Enter');
    await expect(note).toBeFocused();
    await expect(note).toContainText('Not run: the text in this cell is not saved');
    await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'idle');
    await expect(page.locator('[data-region=right]')).toContainText('The text you see is not saved');
    await expectAccessible(page);
    // Shift+Enter does not continue with another cell, and the run buttons do not run unsaved text.
    await page.locator('[data-cell-id=two] .bar').click();
    await page.locator('[data-cell-id=one] .gut button').first().click();
    await expect(note).toBeFocused();
    await page.keyboard.press('Shift+Enter');
    await expect(note).toBeFocused();
    await page.locator('[data-cell-id=two] .bar').click();
    await page.getByRole('button', { name: 'Run stale', exact: true }).click();
    await expect(note).toBeFocused();
    await expect(statusOf(page, 'one')).toHaveAttribute('data-status', 'idle');
    expect(await readFile(file, 'utf8')).toBe('n = "theirs"');
  });

  await test.step('[ED-71] it is shown again after a reload, until theirs is taken', async () => {
    const drafts = join(dir, '.svc/source_drafts.json');
    await expect.poll(() => readFile(drafts, 'utf8').catch(() => '')).toContain('# and more');
    await page.reload();
    await expect(note).toBeVisible();
    await expect(page.locator('[data-cell-id=one] .code')).toContainText('n = "mine"  # and more');
    await expect(note).toContainText('from an earlier session');
    expect(await readFile(file, 'utf8')).toBe('n = "theirs"');
    await note.getByRole('button', { name: 'Compare' }).click();
    await expect(note).toContainText('theirs');
    await note.getByRole('button', { name: 'Take theirs' }).click();
    await expect(page.locator('[data-saved=true]')).toBeVisible();
    await expect.poll(() => readFile(drafts, 'utf8')).toBe('[]');
    await page.reload();
    await expect(page.locator('[data-cell-id=one] .code')).toContainText('theirs');
    await expect(note).toHaveCount(0);
  });
});

test('[NF-55] [NF-53] an external change of other lines is merged during typing, reported, and can be undone', async ({
  page,
  serveReal,
}) => {
  const lines = ['import math', '', 'n = 1', '', 'print(n)'];
  const cells = [{ id: 'one', source: lines.join('\n') }, ...CELLS.slice(1)];
  const { file } = await openCells(page, serveReal, cells);
  await enterCell(page, 'one');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('  # mi');
  await replaceFile(file, ['# theirs', ...lines].join('\n'));
  // Typing continues during the merge, at the caret.
  await page.keyboard.type('ne', { delay: 250 });
  const both = ['# theirs', ...lines.slice(0, -1), 'print(n)  # mine'].join('\n');
  await expect.poll(() => readFile(file, 'utf8')).toBe(both);
  await expect(page.locator('[data-conflict=one]')).toHaveCount(0);
  const news = page.locator('.toasts').getByText('Both changes are merged');
  await expect(news.first()).toBeVisible();
  await page.locator('.toasts').getByRole('button', { name: 'Show changes' }).first().click();
  const dialog = page.getByRole('dialog', { name: /^Changes merged into/ });
  await expect(dialog.locator('.diff-after')).toContainText(['# theirs']);
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await readFile(file, 'utf8')).toBe(both);
  await page.locator('[data-cell-id=one] .bar').click();
  // Undo first reverts the text typed after the merge.
  await expect(async () => {
    await page.keyboard.press('z');
    await expect.poll(() => readFile(file, 'utf8'), { timeout: 2_000 }).not.toContain('# theirs');
  }).toPass();
});

test.describe('[NF-55] a change merged into a cell during typing', () => {
  const lines = ['import math', '', 'n = 1', '', 'print(n)'];
  const theirs = ['# theirs', ...lines].join('\n');
  const mine = [...lines.slice(0, -1), 'print(n)  # mine'].join('\n');
  const ROWS = [
    ['Keep mine', mine],
    ['Take theirs', theirs],
    ['Keep both', `# theirs\n${mine}`],
  ] as const;
  for (const [button, expected] of ROWS) {
    test(
      `is shown from its notice, with the choice ${button}`,
      longOnly('e2e/journey/outside.spec.ts'),
      async ({ page, serveReal }) => {
        const { file } = await openCells(page, serveReal, [{ id: 'one', source: lines.join('\n') }]);
        await enterCell(page, 'one');
        await page.keyboard.press('Control+End');
        await page.keyboard.type('  # mine');
        await replaceFile(file, theirs);
        await expect.poll(() => readFile(file, 'utf8')).toBe(`# theirs\n${mine}`);
        await page.locator('.toasts').getByRole('button', { name: 'Show changes' }).click();
        const dialog = page.getByRole('dialog', { name: /^Changes merged into/ });
        await expect(dialog.locator('.diff-after')).toContainText(['# theirs']);
        if (button === 'Keep mine') {
          await expectAccessible(page);
        }
        await dialog.getByRole('button', { name: button }).click();
        await expect(dialog).toHaveCount(0);
        await expect.poll(() => readFile(file, 'utf8')).toBe(expected);
      },
    );
  }
});

test('[NF-54] a manual merge puts both texts into the cell between conflict markers, which are never written to the file', async ({
  page,
  serveReal,
}) => {
  const { file } = await openCells(page, serveReal);
  await editCell(page, 'one', 'n = "mine"');
  await replaceFile(file, 'n = "theirs"');
  await page.keyboard.type('  # more');
  const note = page.locator('[data-conflict=one]');
  await expect(note).toBeVisible();
  await note.getByRole('button', { name: 'Merge manually' }).click();
  await expect(note).toContainText('separated by conflict markers');
  await expect(page.locator('[data-cell-id=one] [data-editor=live]')).toContainText('<<<<<<< mine');
  await expect(note.getByRole('button', { name: 'Save merged text' })).toBeDisabled();
  await page.keyboard.press('Control+S');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('n = "both"');
  expect(await readFile(file, 'utf8')).toBe('n = "theirs"');
  await note.getByRole('button', { name: 'Save merged text' }).click();
  await expect.poll(() => readFile(file, 'utf8')).toBe('n = "both"');
  await expect(note).toHaveCount(0);
});

test('[NF-44] a missing folder is reported, typed text stays, and work continues when the folder is back', async ({
  page,
  serveReal,
}) => {
  const { dir: folder, file } = await openCells(page, serveReal);
  await rename(folder, `${folder}-away`);
  await expect(page.locator('[data-folder-problem]')).toContainText('no longer exists');
  await expect(page.locator('[data-cell-id=one]')).toContainText('n = 1');
  // A run is refused with a message and creates no folder, because then the old one could not be moved back.
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(
    page.getByText('Cells can’t run because the notebook folder is missing. Restore the folder first.'),
  ).toBeVisible();
  expect(existsSync(folder)).toBe(false);
  await rename(`${folder}-away`, folder);
  await expect(page.locator('[data-folder-problem]')).toHaveCount(0);
  await editCell(page, 'one', 'n = 7');
  await expect.poll(() => readFile(file, 'utf8')).toBe('n = 7');
  // The notice is gone, and the refused run works now.
  await expect(
    page.getByText('Cells can’t run because the notebook folder is missing. Restore the folder first.'),
  ).toHaveCount(0);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(page.locator('[data-cell-id=two]')).toContainText('n is 7');

  await test.step('a cell changed in the folder and edited in the window is a conflict', async () => {
    const away = `${folder}-away`;
    await page.locator('[data-cell-id=two] .bar').click();
    await expect(page.locator('[data-editor]')).toHaveCount(0);
    await rename(folder, away);
    await expect(page.locator('[data-folder-problem]')).toBeVisible();
    await editCell(page, 'one', 'n = "mine"');
    await writeFile(join(away, 'cells/one.py'), 'n = "theirs"');
    await rename(away, folder);
    await expect(page.locator('[data-folder-problem]')).toHaveCount(0);
    const note = page.locator('[data-conflict=one]');
    await expect(note).toBeVisible();
    await expect(page.locator('[data-cell-id=one]')).toContainText('mine');
    expect(await readFile(file, 'utf8')).toBe('n = "theirs"');
    await note.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(() => readFile(file, 'utf8')).toBe('n = "mine"');
    await expect(note).toHaveCount(0);
  });
});
