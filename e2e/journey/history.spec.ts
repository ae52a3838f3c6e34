/** The history panel in a browser, against a real server: restores texts, deleted cells, tests and settings. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from '../support/axe.ts';
import { expect } from '../support/expect.ts';
import { pressSequence } from '../support/keys.ts';
import { editCell, openLive, test } from '../support/realServerFixture.ts';
import { replaceFile } from '../support/replaceFile.ts';

const CELLS = [
  { id: 'one', source: 'n = 1\nstep = 2\nprint(n * step)' },
  { id: 'two', source: 'total = n + step' },
];

test('[HI-10] an earlier text of a cell is found by time, compared with the current text, and restored', async ({
  page,
  serveReal,
}) => {
  const { url, dir } = await serveReal(CELLS);
  await openLive(page, url);
  await editCell(page, 'one', 'n = 10');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-saved=true]')).toBeVisible();
  await replaceFile(join(dir, 'cells/two.py'), 'total = n - step  # by hand');
  await expect(page.locator('[data-cell-id=two] .code')).toContainText('by hand');

  await page.locator('[data-cell-id=one]').focus();
  await page.keyboard.press('Shift+H');
  const dialog = page.getByRole('dialog', { name: /^History of/ });
  const versions = dialog.getByRole('list', { name: 'Versions' }).getByRole('button');
  await expect(versions).toHaveCount(2);
  await expect(versions.first()).toContainText('just now');
  await expect(versions.first()).toContainText('current');
  // The newest version with a different text is shown first.
  await expect(versions.nth(1)).toHaveAttribute('aria-pressed', 'true');
  await expect(dialog.locator('.diff-before')).toContainText(['step = 2']);
  await expect(dialog.locator('.diff-after')).toContainText(['n = 10']);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Restore this version' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('[data-cell-id=one] .code')).toContainText('step = 2');
  await page.locator('[data-cell-id=one]').focus();
  await page.keyboard.press('z');
  await expect(page.locator('[data-cell-id=one] .code')).not.toContainText('step = 2');
});

test('[HI-10] a deleted cell is restored from the history, also after a reload', async ({
  page,
  serveReal,
}) => {
  const { url } = await serveReal(CELLS);
  await openLive(page, url);
  await editCell(page, 'two', 'total = 7');
  await page.keyboard.press('Escape');
  await page.locator('[data-cell-id=two]').focus();
  await pressSequence(page, 'd', 'd');
  await expect(page.locator('[data-cell-id=two]')).toHaveCount(0);
  await page.reload();
  await openLive(page, url);
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('history of the cell');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Cell' }).click();
  await page.getByRole('option', { name: 'Deleted: total = 7' }).click();
  await expect(dialog.getByRole('list', { name: 'Versions' }).getByRole('button').first()).toContainText(
    'before deletion',
  );
  await dialog.getByRole('button', { name: 'Restore cell' }).click();
  await expect(page.locator('[data-cell-id=two] .code')).toContainText('total = 7');
});

test('[HI-25] earlier tests and settings are restored from the same panel', async ({ page, serveReal }) => {
  const { url, dir } = await serveReal(CELLS);
  await replaceFile(join(dir, 'cells/one.test.py'), 'def test_old(): pass');
  const toml = join(dir, 'notebook.toml');
  const before = await readFile(toml, 'utf8');
  await openLive(page, url);
  await writeFile(toml, before.replace('id = "one"\n', 'id = "one"\ntimeout = 7.5\n'));
  await replaceFile(join(dir, 'cells/one.test.py'), 'def test_new(): pass');
  await expect(page.locator('[data-cell-id=one]').getByRole('region', { name: /^Tests of/ })).toBeVisible();
  await page.locator('[data-cell-id=one]').focus();
  await page.keyboard.press('Shift+H');
  const dialog = page.getByRole('dialog', { name: /^History of/ });
  await dialog.getByRole('radio', { name: 'Tests' }).click();
  await expect(dialog.locator('.diff-before')).toContainText(['test_old']);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Restore these tests' }).click();
  await expect.poll(() => readFile(join(dir, 'cells/one.test.py'), 'utf8')).toBe('def test_old(): pass');

  await page.locator('[data-cell-id=one]').focus();
  await page.keyboard.press('Shift+H');
  await dialog.getByRole('radio', { name: 'Settings' }).click();
  await expect(dialog.locator('.diff-after')).toContainText(['timeout = 7.5']);
  await dialog.getByRole('button', { name: 'Restore these settings' }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => readFile(toml, 'utf8')).not.toContain('timeout');
});
