/** The dialogs of the workers panel: an address, a relay, a test, a change of transport, and the desktop's keychain. */
import type { FakeServer } from '../../../e2e/support/fakeServer.ts';
import { sampleNotebook } from '../../../e2e/support/fakeServerSamples.ts';
import type { ShellBridge } from '../../../src-shared/shell/bridge.ts';
import { ROUTES } from '../../../src-shared/wire/routes/all.ts';
import type { WorkerEntry } from '../../../src-shared/wire/workers.ts';
import { expect, openPage, type Serve, test } from '../../testing/fixture.ts';
import type { Page } from '../../testing/page.tsx';
import { WORKER_WORDS } from '../../words/workers.ts';

test('[ED-98] a test of a wrong address explains the problem', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.answers.listWorkers = { workers: [], definitions_editable: true, health_checked_at: 0 };
  await openPage(page, url);
  await page.getByRole('button', { name: 'Workers', exact: true }).click();
  await page.getByRole('button', { name: 'Attach worker' }).click();
  const form = page.getByRole('dialog', { name: 'Attach worker' });
  await form.getByRole('textbox', { name: 'Address' }).fill('localhost:9/v1/execute');
  await expect(form).not.toContainText(WORKER_WORDS.urlWrong);
  await form.getByRole('button', { name: 'Test' }).click();
  await expect(form).toContainText(WORKER_WORDS.urlWrong);
  await form.getByRole('textbox', { name: 'Address' }).fill('http://localhost:9/v1/execute');
  await expect(form).not.toContainText(WORKER_WORDS.urlWrong);
});

type Defined = FakeServer['body']['workers'][number];

/** A worker that answers, as the server lists it. */
function entryOf({ name, config }: Defined, part: Partial<WorkerEntry> = {}): WorkerEntry {
  const counts = {
    probe_count: 1,
    healthy_probe_count: 1,
    unavailable_probe_count: 0,
    unknown_probe_count: 0,
  };
  const times = { last_healthy_at: 1, last_unavailable_at: null, last_unknown_at: null };
  return {
    name,
    backend: 'executor',
    runtime_id: null,
    config,
    source: 'notebook',
    health: 'healthy',
    allowed: true,
    enabled: true,
    health_url: null,
    health_checked_at: 1,
    last_error: null,
    transport: config['transport'] === 'signed' ? 'signed' : 'direct',
    health_history: [],
    ...counts,
    ...times,
    consecutive_failures: 0,
    last_status_change_at: 1,
    last_probe_duration_ms: 1,
    ...part,
  };
}

/** The workers panel; the server keeps the workers it is sent. */
async function openedWorkers(
  { page, serve }: { page: Page; serve: Serve },
  part: Partial<WorkerEntry> = {},
): Promise<{
  fake: FakeServer;
  form: ReturnType<Page['getByRole']>;
  section: ReturnType<Page['getByRole']>;
}> {
  const { fake, url } = await serve(sampleNotebook());
  const catalog = () => ({
    workers: fake.body.workers.map((worker) => entryOf(worker, part)),
    definitions_editable: true,
    health_checked_at: 0,
  });
  fake.answers.listWorkers = catalog;
  fake.answers.setWorkers = ({ body }) => {
    const { workers } = ROUTES.setWorkers.body.parse(body);
    fake.body = { ...fake.body, workers };
    return { ...catalog(), configured_workers: workers };
  };
  fake.answers.setWorkerToken = ({ body }) => ({
    name: ROUTES.setWorkerToken.body.parse(body).name,
    kept: true,
  });
  await openPage(page, url);
  await page.getByRole('button', { name: 'Workers', exact: true }).click();
  const section = page.getByRole('region', { name: WORKER_WORDS.title });
  const form = page.getByRole('dialog', { name: WORKER_WORDS.add });
  // Once the list has loaded.
  await expect(section.getByRole('button', { name: WORKER_WORDS.add })).toBeEnabled();
  return { fake, form, section };
}

test('[RW-27] for a relay the dialog generates a token and a command, which shows the token only when copied', async ({
  page,
  serve,
}) => {
  const { fake, form, section } = await openedWorkers({ page, serve });
  await section.getByRole('button', { name: WORKER_WORDS.add }).press('Enter');
  await form.getByText('Relay', { exact: true }).first().click();
  await form.getByRole('textbox', { name: 'Name' }).fill('gpu');
  await form.getByRole('textbox', { name: 'Relay' }).fill('wss://relay.example');
  await form.getByLabel('Connect token', { exact: true }).fill('let-me-in');
  const token = await form
    .getByLabel('Token', { exact: true })
    .evaluate((field) => (field as HTMLInputElement).value);
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const command = form.locator('pre');
  await expect(command).toContainText('svc worker --connect wss://relay.example/connect/gpu');
  await expect(command).not.toContainText(token);
  await expect(command).not.toContainText('let-me-in');
  await form.getByRole('button', { name: WORKER_WORDS.copyCommand }).press('Enter');
  await expect(form).toContainText(WORKER_WORDS.copied);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`printf %s ${token} > ~/.svc/worker-gpu.token`);
  expect(copied).toContain('printf %s let-me-in > ~/.svc/worker-gpu.connect-token');
  await form.getByRole('textbox', { name: 'Relay' }).fill('relay');
  await form.getByRole('textbox', { name: 'Relay' }).press('Enter');
  await expect(form).toContainText(WORKER_WORDS.relayWrong);
  await form.getByRole('textbox', { name: 'Relay' }).fill('http://127.0.0.1:9');
  await form.getByRole('textbox', { name: 'Relay' }).press('Enter');
  await expect(form).toBeHidden();
  await expect(section.locator('[data-worker=gpu]')).toContainText('healthy');
  const requestBody = fake.requests.findLast(({ name }) => name === 'setWorkerToken')?.body;
  expect(requestBody).toEqual({ name: 'gpu', token });
});

