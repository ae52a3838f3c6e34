import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import Database from 'better-sqlite3';
import { expectAccessible } from '../support/axe.ts';
import { openLive, test } from '../support/realServerFixture.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

test('[WI-180] [WI-181] a connection is added by keyboard, tested, browsed, queried by a cell, and removed', async ({
  page,
  serveReal,
}) => {
  const { url, dir } = await serveReal([
    { id: 'q', source: '# @sql connection=shop\nSELECT name FROM fruit', language: 'sql' },
  ]);
  const database = new Database(join(dir, 'shop.db'));
  database.exec("CREATE TABLE fruit (id INTEGER NOT NULL, name TEXT); INSERT INTO fruit VALUES (1, 'pear')");
  database.close();
  await openLive(page, url);
  await page.getByRole('button', { name: 'Data', exact: true }).click();
  const section = page.getByRole('region', { name: 'Connections' });
  const add = section.getByRole('button', { name: 'Add connection' });
  await expect(add).toBeEnabled();
  await add.press('Enter');
  const form = page.getByRole('dialog', { name: 'Add a connection' });
  await form.getByRole('textbox', { name: 'Name' }).fill('1shop');
  await form.getByRole('combobox', { name: 'Database' }).press('Enter');
  await page.getByRole('option', { name: 'SQLite' }).press('Enter');
  await form.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(form.getByRole('alert')).toHaveText([/Use letters, digits/, /Required/]);
  await expectAccessible(page);
  await form.getByRole('textbox', { name: 'Name' }).fill('shop');
  await form.getByRole('textbox', { name: 'File' }).fill('nowhere.db');
  await form.getByRole('textbox', { name: 'File' }).press('Enter');
  await expect(form).toBeHidden();
  await section.getByRole('button', { name: 'Test connection shop' }).click();
  await expect(section.locator('[data-connection=shop] [aria-live]')).toContainText('nowhere.db');
  // The cell that uses the connection no longer reports that it is missing.
  await expect(page.locator('[data-cell-id=q]')).not.toContainText('declares no connection');
  await section.getByRole('button', { name: 'Edit connection shop' }).click();
  const change = page.getByRole('dialog', { name: 'Connection shop' });
  await change.getByRole('textbox', { name: 'File' }).fill('shop.db');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change).toBeHidden();
  await section.getByRole('button', { name: 'Test connection shop' }).click();
  await expect(section.locator('[data-connection=shop] [aria-live]')).toContainText('Connected in');
  await section.getByText('shop', { exact: true }).click();
  await section.getByText('fruit', { exact: true }).click();
  await expect(section.getByRole('list', { name: 'Tables of shop' })).toContainText('id');
  await expect(section.getByRole('list', { name: 'Tables of shop' })).toContainText('not null');
  await expectAccessible(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/connections-${colorScheme}.png` });
  }
  expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).toContain('path = "shop.db"');
  await page.locator('[data-cell-id=q]').getByRole('button', { name: /^Run/ }).first().click();
  await expect(page.locator('[data-cell-id=q]')).toContainText('pear');
  await section.getByRole('button', { name: 'Remove connection shop' }).click();
  await expect(section.locator('[data-connection]')).toHaveCount(0);
});
