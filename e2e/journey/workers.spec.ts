import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { test as base, openLive, statusOf } from '../support/realServerFixture.ts';
import { type SvcProcess, startSvc } from '../support/svcProcess.ts';
import { startWorkerProcess } from '../support/workerProcess.ts';

/** Folder for screenshots that show a run; if unset, none are taken. */
const SHOTS = process.env['CELLAR_TEST_SHOTS'];
const TOKEN = 'a-worker-token-of-the-tests';
const CONNECT = 'a-connect-token-of-the-tests';

interface Elsewhere {
  /** The address of a worker that listens; its token is TOKEN. */
  readonly direct: string;
  /** The address at a relay of a worker that binds no port; its token is TOKEN. */
  readonly relayed: string;
}

const test = base.extend<{ elsewhere: Elsewhere }>({
  // Playwright requires a destructured first argument, also if no fixture is used.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  elsewhere: async ({}, use) => {
    const started: { stop(signal: NodeJS.Signals): Promise<unknown> }[] = [];
    try {
      const worker = await startWorkerProcess({ env: { SVC_WORKER_TOKEN: TOKEN } });
      started.push(worker);
      const relay = startSvc(['relay', '--port', '0'], { SVC_RELAY_WORKERS: `lab=${CONNECT}` });
      started.unshift(relay);
      const port = Number(/127\.0\.0\.1:(\d+):/.exec(await relay.firstLine)?.[1]);
      started.unshift(await connected(port));
      await use({
        direct: `${worker.url}/v1/execute`,
        relayed: `http://127.0.0.1:${port}/w/lab/v1/execute`,
      });
    } finally {
      for (const one of started) await one.stop('SIGKILL');
    }
  },
});

async function connected(port: number): Promise<SvcProcess> {
  const worker = startSvc(['worker', '--connect', `ws://127.0.0.1:${port}/connect/lab`], {
    SVC_WORKER_TOKEN: TOKEN,
    SVC_WORKER_CONNECT_TOKEN: CONNECT,
  });
  await worker.said('connected to the relay');
  return worker;
}

async function attach(page: Page, worker: { readonly name: string; readonly url: string }): Promise<void> {
  await page.getByRole('button', { name: `Attach ${worker.name}` }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Attach worker' });
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue(worker.name);
  await form.getByRole('textbox', { name: 'Address' }).fill(worker.url);
  const tryIt = form.getByRole('button', { name: 'Test' });
  await form.getByLabel('Token').fill('not the token');
  await tryIt.click();
  await expect(form.getByRole('alert')).toContainText(/token/i);
  await form.getByLabel('Token').fill(TOKEN);
  await tryIt.click();
  await expect(form).toContainText('The test cell ran');
  // The result of a test with one token is not shown for another token.
  await form.getByLabel('Token').fill('another…');
  await expect(form).not.toContainText('The test cell ran');
  await expect(form).toContainText('Check that you copied all of it');
  await expect(tryIt).toBeDisabled();
  await form.getByLabel('Token').fill(` ${TOKEN} `);
  await expectAccessible(page);
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/worker-dialog-${worker.name}.png` });
  await form.getByLabel('Token').press('Enter');
  await expect(form).toBeHidden();
}

function cellOf(page: Page, id: string): Locator {
  return page.locator(`[data-cell-id=${id}]`);
}

test('[RW-22] workers are attached in the panel, directly and by a relay; cells run on them, one is stopped, a worker is detached', async ({
  page,
  serveReal,
  elsewhere,
}) => {
  const frame = 'frame = {"n": [1, 2, 39]}\nprint("made", sum(frame["n"]))';
  const { url } = await serveReal([
    { id: 'gpu', source: `# @worker gpu\n${frame}` },
    { id: 'lab', source: '# @worker lab\ntotal = sum(frame["n"])\nprint("total", total)' },
    { id: 'here', source: 'print(max(frame["n"]))' },
    { id: 'slow', source: '# @worker lab\nimport time\ntime.sleep(60)' },
  ]);
  await openLive(page, url);
  await page.getByRole('button', { name: 'Workers', exact: true }).click();
  const section = page.getByRole('region', { name: 'Workers' });
  await expect(section.locator('[data-worker=gpu]')).toContainText('not defined');
  await expect(cellOf(page, 'gpu')).toContainText('There is no worker "gpu"');
  await attach(page, { name: 'gpu', url: elsewhere.direct });
  await attach(page, { name: 'lab', url: elsewhere.relayed });
  for (const name of ['gpu', 'lab']) {
    await expect(section.locator(`[data-worker=${name}]`)).toContainText('healthy');
  }
  await expect(page.getByText('There is no worker')).toHaveCount(0);
  await expectAccessible(page);
  for (const [id, message] of [
    ['gpu', 'made 42'],
    ['lab', 'total 42'],
    ['here', '39'],
  ] as const) {
    await cellOf(page, id).getByRole('button', { name: /^Run/ }).first().click();
    await expect(cellOf(page, id)).toContainText(message);
  }
  await expect(cellOf(page, 'gpu').locator('.bar')).toContainText('gpu');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/workers-${colorScheme}.png` });
  }
  await cellOf(page, 'slow').getByRole('button', { name: /^Run/ }).first().click();
  await expect(cellOf(page, 'slow').locator('.bar')).toContainText('dispatching → lab');
  await cellOf(page, 'slow').getByRole('button', { name: /^Stop/ }).first().click();
  await expect(statusOf(page, 'slow')).not.toHaveAttribute('data-status', 'running');
  await section.getByRole('button', { name: 'Detach gpu' }).click();
  await expect(section.locator('[data-worker=gpu]')).toContainText('not defined');
});
