/** R in the environment panel and below an error: a library is set up, and a missing package installed. */
import { fakeBody, fakeCell, fakeJob } from '../../../e2e/support/fakeServerNotebook.ts';
import type { REnvironment } from '../../../src-shared/wire/environment.ts';
import { expect, openPage, type Serve, test } from '../../testing/fixture.ts';
import { R_WORDS } from '../../words/r.ts';

const ERROR = 'Error in library(fruit) : there is no package called ‘apple’';

async function rNotebook(serve: Serve, r: Partial<REnvironment>) {
  const body = fakeBody({
    name: 'R',
    cells: [fakeCell({ id: 'a', language: 'r', source: 'library(apple)', status: 'error', error: ERROR })],
  });
  const { fake, url } = await serve({ ...body, r_environment: { ...body.r_environment, ...r } });
  fake.answers.rPackages = { packages: [], packages_status: 'ok', packages_error: null };
  const change = (next: Partial<REnvironment>): void => {
    fake.body = { ...fake.body, r_environment: { ...fake.body.r_environment, ...next } };
    fake.broadcastState();
  };
  return { fake, url, change };
}

test('[WI-183] the error of a missing R package says where to set up a library, and then its button installs the package', async ({
  page,
  serve,
}) => {
  const { fake, url, change } = await rNotebook(serve, { system_r_version: '4.4.1' });
  const job = fakeJob({ action: 'r_init', command: 'renv::init()' });
  fake.answers.startEnvironmentJob = () => ({
    accepted: true,
    environment_job: job,
    environment_job_history: [],
    cells: fake.body.cells,
    environment: fake.body.environment,
    r_environment: fake.body.r_environment,
    dependencies: [],
    resolved_dependencies: [],
  });
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  await expect(cell).toContainText('Set up R packages for this notebook in the environment panel');
  await page.getByRole('button', { name: 'Environment', exact: true }).click();
  const card = page.getByRole('region', { name: R_WORDS.title, exact: true });
  await card.getByRole('button', { name: R_WORDS.init }).press('Enter');
  const started = () =>
    fake.requests.flatMap(({ name, body }) => (name === 'startEnvironmentJob' ? [body] : []));
  await expect.poll(started).toEqual([{ action: 'r_init' }]);
  change({ has_lockfile: true, sync_state: 'ok', packages_status: 'ok', r_version: '4.4.1' });
  await expect(card).toContainText('No R packages are installed');
  const install = cell.getByRole('button', { name: 'Install apple and rerun' });
  await expect(install).toBeEnabled();
  await install.press('Enter');
  await expect.poll(started).toEqual([{ action: 'r_init' }, { action: 'r_add', package: 'apple' }]);
  // The server runs the cell once that job has ended.
  await expect
    .poll(() => fake.received.findLast(({ type }) => type === 'run_queue_add')?.payload)
    .toMatchObject({ cell_ids: ['a'], after_job: job.id });
});

test('[EN-55] without R the section says what to do, and offers no action', async ({ page, serve }) => {
  const { url } = await rNotebook(serve, { packages_status: 'rscript_missing' });
  await openPage(page, url);
  await page.getByRole('button', { name: 'Environment', exact: true }).click();
  const card = page.getByRole('region', { name: R_WORDS.title, exact: true });
  await expect(card).toContainText(R_WORDS.missing);
  await expect(card.getByRole('button', { name: R_WORDS.init })).toBeDisabled();
});
