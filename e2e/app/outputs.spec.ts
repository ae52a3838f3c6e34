import { expect, openPage, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeJob, fakeOutput, readyEnvironment } from '../support/fakeServerNotebook.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

const one = (output: Parameters<typeof fakeOutput>[0]) =>
  fakeBody({
    name: 'Output',
    cells: [fakeCell({ id: 'a', defines: ['a'], status: 'ready', display_outputs: [fakeOutput(output)] })],
  });

test('[WI-8] active output runs in a frame of its own that reaches nothing', async ({ page, serve }) => {
  const html = `<p id="where"></p><p id="reach"></p><p id="net"></p><script>
    document.getElementById('where').textContent = self.origin;
    try { document.getElementById('reach').textContent = String(parent.document.title); }
    catch (error) { document.getElementById('reach').textContent = error.name; }
    fetch('/v1/notebooks/sessions').then(() => 'open', () => 'closed').then((word) => {
      document.getElementById('net').textContent = word;
    });
  </script>`;
  const { fake, url } = await serve(
    one({ content_type: 'text/html', bytes: html.length, artifact_uri: 'svc://artifact/x@v=1' }),
  );
  fake.blobs.set('a/0', { type: 'application/octet-stream', bytes: Buffer.from(html) });
  await openPage(page, url);
  const frame = page.frameLocator('[data-cell-id=a] iframe');
  await expect(frame.locator('#where')).toHaveText('null');
  await expect(frame.locator('#reach')).toHaveText('SecurityError');
  await expect(frame.locator('#net')).toHaveText('closed');
  await expect(page.locator('[data-cell-id=a] iframe')).toHaveAttribute('sandbox', 'allow-scripts');
});

test('a frame is as high as what it shows', async ({ page, serve }) => {
  const html = '<div style="height:333px">tall</div>';
  const { url } = await serve(one({ content_type: 'text/html', bytes: html.length, preview: html }));
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=a] iframe')).toHaveCSS('height', '333px');
});

test('a figure comes from the blob route when it is not inline', async ({ page, serve }) => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  const { fake, url } = await serve(
    one({ content_type: 'image/png', artifact_uri: 'svc://artifact/p@v=2', width: 40, height: 30 }),
  );
  fake.blobs.set('a/0', { type: 'image/png', bytes: png });
  await openPage(page, url);
  const image = page.locator('[data-cell-id=a] img');
  await expect(image).toHaveJSProperty('naturalWidth', 1);
  await expect(image).toHaveAttribute('alt', 'Figure');
});

test('JSON opens and closes', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  const tree = page.locator('[data-cell-id=summary] .json');
  await expect(tree.locator('.json-key')).toHaveText(['rides: ', 'stations: ', 'busiest: ', 'rain: ']);
  await tree.getByRole('button', { name: /busiest/ }).click();
  await expect(tree).toContainText('"Part-Dieu"');
});

test('a value shown in part says so and comes whole when asked', async ({ page, serve }) => {
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
  await expect(cell).toContainText('This is a part of the value (1.2 MB in all).');
  await expect(cell.locator('.json-count').nth(1)).toHaveText('[2]');
  await cell.getByRole('button', { name: 'Show all of it' }).click();
  await expect(cell.locator('.json-count')).toHaveText(['{2}', '[40]']);
  await expect(cell).toContainText('"there"');
  await expect(cell.locator('.json-part')).toHaveCount(0);
});

test('an error leads with its reason and shows the line it names', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=weather]');
  await expect(cell.locator('.error-summary')).toHaveText("KeyError: 'days'");
  await cell.getByRole('button', { name: 'weather_api, line 4' }).click();
  await expect(cell.locator('.code-mark')).toHaveAttribute('data-line', '4');
});

test('a missing package is named with what to do', async ({ page, serve }) => {
  const { fake, url } = await serve(one({ content_type: 'json/object', preview: 1 }));
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
  await expect(page.locator('[data-cell-id=a]')).toContainText('uv add polars');
});

test('[WI-3] the environment says what it does, and a run asked for meanwhile waits', async ({
  page,
  serve,
}) => {
  const body = sampleNotebook();
  const { fake, url } = await serve({
    ...body,
    environment: { ...readyEnvironment, sync_state: 'pending' },
    environment_job: fakeJob({ stdout: 'Resolved 14 packages\n' }),
  });
  let ready = false;
  fake.script = {
    cell_execute: ({ cell_id }, socket) => {
      if (ready) return fake.status(cell_id, 'running');
      fake.send(
        'error',
        { error: 'The environment is being prepared', code: 'ENVIRONMENT_BUSY', cell_id },
        socket,
      );
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
  await expect(cell.locator('.chip').first()).toHaveText('waits for the environment');
  ready = true;
  fake.send('environment_job_finished', {
    environment_job: fakeJob({ status: 'completed', phase: 'completed', duration_ms: 900 }),
    environment_job_history: [],
    cells: fake.body.cells,
    lockfile_changed: false,
    stale_cell_count: 0,
    stale_cell_ids: [],
    environment: readyEnvironment,
  });
  await expect(cell).toHaveAttribute('data-status', 'running');
  await expect(page.locator('[data-environment=ready]')).toHaveText('Python 3.13.5 · 14 packages');
});
