import { sampleNotebook } from '../../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../../testing/fixture.ts';
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
