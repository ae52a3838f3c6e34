/**
 * Environment variables and secrets in a browser, against a real server and a fake Infisical: entered, fetched, masked
 * in output, changed and removed.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import {
  answering,
  STAND_IN_PROJECT,
  startInfisicalStandIn,
} from '../../src-main/secrets/testing/infisicalStandIn.ts';
import { expectAccessible } from '../support/axe.ts';
import { openLive, statusOf, test } from '../support/realServerFixture.ts';

const TYPED = 'typed-secret-value-1';
const FETCHED = 'fetched-secret-value-2';

const CELLS = [
  {
    id: 'tells',
    source:
      'import os, sys, time\nfor part in os.environ.get("MY_TOKEN", "no token"):\n    sys.stdout.write(part); sys.stdout.flush(); time.sleep(0.005)\nprint(" and", os.environ.get("FAR_AWAY", "nothing"))',
  },
];

const variables = (page: Page) => page.getByRole('region', { name: 'Variables' });
const manager = (page: Page) => page.getByRole('region', { name: 'Secret manager' });
const row = (page: Page, name: string) => variables(page).locator(`[data-variable=${name}]`);

async function openEnvironment(page: Page): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Panels' })
    .getByRole('button', { name: 'Environment', exact: true })
    .click();
}

async function runCell(page: Page): Promise<void> {
  await page.locator('[data-cell-id=tells] .bar').click();
  await page.keyboard.press('Control+Enter');
  await expect(statusOf(page, 'tells')).toHaveAttribute('data-status', 'ready');
}

test('[SE-14] secrets are entered, fetched, used and masked, and failures are reported', async ({
  page,
  serveReal,
}) => {
  const standIn = await startInfisicalStandIn({ 'dev /': { FAR_AWAY: FETCHED } });
  try {
    const env = { INFISICAL_API_URL: standIn.url, INFISICAL_TOKEN: standIn.token };
    const { url, dir } = await serveReal(CELLS, { server: { env } });
    await openLive(page, url);
    await openEnvironment(page);
    await expect(variables(page)).toContainText('Cells read these from os.environ');

    await variables(page).getByRole('button', { name: 'Add variable' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a variable' });
    await expect(adding.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await adding.getByRole('textbox', { name: 'Name' }).fill('1st');
    await adding.getByRole('button', { name: 'Save' }).click();
    await expect(adding.getByRole('alert')).toHaveText([
      'Use letters, digits and _. Don’t start with a digit.',
    ]);
    await adding.getByRole('textbox', { name: 'Name' }).fill('MY_TOKEN');
    await adding.getByLabel('Value', { exact: true }).fill(TYPED);
    await expect(adding.getByLabel('Value', { exact: true })).toHaveAttribute('type', 'password');
    await page.keyboard.press('Enter');
    await expect(adding).toHaveCount(0);
    await expect(row(page, 'MY_TOKEN')).toContainText('hidden');
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).not.toContain(TYPED);

    await runCell(page);
    await expect(page.locator('[data-cell-id=tells]')).toContainText('[hidden] and nothing');

    await manager(page).getByRole('button', { name: 'Use Infisical' }).click();
    const using = page.getByRole('dialog', { name: 'Secrets from Infisical' });
    await using.getByRole('textbox', { name: 'Project' }).fill('another');
    await using.getByRole('textbox', { name: 'Address' }).fill('https://secrets.example');
    await using.getByRole('button', { name: 'Save and test' }).click();
    await expect(using.getByRole('alert')).toContainText(
      `is not the one this server is configured for (${standIn.url})`,
    );
    await using.getByRole('textbox', { name: 'Address' }).fill('');
    await using.getByRole('button', { name: 'Save and test' }).click();
    await expect(using.getByRole('alert')).toContainText('has no dev/ in the project another (404)');
    await expectAccessible(page);
    await using.getByRole('textbox', { name: 'Project' }).fill(STAND_IN_PROJECT);
    await page.keyboard.press('Enter');
    await expect(using).toHaveCount(0);
    await expect(manager(page)).toContainText('Fetched');
    await expect(row(page, 'FAR_AWAY')).toContainText('from Infisical');
    await expect(row(page, 'FAR_AWAY').getByRole('button', { name: /^Remove/ })).toHaveCount(0);
    await expect(statusOf(page, 'tells')).not.toHaveAttribute('data-status', 'ready');
    await runCell(page);
    await expect(page.locator('[data-cell-id=tells]')).toContainText('[hidden] and [hidden]');

    standIn.answer = answering(500);
    await manager(page).getByRole('button', { name: 'Fetch again' }).click();
    await expect(manager(page).getByRole('alert')).toContainText('returned an error (500). Try again later.');
    await expect(row(page, 'FAR_AWAY')).toContainText('hidden');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    standIn.answer = null;

    await row(page, 'FAR_AWAY').getByRole('button', { name: 'Edit variable FAR_AWAY' }).click();
    const changing = page.getByRole('dialog', { name: 'Variable FAR_AWAY' });
    await changing.getByLabel('New value', { exact: true }).fill('mine');
    await changing.getByRole('button', { name: 'Save' }).click();
    await expect(row(page, 'FAR_AWAY')).toHaveAttribute('data-source', 'manual');
    await expect(row(page, 'FAR_AWAY')).toContainText('mine');
    const own = row(page, 'FAR_AWAY').getByRole('button', { name: 'Remove variable FAR_AWAY' });
    await own.click();
    await expect(row(page, 'FAR_AWAY')).toContainText('from Infisical');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row(page, 'FAR_AWAY')).toContainText('mine');
    await own.click();
    await expect(row(page, 'FAR_AWAY')).toContainText('from Infisical');

    await manager(page).getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop using Infisical' }).click();
    await expect(row(page, 'FAR_AWAY')).toHaveCount(0);
    const secret = row(page, 'MY_TOKEN').getByRole('button', { name: 'Remove variable MY_TOKEN' });
    const asks = page.getByRole('alertdialog', { name: 'Remove MY_TOKEN?' });
    await secret.click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(row(page, 'MY_TOKEN')).toContainText('hidden');
    await expect(secret).toBeFocused();
    await secret.click();
    await asks.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(variables(page).locator('[data-variable]')).toHaveCount(0);
    expect(await page.content()).not.toMatch(new RegExp(`${TYPED}|${FETCHED}`));
  } finally {
    await standIn.close();
  }
});
