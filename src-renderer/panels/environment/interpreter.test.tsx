/** The path of the Python interpreter in the environment panel, in the whole window against a fake server. */

import { fakeBody, fakeCell, readyEnvironment } from '../../../e2e/support/fakeServerNotebook.ts';
import { expect, openPage, test } from '../../testing/fixture.ts';

test('[WI-409] the full path of the interpreter is in its tooltip and can be copied', async ({
  page,
  serve,
}) => {
  const path = '/home/ada/notebooks/a-long-name-of-a-notebook/.venv/bin/python';
  const environment = { ...readyEnvironment, venv_python: path };
  const { url } = await serve(fakeBody({ name: 'Paths', cells: [fakeCell({ id: 'a' })], environment }));
  await openPage(page, url);
  await page.getByRole('button', { name: 'Environment', exact: true }).click();
  await expect(page.locator('.path-parts')).toHaveAttribute('title', path);
  await expect(page.locator('.path-parts')).toHaveText(path);
  await page.getByRole('button', { name: 'Copy the path of the interpreter' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(path);
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
});
