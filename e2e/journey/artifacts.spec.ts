/** The artifact page in a browser, against a real server: search, details, pins, names, and freeing space. */

import { join } from 'node:path';
import { expect } from '@playwright/test';
import Database from 'better-sqlite3';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/realServerFixture.ts';
import { rest } from '../support/rest.ts';
import { startServerProcess } from '../support/serverProcess.ts';

test('[RG-20] the artifact page finds, explains and names artifacts, and frees space', async ({
  page,
  started,
}) => {
  const server = await startServerProcess();
  started.ends.push(() => server.dispose());
  started.origins.push(server.url);
  await page.goto(`${server.url}/#/artifacts`);
  await expect(page.getByText('No artifacts yet')).toBeVisible();

  const put = async (data: unknown, inputs: readonly string[], name?: string) => {
    const transform = { executor: 'test@v1', params: { data } };
    const { body } = await rest<{ artifact_uri: string }>(server.url, 'PUT', '/v1/artifacts', {
      inputs,
      transform,
      data,
      ...(name === undefined ? {} : { name }),
    });
    return body.artifact_uri;
  };
  const raw = await put({ a: [1, 2] }, []);
  await put({ b: [3] }, [raw], 'team/sales');
  await page.reload();
  const table = page.getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(table.getByRole('row').filter({ hasText: 'team/sales' })).toContainText('Named');
  await expect(table.getByRole('row').filter({ hasText: 'Used as input' })).toHaveCount(1);

  await page.getByRole('searchbox', { name: 'Search by ID or name' }).fill('SALES');
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByRole('button', { name: 'team/sales' }).focus();
  await page.keyboard.press('Enter');
  const details = page.getByRole('complementary', { name: 'Details of the artifact' });
  await expect(details.getByRole('region', { name: 'Made from' })).toContainText(raw);
  await details.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(details.getByRole('button', { name: 'Unpin' })).toBeVisible();
  await expect(table).toContainText('Pinned');
  await details.getByRole('button', { name: 'Name…' }).click();
  const nameDialog = page.getByRole('dialog', { name: 'Name this artifact' });
  await nameDialog.getByLabel('Name', { exact: true }).fill('team/best');
  await page.keyboard.press('Enter');
  await expect(nameDialog).toHaveCount(0);
  await expect(details).toContainText('team/best');
  await expectAccessible(page);

  await page.setViewportSize({ width: 420, height: 800 });
  await expect(table).toBeHidden();
  await details.getByRole('button', { name: 'Close details' }).click();
  await expect(table).toBeVisible();
  await page.getByRole('button', { name: 'Free up space…' }).click();
  const freeDialog = page.getByRole('alertdialog', { name: 'Free up space' });
  await expect(freeDialog).toContainText('Nothing can be deleted now.');
  await expect(freeDialog.getByRole('button', { name: 'Free 0 bytes' })).toBeDisabled();
  await page.keyboard.press('Escape');

  // This artifact is not protected and was last used long ago.
  const loose = await put({ c: [4] }, []);
  const id = loose.slice('svc://artifact/'.length, -'@v=1'.length);
  const database = new Database(join(server.storageDir, '.artifacts/registry.sqlite'));
  database.prepare('UPDATE artifact_versions SET last_used_at = 1, created_at = 1 WHERE id = ?').run(id);
  database.close();
  await page.getByRole('button', { name: 'Free up space…' }).click();
  await expect(freeDialog.getByRole('row')).toHaveCount(1);
  await expect(freeDialog.getByRole('row')).toContainText(`${id}@v=1`);
  await freeDialog.getByRole('button', { name: /^Free [1-9]/ }).click();
  await expect(page.getByText(/^Freed .*: 1 version deleted\.$/)).toBeVisible();
  const gone = await rest(server.url, 'GET', `/v1/artifacts/${id}/v/1`);
  expect(gone.status).toBe(404);
});
