/**
 * Outputs of cells in the whole window, against a fake server: JSON trees, truncated values, the output menu,
 * and offers of help.
 */

import {
  fakeBody,
  fakeCell,
  fakeJob,
  fakeOutput,
  readyEnvironment,
} from '../../e2e/support/fakeServerNotebook.ts';
import { sampleNotebook } from '../../e2e/support/fakeServerSamples.ts';
import { expect, openPage, test } from '../testing/fixture.ts';

const one = (output: Parameters<typeof fakeOutput>[0]) =>
  fakeBody({
    name: 'Output',
    cells: [fakeCell({ id: 'a', defines: ['a'], status: 'ready', display_outputs: [fakeOutput(output)] })],
  });

test('JSON opens and closes', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  const tree = page.locator('[data-cell-id=summary] .json');
  await expect(tree.locator('.json-key')).toHaveText(['rides: ', 'stations: ', 'busiest: ', 'rain: ']);
  await tree.getByRole('button', { name: /busiest/ }).click();
  await expect(tree).toContainText('"Part-Dieu"');
});

test('a truncated value is marked and can be shown in full', async ({ page, serve }) => {
  const whole = JSON.stringify({ rides: Array.from({ length: 40 }, (_none, at) => at), last: 'there' });
  const { fake, url } = await serve(
    one({
      content_type: 'json/object',
      bytes: 1_234_567,
      artifact_uri: 'svc://artifact/j@v=1',
      preview: { rides: [0, 1] },
      preview_truncated: true,
    }),
  );
  fake.blobs.set('a/0', { type: 'application/octet-stream', bytes: Buffer.from(whole) });
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  await expect(cell).toContainText('This is only part of the value (1.2 MB in total).');
  await expect(cell.locator('.json-count')).toHaveText(['{1+}', '[2+]']);
  await cell.getByRole('button', { name: 'Show all' }).click();
  await expect(cell.locator('.json-count')).toHaveText(['{2}', '[40]']);
  await expect(cell).toContainText('"there"');
  await expect(cell.locator('.json-part')).toHaveCount(0);
});

test('[VA-40] a pickled value is shown and copied as its text, line by line', async ({ page, serve }) => {
  const text = "Index(['id', 'species',\n       'mass'],\n      dtype='object')";
  const { fake, url } = await serve(
    one({
      content_type: 'pickle/object',
      bytes: 900,
      artifact_uri: 'svc://artifact/i@v=1',
      preview: '<Index object>',
      text,
    }),
  );
  fake.blobs.set('a/0', { type: 'application/octet-stream', bytes: Buffer.from('no text') });
  await openPage(page, url);
  const shown = page.locator('[data-cell-id=a] .output-text');
  expect(await shown.evaluate((one) => one.textContent)).toBe(text);
  await expect(page.locator('[data-cell-id=a]')).not.toContainText('<Index object>');
  await page.locator('[data-cell-id=a] .output-shell').hover();
  await page.getByRole('button', { name: 'Output menu' }).click();
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
});

test('[VA-41] a frame that needs pyarrow to be shown as a table offers to install it', async ({
  page,
  serve,
}) => {
  const preview = '<table class="dataframe"><tr><td>1</td></tr></table>';
  const { url } = await serve(one({ content_type: 'text/html', preview, lacks: 'pyarrow' }));
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  await expect(cell).toContainText('Install pyarrow to page, sort and export this table.');
  await cell.getByRole('button', { name: 'Install pyarrow…' }).click();
  await expect(page.getByRole('dialog', { name: 'Add pyarrow' })).toBeVisible();
});

test('[WI-3] shows the environment’s progress, and a run requested during it waits', async ({
  page,
  serve,
}) => {
  const body = sampleNotebook();
  const { fake, url } = await serve({
    ...body,
    environment: { ...readyEnvironment, sync_state: 'pending' },
    environment_job: fakeJob({ stdout: 'Resolved 14 packages\n' }),
  });
  fake.script = {
    cell_execute: ({ cell_id }, socket) => {
      fake.send('run_queue', { added: [{ id: 'run1', cell_id, mode: 'normal' }], removed: [] }, socket);
    },
  };
  await openPage(page, url);
  await page.getByRole('button', { name: /^Environment: / }).click();
  await expect(page.getByRole('complementary', { name: 'Environment' })).toContainText(
    'Resolved 14 packages',
  );
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Run cell: summary' }).click();
  const cell = page.locator('[data-cell-id=summary]');
  await expect(cell.locator('.chip').first()).toHaveText('waiting for the environment');
  fake.send('environment_job_finished', {
    environment_job: fakeJob({ status: 'completed', phase: 'completed', duration_ms: 900 }),
    environment_job_history: [],
    cells: fake.body.cells,
    lockfile_changed: false,
    stale_cell_count: 0,
    stale_cell_ids: [],
    environment: readyEnvironment,
  });
  fake.send('run_queue', { added: [], removed: ['run1'] });
  fake.status('summary', 'running');
  await expect(cell).toHaveAttribute('data-status', 'running');
  await expect(page.locator('[data-environment=ready]')).toHaveText('Python 3.13.5 · 14 packages');
});

