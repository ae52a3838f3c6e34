import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];
const shot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/files-${name}.png` });
};

test('[ED-92] a local module is created, edited, renamed and used by a cell', async ({ page, serveReal }) => {
  const { url, dir } = await serveReal([{ id: 'use', source: 'import helper\nhelper.answer' }]);
  await openLive(page, url);
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'Files', exact: true })
    .click();
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('textbox', { name: 'Path in the notebook folder' }).fill('draft.py');
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog', { name: 'draft.py' });
  await expect(dialog.locator('[data-editor=live]')).toHaveCount(1);
  await page.keyboard.type('answer = 41');
  await shot(page, 'light');
  await expectAccessible(page);
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(join(dir, 'draft.py'), 'utf8')).toBe('answer = 41');

  // A change by another program is not overwritten unless the user confirms it.
  writeFileSync(join(dir, 'draft.py'), 'answer = 0\n');
  await page.keyboard.type(' + 1');
  await page.keyboard.press('Control+s');
  await expect(dialog.getByText('The file has changed on disk since you opened it.')).toBeVisible();
  await shot(page, 'conflict');
  expect(readFileSync(join(dir, 'draft.py'), 'utf8')).toBe('answer = 0\n');
  await dialog.getByRole('button', { name: 'Overwrite' }).click();
  await expect.poll(() => readFileSync(join(dir, 'draft.py'), 'utf8')).toBe('answer = 41 + 1');

  // A save that is requested during another save is written after it.
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/files\/text$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await dialog.locator('.view-lines').click();
  await page.keyboard.type(' + 0');
  await page.keyboard.press('Control+s');
  await expect(dialog.getByRole('button', { name: 'Saving…' })).toBeVisible();
  await page.keyboard.type(' + 0');
  await page.keyboard.press('Control+s');
  release();
  await expect.poll(() => readFileSync(join(dir, 'draft.py'), 'utf8')).toBe('answer = 41 + 1 + 0 + 0');
  await page.unroute(/\/files\/text$/);

  // Closing with unsaved changes asks for confirmation.
  await dialog.locator('.view-lines').click();
  await page.keyboard.type(' + 1');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog.getByText('This file has unsaved changes.')).toBeVisible();
  await shot(page, 'unsaved');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
  expect(readFileSync(join(dir, 'draft.py'), 'utf8')).toBe('answer = 41 + 1 + 0 + 0');

  await page.getByRole('button', { name: 'Actions for draft.py' }).click();
  await page.getByRole('menuitem', { name: 'Rename or move…' }).click();
  await page.getByRole('textbox', { name: 'Path in the notebook folder' }).fill('notebook.toml');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('belongs to the notebook');
  await page.getByRole('textbox', { name: 'Path in the notebook folder' }).fill('helper.py');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Actions for helper.py' })).toBeVisible();
  expect(existsSync(join(dir, 'draft.py'))).toBe(false);

  await page.locator('[data-cell-id=use] .bar').click({ position: { x: 60, y: 8 } });
  await page.keyboard.press('Control+Enter');
  await expect(statusOf(page, 'use')).toHaveAttribute('data-status', 'ready');
  await expect(page.locator('[data-results=use]')).toContainText('42');

  // A result of the earlier module is not shown as current.
  await page.getByRole('button', { name: 'Actions for helper.py' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const again = page.getByRole('dialog', { name: 'helper.py' });
  // The editor has the focus immediately, and returns it when it closes.
  await again.locator('[data-editor=live]').waitFor();
  await expect
    .poll(() => again.locator('.file-editor').evaluate((box) => box.contains(document.activeElement)))
    .toBe(true);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' + 58');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(join(dir, 'helper.py'), 'utf8')).toBe('answer = 41 + 1 + 0 + 0 + 58');
  await expect(again.getByRole('button', { name: 'Save' })).toBeDisabled();
  await again.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: 'Actions for helper.py' })).toBeFocused();
  await expect(statusOf(page, 'use')).not.toHaveAttribute('data-status', 'ready');
  await page.locator('[data-cell-id=use] .bar').click({ position: { x: 60, y: 8 } });
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('[data-results=use]')).toContainText('100');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Actions for helper.py' }).click();
  await shot(page, 'dark');
  await expectAccessible(page);
});
