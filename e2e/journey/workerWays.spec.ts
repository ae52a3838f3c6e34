/**
 * Ways to attach a worker in the Workers panel, in a browser against a real server: over SSH, through a relay, with a
 * token in the keychain of the app, and as a worker that fetches its cells.
 */

import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { longOnly } from '../support/longOnly.ts';
import { test as base, openLive } from '../support/realServerFixture.ts';
import { rest } from '../support/rest.ts';
import { type SshServer, startSshServer, whyNoSshd } from '../support/sshServer.ts';
import { startWorkerProcess } from '../support/workerProcess.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];

const test = base.extend<{ lab: SshServer }>({
  // Playwright requires a destructured first argument, also if no fixture is used.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  lab: async ({}, use) => {
    const server = await startSshServer();
    try {
      await use(server);
    } finally {
      await server.dispose();
    }
  },
});

async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png`, animations: 'disabled' });
  }
}

/** Opens the panel, unless the page remembers it as open. */
async function showWorkers(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Workers', exact: true });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
}

async function openWorkers(page: Page, url: string) {
  await openLive(page, url);
  await showWorkers(page);
  return page.getByRole('region', { name: 'Workers' });
}

test(
  '[RW-27] by keyboard alone, at 1280 and 900 px, the panel installs a worker by ssh, runs a cell on it, shows its log, detaches it',
  longOnly('e2e/journey/workers.spec.ts', 'e2e/contract/sshWorkers.test.ts'),
  async ({ page, serveReal, lab }) => {
    test.skip(whyNoSshd !== null, whyNoSshd ?? '');
    const env = { PATH: [lab.bin, process.env['PATH']].join(delimiter) };
    const cells = [{ id: 'there', source: '# @worker lab\nprint("made", 6 * 7)' }];
    const { url } = await serveReal(cells, { server: { env } });
    const section = page.getByRole('region', { name: 'Workers' });
    for (const width of [1280, 900]) {
      await page.setViewportSize({ width, height: 700 });
      await openLive(page, url);
      await showWorkers(page);
      await test.step(`${width} px`, () => attachOverSsh({ page, section, width }));
    }
  },
);

async function attachOverSsh({
  page,
  section,
  width,
}: {
  readonly page: Page;
  readonly section: Locator;
  readonly width: number;
}): Promise<void> {
  await section.getByRole('button', { name: 'Attach lab' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Attach worker' });
  await form.getByRole('radio', { name: 'Address' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(form.getByRole('radio', { name: 'SSH' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(form.getByRole('radio', { name: 'SSH' })).toBeChecked();
  const machine = form.getByRole('textbox', { name: 'Machine' });
  await machine.fill('nowhere.invalid');
  await machine.press('Enter');
  await expect(form.getByRole('alert')).toContainText('Couldn’t connect to');
  await expectAccessible(page);
  await shot(page, `ssh-unreachable-${width}`);
  await machine.fill('lab');
  await machine.press('Enter');
  await expect(form).toBeHidden();
  const row = section.locator('[data-worker=lab]');
  await expect(row).toContainText('healthy');
  await expect(row).toContainText('over SSH to lab');
  // In a narrow window the panel covers the cells.
  if (width > 1000) {
    const cell = page.locator('[data-cell-id=there]');
    await cell.getByRole('button', { name: /^Run/ }).first().press('Enter');
    await expect(cell).toContainText('made 42');
  }
  await row.getByText('Details').press('Enter');
  await expect(row).toContainText('No cells from this notebook.');
  await row.getByRole('button', { name: 'Log of lab' }).press('Enter');
  await expect(row.locator('.worker-log')).toContainText('listening at');
  await expectAccessible(page);
  await shot(page, `ssh-attached-${width}`);
  await row.getByRole('button', { name: 'Detach lab' }).press('Enter');
  await expect(row).toContainText('not defined');
}

test(
  '[RW-27] for a relay the dialog generates a token and a command, which contains the token only when copied',
  longOnly('src-renderer/panels/workers/workerDialog.test.tsx', 'e2e/contract/relay.test.ts'),
  async ({ page, context, serveReal }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { url } = await serveReal([{ id: 'here', source: '1' }]);
    const section = await openWorkers(page, url);
    await shot(page, 'workers-empty');
    const form = page.getByRole('dialog', { name: 'Attach worker' });
    const attach = section.getByRole('button', { name: 'Attach worker' });
    // The button is disabled until the list has arrived; until then, Enter would press the rail button instead.
    await expect(attach).toBeEnabled();
    await attach.press('Enter');
    await form.getByText('Relay', { exact: true }).first().click();
    await form.getByRole('textbox', { name: 'Name' }).fill('gpu');
    await form.getByRole('textbox', { name: 'Relay' }).fill('wss://relay.example');
    await form.getByLabel('Connect token').fill('let-me-in');
    const token = await form.getByLabel('Token', { exact: true }).inputValue();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    await expect(form.locator('pre')).toContainText('svc worker --connect wss://relay.example/connect/gpu');
    await expect(form.locator('pre')).not.toContainText(token);
    await expect(form.locator('pre')).not.toContainText('let-me-in');
    await form.getByRole('button', { name: 'Copy command' }).press('Enter');
    await expect(form).toContainText('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `(umask 077 && mkdir -p ~/.svc && printf %s ${token} > ~/.svc/worker-gpu.token && printf %s let-me-in > ~/.svc/worker-gpu.connect-token) && svc worker --connect wss://relay.example/connect/gpu --token-file ~/.svc/worker-gpu.token --connect-token-file ~/.svc/worker-gpu.connect-token`,
    );
    await expectAccessible(page);
    await shot(page, 'relay');
    await form.getByRole('textbox', { name: 'Relay' }).fill('relay');
    await form.getByRole('textbox', { name: 'Relay' }).press('Enter');
    await expect(form).toContainText('Enter an https:// or wss:// address.');
    await form.getByRole('textbox', { name: 'Relay' }).fill('http://127.0.0.1:9');
    await form.getByRole('textbox', { name: 'Relay' }).press('Enter');
    await expect(form).toBeHidden();
    await expect(section.locator('[data-worker=gpu]')).toContainText('Nothing listens there');
    await section.locator('[data-worker=gpu]').getByText('Details').click();
    await expectAccessible(page);
    await shot(page, 'workers-failing');
  },
);

