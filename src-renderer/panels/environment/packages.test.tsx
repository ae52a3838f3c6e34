/** Changes of packages in the window: previewed, started, refused; a missing package and a dropped list. */
import { fakeBody, fakeCell, fakeJob } from '../../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, type Serve, test } from '../../testing/fixture.ts';
import { PACKAGE_WORDS as W } from '../../words/packages.ts';

const change = (name: string, to: string, from: string | null = null) => ({ name, from, to, bytes: null });
const NOTHING = { changes: [], problem: null, warnings: [] };
const job = fakeJob({ action: 'add', command: 'uv add pyyaml' });

/** A notebook whose cell lacks a package; the server accepts every job. */
async function lacking(serve: Serve, module: string) {
  const error = `ModuleNotFoundError: No module named '${module}'`;
  const cells = [fakeCell({ id: 'a', source: `import ${module}`, status: 'error', error })];
  const { fake, url } = await serve(fakeBody({ name: 'Packages', cells }));
  const accepted = () => {
    const { environment, r_environment, environment_job_history } = fake.body;
    return {
      accepted: true,
      environment,
      r_environment,
      environment_job: job,
      environment_job_history,
      dependencies: [],
      resolved_dependencies: [],
      cells: fake.body.cells,
    };
  };
  fake.answers = {
    addPackages: accepted,
    startEnvironmentJob: accepted,
  };
  const bodiesOf = (route: string) =>
    fake.requests.flatMap(({ name, body }) => (name === route ? [body] : []));
  return { fake, url, bodiesOf };
}

test('[WI-183] a missing package is installed by the cell’s button, under another name, and the cell runs again', async ({
  page,
  serve,
}) => {
  const { fake, url, bodiesOf } = await lacking(serve, 'yaml');
  fake.answers.previewEnvironmentJob = { ...NOTHING, changes: [change('pyyaml', '6.0')] };
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  await expect(cell).toContainText(W.missing('pyyaml'));
  // The failure and its remedy are still shown after a reload.
  await page.reload();
  await cell.getByRole('button', { name: 'Install pyyaml' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: W.addTitle('pyyaml') });
  await expect(dialog.getByRole('list', { name: W.changes })).toContainText('new, 6.0');
  expect(bodiesOf('addPackages')).toEqual([]);
  await dialog.getByRole('button', { name: W.apply }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => bodiesOf('addPackages')).toEqual([{ packages: ['pyyaml'] }]);
  // The server runs the cell once that job has ended.
  await expect
    .poll(() => fake.received.findLast(({ type }) => type === 'run_queue_add')?.payload)
    .toMatchObject({ cell_ids: ['a'], after_job: job.id });
});

test('[WI-183] a package that does not exist is refused before anything changes', async ({ page, serve }) => {
  const { fake, url, bodiesOf } = await lacking(serve, 'nobody_has_it');
  const problem = 'nobody-has-it was not found in the package index.';
  fake.answers.previewEnvironmentJob = { ...NOTHING, problem };
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .bar').click();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('install missing');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: W.addTitle('nobody_has_it') });
  await expect(dialog.getByRole('alert')).toContainText(problem);
  await expect(dialog.getByRole('button', { name: W.apply })).toBeDisabled();
  expect(bodiesOf('addPackages')).toEqual([]);
});

/** Drops a file on the window. */
function drop(name: string, text: string): void {
  const items = [{ kind: 'file', webkitGetAsEntry: () => ({ isDirectory: false }) }];
  const dataTransfer = { types: ['Files'], files: [new File([text], name)], items, getData: () => '' };
  document.body.dispatchEvent(
    Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer }),
  );
}

test('[WI-184] a dropped list of packages is imported after a preview of the changes, without the excluded packages', async ({
  page,
  serve,
}) => {
  const { fake, url, bodiesOf } = await lacking(serve, 'yaml');
  fake.answers.readPackageList = {
    format: 'conda',
    requirements: ['apple==1.0', 'pear', 'nobody-has-it'],
    left_out: [{ text: 'cudatoolkit=11.8', why: 'is available only in conda' }],
  };
  fake.answers.previewEnvironmentJob = ({ body }) => {
    const { requirements } = body as { readonly requirements: string }; // parsed by the route
    const missing = requirements.includes('nobody') ? 'nobody-has-it was not found' : null;
    return { ...NOTHING, changes: missing === null ? [change('pear', '1.0')] : [], problem: missing };
  };
  await openPage(page, url);
  await page.locator('[data-cell-id=a] .bar').click();
  drop('environment.yml', 'dependencies: [pear]');
  const dialog = page.getByRole('dialog', { name: W.importNamed('environment.yml') });
  await expect(dialog.getByRole('list', { name: W.leftOut(1) })).toContainText(
    'cudatoolkit=11.8 is available only in conda',
  );
  // Packages that the index does not have are named, and can be left out by hand.
  await expect(dialog.getByRole('alert')).toContainText('nobody-has-it was not found');
  const go = dialog.getByRole('button', { name: W.importGo });
  await expect(go).toBeDisabled();
  await dialog.getByRole('button', { name: W.leaveOut('nobody-has-it') }).press('Enter');
  await expect(dialog.getByRole('list', { name: W.changes })).toContainText('pear');
  await expect(go).toBeEnabled();
  expect(bodiesOf('startEnvironmentJob')).toEqual([]);
  await go.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(() => bodiesOf('startEnvironmentJob'))
    .toEqual([{ action: 'import', requirements: 'apple==1.0\npear' }]);
  drop('huge.txt', '#'.repeat(600_000));
  await expect(page.getByText('huge.txt is too large to be a package list.').first()).toBeVisible();
});
