import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

const CELLS = [
  { id: 'one', source: 'n = 1' },
  { id: 'two', source: 'print("n is", n)' },
];

/** The notebook's folder, out of the address of its page. */
function folderOf(url: string): string {
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('path') ?? '';
}

test('[NF-40] what another program writes is shown, and what read it is stale', async ({
  page,
  serveReal,
}) => {
  test.setTimeout(90_000);
  const { url } = await serveReal(CELLS);
  await openLive(page, url);
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(statusOf(page, 'two')).toHaveAttribute('data-status', 'ready', { timeout: 30_000 });
  await writeFile(join(folderOf(url), 'cells/one.py'), 'n = 42  # by hand');
  await expect(page.locator('[data-cell-id=one] .code')).toContainText('by hand', { timeout: 15_000 });
  await expect(page.locator('[data-cell-id=one] .chip').first()).toHaveText('changed on disk');
  await expect(statusOf(page, 'two')).toHaveAttribute('data-status', 'stale');
  await page.getByRole('button', { name: 'Run stale', exact: true }).click();
  await expect(page.locator('[data-cell-id=two]')).toContainText('n is 42', { timeout: 30_000 });
});

test('[NF-41] what is being typed is never lost to an outside change, nor written over it', async ({
  page,
  serveReal,
}) => {
  test.setTimeout(90_000);
  const { url } = await serveReal(CELLS);
  const file = join(folderOf(url), 'cells/one.py');
  await openLive(page, url);
  await page.locator('[data-cell-id=one] .code').click();
  await expect(page.locator('[data-cell-id=one] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('n = "mine"');
  await writeFile(file, 'n = "theirs"');
  await page.keyboard.type('  # and more');
  const note = page.locator('[data-conflict=one]');
  await expect(note).toBeVisible({ timeout: 15_000 });
  expect(await readFile(file, 'utf8')).toBe('n = "theirs"');
  await note.getByRole('button', { name: 'See both' }).click();
  await expect(note).toContainText('theirs');
  await expect(note).toContainText('mine');
  await note.getByRole('button', { name: 'Keep mine' }).click();
  await expect(note).toHaveCount(0);
  await expect.poll(() => readFile(file, 'utf8'), { timeout: 15_000 }).toBe('n = "mine"  # and more');
});

test('[NF-53] an outside change of other lines is taken in while somebody types, said, and can be undone', async ({
  page,
  serveReal,
}) => {
  test.setTimeout(90_000);
  const lines = ['import math', '', 'n = 1', '', 'print(n)'];
  const { url } = await serveReal([{ id: 'one', source: lines.join('\n') }, ...CELLS.slice(1)]);
  const file = join(folderOf(url), 'cells/one.py');
  await openLive(page, url);
  await page.locator('[data-cell-id=one] .code').click();
  await expect(page.locator('[data-cell-id=one] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('  # mi');
  await writeFile(file, ['# theirs', ...lines].join('\n'));
  // Typing goes on in the middle of it, at the caret's place.
  await page.keyboard.type('ne', { delay: 250 });
  const both = ['# theirs', ...lines.slice(0, -1), 'print(n)  # mine'].join('\n');
  await expect.poll(() => readFile(file, 'utf8'), { timeout: 15_000 }).toBe(both);
  await expect(page.locator('[data-conflict=one]')).toHaveCount(0);
  const news = page.locator('.toasts').getByText('is in it now, with what you typed');
  await expect(news.first()).toBeVisible();
  await page.keyboard.press('Escape');
  // What was typed after it goes first.
  await expect(async () => {
    await page.keyboard.press('z');
    await expect.poll(() => readFile(file, 'utf8'), { timeout: 2_000 }).not.toContain('# theirs');
  }).toPass({ timeout: 20_000 });
});

test('[NF-54] both texts are put into the cell between markers, which never reach the file', async ({
  page,
  serveReal,
}, info) => {
  test.setTimeout(90_000);
  const { url } = await serveReal(CELLS);
  const file = join(folderOf(url), 'cells/one.py');
  await openLive(page, url);
  await page.locator('[data-cell-id=one] .code').click();
  await expect(page.locator('[data-cell-id=one] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('n = "mine"');
  await writeFile(file, 'n = "theirs"');
  await page.keyboard.type('  # more');
  const note = page.locator('[data-conflict=one]');
  await expect(note).toBeVisible({ timeout: 15_000 });
  await note.getByRole('button', { name: 'Merge by hand' }).click();
  await expect(note).toContainText('between marker lines');
  await expect(page.locator('[data-cell-id=one] [data-editor=live]')).toContainText('<<<<<<< mine');
  await page.screenshot({ path: info.outputPath('markers.png') });
  await expect(note.getByRole('button', { name: 'Save the merged text' })).toBeDisabled();
  await page.keyboard.press('Control+S');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('n = "both"');
  expect(await readFile(file, 'utf8')).toBe('n = "theirs"');
  await note.getByRole('button', { name: 'Save the merged text' }).click();
  await expect.poll(() => readFile(file, 'utf8'), { timeout: 15_000 }).toBe('n = "both"');
  await expect(note).toHaveCount(0);
});

test('[NF-44] a folder that vanishes is said, what is typed stays, and it goes on when the folder is back', async ({
  page,
  serveReal,
}) => {
  test.setTimeout(90_000);
  const { url } = await serveReal(CELLS);
  const folder = folderOf(url);
  await openLive(page, url);
  await rename(folder, `${folder}-away`);
  await expect(page.locator('[data-folder-problem]')).toContainText('is not there any more', {
    timeout: 15_000,
  });
  await expect(page.locator('[data-cell-id=one]')).toContainText('n = 1');
  await rename(`${folder}-away`, folder);
  await expect(page.locator('[data-folder-problem]')).toHaveCount(0, { timeout: 15_000 });
  await page.locator('[data-cell-id=one] .code').click();
  await expect(page.locator('[data-cell-id=one] [data-editor=live]')).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('n = 7');
  await expect.poll(() => readFile(join(folder, 'cells/one.py'), 'utf8'), { timeout: 15_000 }).toBe('n = 7');
});
