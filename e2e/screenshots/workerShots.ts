/** Screenshots of the Workers panel and of the dialog that attaches a worker. */

import type { Locator, Page } from '@playwright/test';
import { openReady, rest } from '../support/rest.ts';
import type { WorkerProcess } from '../support/workerProcess.ts';
import { live, made, type Shot, type Stage } from './stage.ts';

/** The workers in the screenshots: a worker that listens, and a machine that ssh knows as `lab`. */
export interface WorkerStage {
  readonly gpu: WorkerProcess;
  readonly token: string;
  /** False if this machine has no sshd: then the screenshots of ssh are not taken. */
  readonly hasSsh: boolean;
}

const CELLS = [
  {
    id: 'frames',
    source: '# @name frames\nframes = [[64 * row + at for at in range(64)] for row in range(48)]',
  },
  {
    id: 'train',
    source:
      '# @name train\n# @worker gpu\nweights = [sum(frame) / 64 for frame in frames]\nprint("epoch 12, loss 0.0412")',
  },
  { id: 'score', source: '# @name score\n# @worker lab\nprint("mean", sum(weights) / len(weights))' },
  {
    id: 'survey',
    source: '# @name survey\n# @worker lab\nimport time\n\nprint("plate 17 of 240")\ntime.sleep(3_600)',
  },
  { id: 'archive', source: '# @name archive\n# @worker cold\nprint(len(weights))' },
];

/** A notebook whose cells name three workers. */
function photos(stage: Stage, name: string): Promise<string> {
  return made(stage, { name, title: 'Night sky', cells: CELLS });
}

/** The notebook of `photos` with these workers defined. */
async function withWorkers(stage: Stage, name: string, workers: readonly object[]): Promise<string> {
  const address = await photos(stage, name);
  const base = await baseOf(stage, name);
  await rest(stage.url, 'PUT', `${base}/workers`, { workers });
  return address;
}

async function baseOf({ root, url }: Stage, name: string): Promise<string> {
  const { session_id } = await openReady(url, `${root}/${name}`);
  return `/v1/notebooks/${session_id}`;
}

const GPU = 'https://gpu.example/v1/execute';
const remote = (name: string, url: string) => ({ name, backend: 'executor', config: { url } });

/** Replaces values that differ between runs with fixed ones: ports, times, the machine. */
async function plainWorkers(page: Page, { gpu }: WorkerStage): Promise<void> {
  const plain = (text: string): string =>
    text
      .replaceAll(`${gpu.url}/v1/execute`, GPU)
      .replaceAll(/127\.0\.0\.1:(?!9\b)\d+/g, '127.0.0.1:9000')
      .replaceAll(/"hardware":\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, `"hardware":${HARDWARE}`)
      .replaceAll(
        /"(health_checked_at|checked_at|last_\w+_at)":\d+/g,
        `"$1":${Date.UTC(2026, 10, 21, 11, 59, 48)}`,
      )
      .replaceAll(/"(duration_ms|last_probe_duration_ms)":[\d.]+/g, '"$1":14')
      .replaceAll(/"uptime_seconds":[\d.]+/g, '"uptime_seconds":93784')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-21T11:58:12.204Z')
      .replaceAll(/"pid":\d+/g, '"pid":4121');
  // Requests for the shown URL are sent to the actual worker.
  await page.route('**/x/workers/test', (route) =>
    route.continue({ postData: (route.request().postData() ?? '').replace(GPU, `${gpu.url}/v1/execute`) }),
  );
  await page.route(/\/v1\/notebooks\/[^/]+\/(x\/)?workers?(\/(ssh|log)|\?|$)/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: plain(await answer.text()) });
  });
}

const HARDWARE = JSON.stringify({
  cpus: 32,
  memory_mb: 131_072,
  cuda: '12.8',
  accelerators: [{ name: 'NVIDIA A100 80GB', memory_mb: 81_920, driver: '570.86' }],
});

async function openWorkers(page: Page): Promise<Locator> {
  await live(page);
  const button = page.getByRole('button', { name: 'Workers', exact: true });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  const section = page.getByRole('region', { name: 'Workers' });
  await section.locator('[data-worker]').first().waitFor();
  return section;
}

/** Waits until every worker has answered, and scrolls to a row. */
async function bringUp(section: Locator, row: string): Promise<void> {
  const one = section.locator(`[data-worker=${row}]`);
  await one.waitFor();
  await section.evaluate((element) => element.scrollIntoView({ block: 'start' }));
}