test(
  '[DK-32] in the desktop app a token is stored in the keychain, shown as stored, and sent to a restarted server',
  longOnly('src-renderer/panels/workers/workerDialog.test.tsx', 'src-main/shell/storedTokens.test.ts'),
  async ({ page, serveReal }) => {
    const token = 'a-worker-token-of-the-tests';
    const worker = await startWorkerProcess({ env: { SVC_WORKER_TOKEN: token } });
    try {
      // A stub of the shell, whose keychain survives reloading the page.
      await page.addInitScript(() => {
        interface Kept {
          readonly notebook: string;
          readonly worker: string;
          readonly url: string;
          readonly token: string | null;
        }
        const kept = (): Kept[] => JSON.parse(localStorage.getItem('keychain') ?? '[]');
        const nothing = () => () => undefined;
        Object.assign(window, {
          cellarShell: {
            platform: 'linux',
            remember: nothing,
            setRunState: nothing,
            onCommand: nothing,
            onOpenPath: nothing,
            keepWorkerToken: async (entry: Kept) => {
              const others = kept().filter(({ worker }) => worker !== entry.worker);
              const all = entry.token === null ? others : [...others, entry];
              localStorage.setItem('keychain', JSON.stringify(all));
              return true;
            },
            workerTokens: async (notebook: string) => kept().filter((one) => one.notebook === notebook),
          },
        });
      });
      const { url, server, sessionId } = await serveReal([{ id: 'here', source: '1' }]);
      let section = await openWorkers(page, url);
      await section.getByRole('button', { name: 'Attach worker' }).click();
      const form = page.getByRole('dialog', { name: 'Attach worker' });
      await form.getByRole('textbox', { name: 'Name' }).fill('gpu');
      await form.getByRole('textbox', { name: 'Address' }).fill(`${worker.url}/v1/execute`);
      await form.getByLabel('Token').fill(token);
      await form.getByLabel('Token').press('Enter');
      const row = section.locator('[data-worker=gpu]');
      await expect(row).toContainText('token in the keychain');
      const forgets = { name: 'gpu', token: null };
      await rest(server.url, 'PUT', `/v1/notebooks/${sessionId}/x/workers/token`, forgets);
      await page.reload();
      section = page.getByRole('region', { name: 'Workers' });
      await expect(row).toContainText('healthy');
      await row.getByRole('button', { name: 'Test gpu' }).click();
      await expect(row).toContainText('The test cell ran');
      await row.getByRole('button', { name: 'Detach gpu' }).click();
      await expect(row).toHaveCount(0);
      expect(await page.evaluate(() => localStorage.getItem('keychain'))).toBe('[]');
    } finally {
      await worker.stop('SIGKILL');
    }
  },
);

