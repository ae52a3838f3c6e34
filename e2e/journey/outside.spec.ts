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