async function dialog(page: Page, name: string, way: string): Promise<Locator> {
  const section = await openWorkers(page);
  await section.getByRole('button', { name: 'Attach worker' }).click();
  const form = page.getByRole('dialog', { name: 'Attach worker' });
  if (way !== 'Address') await form.getByText(way, { exact: true }).click();
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  return form;
}

/** The workers panel and the dialog that attaches a worker, with and without errors. */
export function workerShots(workers: WorkerStage): readonly Shot[] {
  const { gpu, token } = workers;
  const shots: readonly Shot[] = [
    {
      name: 'workers-failing',
      address: (stage) =>
        withWorkers(stage, 'sky-failing', [
          remote('gpu', `${gpu.url}/v1/execute`),
          remote('lab', 'http://127.0.0.1:9/v1/execute'),
        ]),
      show: async (page) => {
        await plainWorkers(page, workers);
        const section = await openWorkers(page);
        const lab = section.locator('[data-worker=lab]');
        await lab.getByText('Nothing listens there').first().waitFor();
        await lab.getByText('Details').click();
        await bringUp(section, 'lab');
      },
    },
    {
      name: 'attach-address',
      address: (stage) => photos(stage, 'sky-address'),
      show: async (page) => {
        await plainWorkers(page, workers);
        const form = await dialog(page, 'gpu', 'Address');
        await form.getByRole('textbox', { name: 'Address' }).fill(GPU);
        await form.getByLabel('Token').fill(token);
        await form.getByRole('button', { name: 'Test' }).click();
        await form.getByText('The test cell ran').waitFor();
      },
    },
    {
      name: 'attach-refused',
      address: (stage) => photos(stage, 'sky-refused'),
      show: async (page) => {
        await plainWorkers(page, workers);
        const form = await dialog(page, 'gpu', 'Address');
        await form.getByRole('textbox', { name: 'Address' }).fill(GPU);
        await form.getByLabel('Token').fill('another token');
        await form.getByRole('button', { name: 'Test' }).click();
        await form.getByRole('alert').waitFor();
      },
    },
    {
      name: 'attach-relay',
      address: (stage) => photos(stage, 'sky-relay'),
      show: async (page) => {
        const form = await dialog(page, 'lab', 'Relay');
        await form.getByRole('textbox', { name: 'Relay' }).fill('wss://relay.example');
        await form.getByLabel('Connect token').fill('a-connect-token');
      },
    },
  ];
  const bySsh: readonly Shot[] = [
    {
      name: 'attach-ssh',
      address: (stage) => photos(stage, 'sky-ssh'),
      show: async (page) => {
        const form = await dialog(page, 'lab', 'SSH');
        const machine = form.getByRole('textbox', { name: 'Machine' });
        await machine.fill('nowhere.invalid');
        await machine.press('Enter');
        await form.getByRole('alert').waitFor();
      },
    },
    {
      name: 'workers',
      address: async (stage) => {
        const address = await withWorkers(stage, 'sky', [remote('gpu', `${gpu.url}/v1/execute`)]);
        const base = await baseOf(stage, 'sky');
        await rest(stage.url, 'PUT', `${base}/x/workers/token`, { name: 'gpu', token });
        await rest(stage.url, 'POST', `${base}/workers/ssh`, { ssh_target: 'lab' });
        for (const id of ['frames', 'train', 'score'])
          await rest(stage.url, 'POST', `${base}/cells/${id}/execute`);
        return address;
      },
      show: async (page) => {
        await plainWorkers(page, workers);
        const section = await openWorkers(page);
        await section.locator('[data-worker=lab]').getByText('healthy').first().waitFor();
        await bringUp(section, 'gpu');
      },
    },
    {
      name: 'worker-details',
      address: async (stage) => {
        const { session_id, path } = await openReady(stage.url, `${stage.root}/sky`);
        return `#/notebook/${session_id}?path=${encodeURIComponent(path)}`;
      },
      show: async (page) => {
        await plainWorkers(page, workers);
        const section = await openWorkers(page);
        const lab = section.locator('[data-worker=lab]');
        await lab.getByText('healthy').first().waitFor();
        await lab.getByText('Details').click();
        await lab.getByRole('button', { name: 'Log of lab' }).click();
        await lab.locator('.worker-log').waitFor();
        await lab.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      },
    },
  ];
  return workers.hasSsh ? [...bySsh, ...shots] : shots;
}