test(
  '[RW-48] [RW-50] a worker that fetches its cells is tested end to end and attached in the dialog, and lists what it cannot build',
  longOnly(
    'src-renderer/panels/workers/workerDialog.test.tsx',
    'e2e/contract/pulledCells.test.ts',
    'e2e/contract/worker.test.ts',
  ),
  async ({ page, serveReal }) => {
    const worker = await startWorkerProcess({
      env: { SVC_WORKER_TOKEN: 'a-token', SVC_WORKER_ALLOW_LOCAL_HOSTS: '1', SVC_UV: '/nowhere/uv' },
    });
    try {
      const { url, dir } = await serveReal([{ id: 'there', source: '# @worker gpu\nprint("made", 6 * 7)' }]);
      const section = await openWorkers(page, url);
      await section.getByRole('button', { name: 'Attach gpu' }).press('Enter');
      const form = page.getByRole('dialog', { name: 'Attach worker' });
      await form.getByRole('textbox', { name: 'Address', exact: true }).fill(worker.url);
      await form.getByLabel('Token').fill('a-token');
      await form.getByText('Worker downloads').click();
      const server = form.getByRole('textbox', { name: 'Address of this server' });
      const tryIt = form.getByRole('button', { name: 'Test' });
      await server.fill('notebooks.example');
      await expect(tryIt).toBeDisabled();
      await server.fill('http://127.0.0.1:9');
      await tryIt.press('Enter');
      await expect(form.getByRole('alert')).toContainText(`Use ${worker.url}/v1/execute`);
      await form.getByRole('textbox', { name: 'Address', exact: true }).fill(`${worker.url}/v1/execute`);
      await tryIt.press('Enter');
      await expect(form.getByRole('alert')).toContainText('Uploading the output bundle failed');
      await expect(form.locator('.worker-checks [data-ok=false]')).toHaveText('Test cell');
      await expectAccessible(page);
      await shot(page, 'fetch-unreachable');
      await server.fill(new URL(url).origin);
      await tryIt.press('Enter');
      await expect(form).toContainText('The test cell ran');
      await expect(form.locator('.worker-checks [data-ok=true]')).toHaveCount(6);
      await shot(page, 'fetch-works');
      await form.getByRole('button', { name: 'Attach', exact: true }).press('Enter');
      await expect(form).toBeHidden();
      const row = section.locator('[data-worker=gpu]');
      await expect(row).toContainText('signed');
      await expect(row).toContainText('cannot build the notebook’s environment: SVC_UV of this worker names');
      await expectAccessible(page);
      await shot(page, 'fetch-attached');
      const cell = page.locator('[data-cell-id=there]');
      await cell.getByRole('button', { name: /^Run/ }).first().press('Enter');
      await expect(cell).toContainText('made 42');
      // The transport is changed without detaching, and the token stays.
      await row.getByRole('button', { name: 'Change transport of gpu' }).press('Enter');
      const change = page.getByRole('dialog', { name: 'Change transport of gpu' });
      await expect(change.getByRole('textbox', { name: 'Address of this server' })).toHaveValue(
        new URL(url).origin,
      );
      await change.getByText('Send to the worker').click();
      await expectAccessible(page);
      await change.getByRole('button', { name: 'Save' }).press('Enter');
      await expect(change).toBeHidden();
      await expect(row).not.toContainText('signed');
      const toml = await readFile(join(dir, 'notebook.toml'), 'utf8');
      expect(toml).toContain('transport = "direct"');
      expect(toml).not.toContain('svc_url');
      await row.getByRole('button', { name: 'Test gpu' }).press('Enter');
      await expect(row).toContainText('The test cell ran');
    } finally {
      await worker.stop('SIGKILL');
    }
  },
);
