/**
 * Tokens of workers in the desktop app: encrypted in a real GNOME keyring, or only in memory without one. With a real
 * worker process.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';
import { expect, type Person, type Started, test } from './desktopApp.ts';
import { openKeyring, whyNoKeyring } from './keyring.ts';

const TOKEN = 'a-worker-token-of-the-tests';
let worker: WorkerProcess;
test.beforeAll(async () => {
  worker = await startWorkerProcess({ env: { SVC_WORKER_TOKEN: TOKEN } });
});
test.afterAll(async () => {
  await worker?.stop('SIGKILL');
});

const CELLS = [{ id: 'there', source: '# @worker gpu\nprint("made", 6 * 7)' }];

async function workerRow(page: Page) {
  await page.locator('[data-link=live]').first().waitFor();
  const button = page.getByRole('button', { name: 'Environment', exact: true });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  return page.getByRole('region', { name: 'Workers' }).locator('[data-worker=gpu]');
}

/** Attaches the worker in the panel, with its token. */
async function attach(page: Page): Promise<void> {
  const row = await workerRow(page);
  await row.getByRole('button', { name: 'Attach gpu' }).click();
  const form = page.getByRole('dialog', { name: 'Attach worker' });
  await form.getByRole('textbox', { name: 'Address' }).fill(`${worker.url}/v1/execute`);
  await form.getByLabel('Token').fill(TOKEN);
  await form.getByRole('button', { name: 'Attach', exact: true }).click();
  await expect(form).toBeHidden();
}

const sealed = (person: Person): string => {
  try {
    return readFileSync(join(person.userData, 'worker-tokens.json'), 'utf8');
  } catch {
    return '';
  }
};

test('[DK-32] with a real keyring a token is available after a restart, and is encrypted on disk', async ({
  person,
  start,
}) => {
  test.skip(whyNoKeyring !== null, whyNoKeyring ?? '');
  const keyring = await openKeyring(person.home);
  try {
    const dir = await person.notebook('sky', CELLS);
    const open = (): Promise<Started> =>
      start({ args: ['--password-store=gnome-libsecret', dir], env: keyring.env });
    const first = await open();
    await attach(first.page);
    await expect(await workerRow(first.page)).toContainText('token in the keychain');
    expect(sealed(person)).toContain('"worker":"gpu"');
    expect(sealed(person)).not.toContain(TOKEN);
    expect(Buffer.from(JSON.parse(sealed(person))[0].sealed, 'base64').toString('latin1')).not.toContain(
      TOKEN,
    );
    await first.quit();
    // No file of the app or the notebook may contain the token.
    const grep = spawnSync('grep', ['-rl', TOKEN, person.userData, dir], { encoding: 'utf8' });
    expect(grep.stdout).toBe('');
    const second = await open();
    const row = await workerRow(second.page);
    await expect(row).toContainText('token in the keychain');
    await row.getByRole('button', { name: 'Test gpu' }).click();
    await expect(row).toContainText('The test cell ran');
  } finally {
    await keyring.close();
  }
});

test('[DK-32] without a keyring a token is only in memory, which the panel reports, and is lost at a restart', async ({
  person,
  start,
}) => {
  test.skip(process.env['LONG'] !== '1', 'two starts of the app: only in npm run test:long');
  const dir = await person.notebook('sky', CELLS);
  const first = await start({ args: ['--password-store=basic', dir] });
  await attach(first.page);
  await expect(await workerRow(first.page)).toContainText('token in memory until you quit');
  expect(sealed(person)).toBe('');
  await first.quit();
  const second = await start({ args: ['--password-store=basic', dir] });
  const row = await workerRow(second.page);
  await expect(row).toContainText('no token');
  await row.getByRole('button', { name: 'Test gpu' }).click();
  await expect(row).toContainText(
    'The worker requires a token. Enter the SVC_WORKER_TOKEN it was started with.',
  );
});