test('[RW-48] [RW-50] a worker that fetches its cells is tested and attached in the dialog, and lists what it cannot build', async ({
  page,
  serve,
}) => {
  const why = 'SVC_UV of this worker names no program';
  const reported = { locked_environments: false, locked_environments_problem: why, python_version: '3.13.5' };
  const { fake, form, section } = await openedWorkers({ page, serve }, { reported });
  const checks = (['address', 'answer', 'version', 'token', 'slot'] as const).map((check) => ({
    check,
    ok: true,
  }));
  const problem = 'Uploading the output bundle failed.';
  const failing = { ok: false, checks: [...checks, { check: 'cell', ok: false }], trouble: 'cell_failed' };
  fake.answers.testWorker = { ...failing, problem, duration_ms: 5, reported: null };
  await section.getByRole('button', { name: WORKER_WORDS.add }).press('Enter');
  await form.getByRole('textbox', { name: 'Name' }).fill('gpu');
  await form.getByRole('textbox', { name: 'Address', exact: true }).fill('http://127.0.0.1:9000/v1/execute');
  await form.getByLabel('Token', { exact: true }).fill('a-token');
  await form.getByText(WORKER_WORDS.transports.signed).click();
  const server = form.getByRole('textbox', { name: WORKER_WORDS.server });
  const tryIt = form.getByRole('button', { name: WORKER_WORDS.testThis });
  await server.fill('notebooks.example');
  await expect(tryIt).toBeDisabled();
  await server.fill('http://127.0.0.1:9');
  await tryIt.press('Enter');
  await expect(form.getByRole('alert')).toContainText(problem);
  await expect(form.locator('.worker-checks [data-ok=false]')).toHaveText(WORKER_WORDS.checks.cell);
  expect(fake.requests.findLast(({ name }) => name === 'testWorker')?.body).toMatchObject({
    url: 'http://127.0.0.1:9000/v1/execute',
    token: 'a-token',
    transport: 'signed',
    svc_url: 'http://127.0.0.1:9',
  });
  fake.answers.testWorker = {
    ok: true,
    checks: [...checks, { check: 'cell', ok: true }],
    trouble: null,
    problem: null,
    duration_ms: 5,
    reported: null,
  };
  await tryIt.press('Enter');
  await expect(form).toContainText('The test cell ran');
  await expect(form.locator('.worker-checks [data-ok=true]')).toHaveCount(6);
  await form.getByRole('button', { name: WORKER_WORDS.attach, exact: true }).press('Enter');
  await expect(form).toBeHidden();
  const row = section.locator('[data-worker=gpu]');
  await expect(row).toContainText('signed');
  await expect(row).toContainText(`cannot build the notebook’s environment: ${why}`);
  // Another transport without detaching.
  await row.getByRole('button', { name: WORKER_WORDS.changeTransport('gpu') }).press('Enter');
  const change = page.getByRole('dialog', { name: WORKER_WORDS.changeTransport('gpu') });
  await expect(change.getByRole('textbox', { name: WORKER_WORDS.server })).toHaveValue('http://127.0.0.1:9');
  await change.getByText(WORKER_WORDS.transports.direct).click();
  await change.getByRole('button', { name: WORKER_WORDS.save }).press('Enter');
  await expect(change).toBeHidden();
  await expect(row).not.toContainText('signed');
  expect(fake.body.workers.map(({ config }) => config)).toEqual([
    expect.not.objectContaining({ svc_url: expect.anything() }),
  ]);
});

test('[DK-32] in the app a token is stored in the keychain, shown as stored, and sent to a restarted server', async ({
  page,
  serve,
}) => {
  type Stored = Parameters<ShellBridge['keepWorkerToken']>[0];
  let keychain: readonly Stored[] = [];
  const nothing = () => () => undefined;
  const shell = {
    platform: 'linux',
    remember: nothing,
    setRunState: nothing,
    onCommand: nothing,
    onOpenPath: nothing,
    keepWorkerToken: async (entry: Stored) => {
      const others = keychain.filter(({ worker }) => worker !== entry.worker);
      keychain = entry.token === null ? others : [...others, entry];
      return true;
    },
    workerTokens: async () => keychain,
  };
  Object.assign(window, { cellarShell: shell });
  try {
    const { fake, form, section } = await openedWorkers({ page, serve }, { token_source: 'memory' });
    await section.getByRole('button', { name: WORKER_WORDS.add }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('gpu');
    await form.getByRole('textbox', { name: 'Address', exact: true }).fill('http://127.0.0.1:9/v1/execute');
    await form.getByLabel('Token', { exact: true }).fill('a-token');
    await form.getByLabel('Token', { exact: true }).press('Enter');
    const row = section.locator('[data-worker=gpu]');
    await expect(row).toContainText(WORKER_WORDS.tokenInKeychain);
    expect(keychain).toMatchObject([{ worker: 'gpu', token: 'a-token' }]);
    fake.requests.length = 0;
    await page.reload();
    await expect
      .poll(() => fake.requests.find(({ name }) => name === 'setWorkerToken')?.body)
      .toEqual({ name: 'gpu', token: 'a-token' });
    await row.getByRole('button', { name: WORKER_WORDS.remove('gpu') }).click();
    await expect(row).toHaveCount(0);
    await expect.poll(() => keychain).toEqual([]);
  } finally {
    Reflect.deleteProperty(window, 'cellarShell');
  }
});