test('a large value is searched', async ({ page, serve }) => {
  const { url } = await serve(
    one({
      content_type: 'json/object',
      preview: { stations: Array.from({ length: 300 }, (_none, at) => ({ name: `station ${at}` })) },
    }),
  );
  await openPage(page, url);
  const tree = page.locator('[data-cell-id=a] .json');
  await tree.getByRole('searchbox').fill('STATION 29');
  await expect(tree.getByRole('status')).toHaveText('11 found');
  await expect(tree.locator('.json-path').first()).toHaveText('stations[29].name');
});

test('the menu of an output copies it, collapses it, and opens it in full size', async ({ page, serve }) => {
  const { url } = await serve(one({ content_type: 'text/plain', bytes: 5, preview: 'hello' }));
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  const choose = async (name: string): Promise<void> => {
    await cell.getByRole('button', { name: 'Output menu' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await choose('Copy');
  await expect(page.locator('.toast-words')).toHaveText('Copied');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('hello');
  await choose('Collapse');
  await expect(cell.locator('.output-text')).toHaveCount(0);
  await cell.getByRole('button', { name: 'Text (collapsed)' }).click();
  await expect(cell.locator('.output-text')).toHaveText('hello');
  await choose('Open in full size');
  await expect(page.getByRole('dialog', { name: 'Text' })).toContainText('hello');
});

test('a prompt that could not be sent shows the failure and links to the model settings', async ({
  page,
  serve,
}) => {
  const error = 'No AI provider is configured. Add';
  const { url } = await serve(
    fakeBody({
      name: 'Prompt',
      cells: [fakeCell({ id: 'p', language: 'prompt', source: 'hi', status: 'error', error })],
    }),
  );
  await openPage(page, url);
  await expect(page.getByText(error)).toHaveClass(/error-prose/);
  await page.getByRole('button', { name: 'Choose a model or add an API key' }).click();
  await expect(page.getByRole('region', { name: 'AI' })).toBeVisible();
});

test('[WI-412] a JSON tree is one stop of the Tab key, and arrow keys move in it', async ({
  page,
  serve,
}) => {
  const preview = { a: [1, { b: 2 }], c: { d: 3 } };
  const output = fakeOutput({ content_type: 'json/object', preview, bytes: 40 });
  const cells = [
    fakeCell({ id: 'tree', status: 'ready', display_outputs: [output] }),
    fakeCell({ id: 'next', source: 'x = 1' }),
  ];
  const { url } = await serve(fakeBody({ name: 'Trees', cells }));
  await openPage(page, url);
  const toggles = page.locator('[data-cell-id=tree] .json-toggle');
  await expect(toggles).toHaveCount(3);
  await page.locator('[data-cell-id=tree] .cell-name').click();
  await expect(page.locator('[data-cell-id=tree]')).toHaveAttribute('aria-current', 'true');
  await page.evaluate(() => document.querySelector<HTMLElement>('.json-toggle')?.focus());
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const steps: readonly (readonly [key: string, text: RegExp, count: number])[] = [
    ['ArrowDown', /^▸a: /, 3],
    ['ArrowRight', /^▾a: /, 4],
    ['ArrowRight', /^▸1: /, 4],
    ['ArrowLeft', /^▾a: /, 4],
    ['End', /^▸c: /, 4],
    ['ArrowDown', /^▸c: /, 4],
    ['Home', /^▾\{2\}/, 4],
    ['ArrowLeft', /^▸\{2\}/, 1],
  ];
  for (const [key, text, count] of steps) {
    await page.keyboard.press(key);
    await expect.poll(focused).toMatch(text);
    await expect(toggles).toHaveCount(count);
  }
  expect(await page.evaluate(() => document.querySelectorAll('.json-toggle[tabindex="0"]').length)).toBe(1);
  await expect(page.locator('[data-cell-id=tree]')).toHaveAttribute('aria-current', 'true');
});
