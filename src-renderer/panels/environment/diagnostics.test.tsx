/** The jobs of an environment and its diagnostics: shown, copied, repaired. */
import { fakeJob } from '../../../e2e/support/fakeServerNotebook.ts';
import { sampleNotebook } from '../../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../../testing/fixture.ts';
import { DIAGNOSIS_WORDS as W } from '../../words/diagnosis.ts';

const row = (name: string, value: string, problem = false) => ({ name, value, problem });
const diagnosis = (rows: readonly ReturnType<typeof row>[], text: string) => ({
  sections: [
    { title: 'Environment', rows: [...rows] },
    { title: 'Network', rows: [row('HTTPS_PROXY', 'http://[hidden]@127.0.0.1:9')] },
  ],
  text,
});
const BROKEN = diagnosis(
  [row('.venv', 'is missing or has no Python', true), row('.svc', 'sync-in-progress.json', true)],
  '! .venv: is missing or has no Python',
);
const REPAIRED = diagnosis([row('.venv', 'Python 3.13.5, matches the lock file')], '.venv: Python 3.13.5');

test('[WI-186] problems of the environment are shown, copied and repaired', async ({ page, serve }) => {
  const { fake, url } = await serve(sampleNotebook());
  fake.answers.diagnoseEnvironment = BROKEN;
  const job = fakeJob();
  fake.answers.repairEnvironment = () => {
    fake.body = { ...fake.body, environment_job: job };
    fake.broadcastState();
    const { environment, r_environment, environment_job_history } = fake.body;
    return {
      accepted: true,
      environment,
      r_environment,
      environment_job: job,
      environment_job_history,
      dependencies: [],
      resolved_dependencies: [],
    };
  };
  await openPage(page, url);
  await page.locator('[data-cell-id=daily] .bar').click();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('environment diagnostics');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: W.title });
  const part = dialog.getByRole('region', { name: 'Environment', exact: true });
  await expect(part).toContainText('is missing or has no Python');
  await expect(part.locator('[data-problem=true]')).toHaveCount(2);
  await expect(dialog).toContainText(W.wrong(2));
  await expect(dialog).toContainText('http://[hidden]@127.0.0.1:9');
  await dialog.getByRole('button', { name: W.copy, exact: true }).press('Enter');
  await expect(dialog.getByRole('status').first()).toContainText(W.copied);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(BROKEN.text);
  await dialog.getByRole('button', { name: W.repair, exact: true }).press('Enter');
  await expect(dialog.getByRole('button', { name: W.repairing })).toBeDisabled();
  // Requested again when the job has ended.
  fake.answers.diagnoseEnvironment = REPAIRED;
  fake.body = { ...fake.body, environment_job: null };
  fake.broadcastState();
  await expect(part).toContainText(', matches the lock file');
  await expect(part.locator('[data-problem=true]')).toHaveCount(0);
  await expect(dialog).toContainText(W.wrong(0));
});
