/**
 * Errors of cells in the whole window, against a fake server: the summary, the link to the line, and the
 * offer to install a package.
 */

import { fakeBody, fakeCell } from '../../e2e/support/fakeServerNotebook.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const ONE = fakeBody({ name: 'Failures', cells: [fakeCell({ id: 'a', defines: ['a'], status: 'ready' })] });

test('[WI-240] shows the first line of a long message as the heading, the rest below it', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(ONE);
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  fake.status('a', 'running');
  const error =
    'Traceback (most recent call last):\n  File "<cell a>", line 1, in <module>\n    fit(X)\nValueError: X has NaN.\nSee\nhttps://x.org';
  fake.send('cell_error', { cell_id: 'a', error, stdout: '', stderr: '' });
  fake.status('a', 'error');
  await expect(cell.locator('.error-summary')).toHaveText('ValueError: X has NaN.');
  await expect(cell.locator('.error-message')).toHaveText('See\nhttps://x.org');
  await expect(cell.locator('.error-trace')).not.toContainText('https');
});

test('an error starts with its reason and shows the line it names', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=weather]');
  await expect(cell.locator('.error-summary')).toHaveText("KeyError: 'days'");
  await cell.getByRole('button', { name: 'weather_api, line 4' }).click();
  await expect(cell.locator('.code-mark')).toHaveAttribute('data-line', '4');
});

test('a missing package is named, with how to install it', async ({ page, serve }) => {
  const { fake, url } = await serve(ONE);
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=a]')).toBeVisible();
  fake.status('a', 'running');
  fake.send('cell_error', {
    cell_id: 'a',
    error: "ModuleNotFoundError: No module named 'polars'",
    stdout: '',
    stderr: '',
    suggest_install: 'polars',
    suggest_install_language: 'python',
  });
  fake.status('a', 'error');
  await expect(page.locator('[data-cell-id=a]')).toContainText('Install polars');
});
