import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from '../support/axe.ts';
import { test as base, expect, openPage } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeJob, fakeOutput, readyEnvironment } from '../support/fakeServerNotebook.ts';
import { fillOutputs, outputsNotebook } from '../support/fakeServerOutputs.ts';
import { sampleNotebook } from '../support/fakeServerSamples.ts';

const test = base.extend<{ elsewhere: { origin: string; asked: string[] } }>({
  // A server somewhere else, which must never be asked for anything.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the first argument taken apart
  elsewhere: async ({}, use) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // a listening TCP server has one
    await use({ origin: `http://127.0.0.1:${port}`, asked });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

const one = (output: Parameters<typeof fakeOutput>[0]) =>
  fakeBody({
    name: 'Output',
    cells: [fakeCell({ id: 'a', defines: ['a'], status: 'ready', display_outputs: [fakeOutput(output)] })],
  });

test('[WI-8] active output is shown however late the page gets to its own work', async ({ page, serve }) => {
  // What the page puts off till after it is drawn comes long after the frame has said that it is ready.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function late(this: MessagePort, message: unknown) {
      setTimeout(() => post.call(this, message), 400);
    };
  });
  const html = '<p>Here</p>';
  const { url } = await serve(one({ content_type: 'text/html', bytes: html.length, preview: html }));
  await page.goto(url);
  await expect(page.frameLocator('iframe.output-frame').getByText('Here')).toBeVisible();
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
  await expect(image).toHaveAttribute('alt', 'Figure, 40 × 30');
  await page.locator('[data-cell-id=a]').getByRole('button', { name: 'Figure, 40 × 30' }).click();
  await expect(page.getByRole('dialog', { name: 'Figure' }).locator('img')).toBeVisible();
});

test('JSON opens and closes', async ({ page, serve }) => {
  const { url } = await serve(sampleNotebook());
  await openPage(page, url);
  const tree = page.locator('[data-cell-id=summary] .json');
  await expect(tree.locator('.json-key')).toHaveText(['rides: ', 'stations: ', 'busiest: ', 'rain: ']);
  await tree.getByRole('button', { name: /busiest/ }).click();
  await expect(tree).toContainText('"Part-Dieu"');
});

test('a glimpse of what is closed is one line, and ends in dots where there is more', async ({
  page,
  serve,
}) => {
  const long = Array.from({ length: 60 }, (_none, at) => at);
  const { url } = await serve(one({ content_type: 'json/object', preview: { long, short: [1, 2] } }));
  await openPage(page, url);
  const toggles = page.locator('[data-cell-id=a] .json-children .json-toggle');
  await expect(toggles.nth(0)).toHaveText(/^▸long: \[60\] \[0,1,2,.*…$/);
  await expect(toggles.nth(1)).toHaveText('▸short: [2] [1,2]');
  expect(await toggles.evaluateAll((all) => all.map((one) => one.clientHeight))).toEqual([24, 24]);
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
  await expect(cell).toContainText('This is only part of the value (1.2 MB in total).');
  await expect(cell.locator('.json-count')).toHaveText(['{1+}', '[2+]']);
  await cell.getByRole('button', { name: 'Show all' }).click();
  await expect(cell.locator('.json-count')).toHaveText(['{2}', '[40]']);
  await expect(cell).toContainText('"there"');
  await expect(cell.locator('.json-part')).toHaveCount(0);
});

test('[VA-40] what only Python reads is seen as its text, line by line, and is copied as that', async ({
  page,
  context,
  serve,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const text = "Index(['id', 'species',\n       'mass'],\n      dtype='object')";
  const { fake, url } = await serve(
    one({
      ...{ content_type: 'pickle/object', bytes: 900, artifact_uri: 'svc://artifact/i@v=1' },
      ...{ preview: '<Index object>', text },
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

test('[VA-41] a frame that is no table for lack of pyarrow says so, and pyarrow can be had there', async ({
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
  await expect(cell.locator('.chip').first()).toHaveText('waits for the environment');
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

test('[WI-8] hostile HTML and SVG change nothing outside their frame', async ({ page, serve, elsewhere }) => {
  const html = `<meta http-equiv="refresh" content="0;url=${elsewhere.origin}/"><base href="${elsewhere.origin}/">
    <form action="${elsewhere.origin}/" target="_top"><input name="x"></form><a id="out" href="${elsewhere.origin}/" target="_top">out</a>
    <p id="tried"></p><script>
    const tried = [];
    const attempt = (name, act) => { try { act(); tried.push(name + ':no error'); } catch (error) { tried.push(name + ':' + error.name); } };
    attempt('top', () => { top.location = '${elsewhere.origin}/'; });
    attempt('storage', () => localStorage.setItem('hit', '1'));
    attempt('cookie', () => { document.cookie = 'hit=1'; });
    attempt('parent', () => parent.document.body.remove());
    open('${elsewhere.origin}/');
    document.forms[0].submit();
    parent.postMessage({ kind: 'height', px: 1e12 }, '*');
    parent.postMessage({ kind: 'show', html: '<b>x</b>' }, '*');
    parent.postMessage({ kind: 'height', px: 'NaN' }, '*');
    document.getElementById('tried').textContent = tried.join(' ');
  </script>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="top.hit=1"><script>top.hit = 1</script><image href="${elsewhere.origin}/x.png"/><text id="drawn" y="15">hi</text></svg>`;
  const cells = [html, svg].map((text, at) =>
    fakeCell({
      id: `h${at}`,
      defines: [`h${at}`],
      status: 'ready',
      display_outputs: [
        fakeOutput({
          content_type: at === 0 ? 'text/html' : 'image/svg+xml',
          bytes: text.length,
          preview: text,
        }),
      ],
    }),
  );
  const { url } = await serve(fakeBody({ name: 'Hostile', cells }));
  await page.goto(url);
  const frame = page.frameLocator('[data-cell-id=h0] iframe');
  await expect(frame.locator('#tried')).toContainText(
    'storage:SecurityError cookie:SecurityError parent:SecurityError',
  );
  await expect(page.frameLocator('[data-cell-id=h1] iframe').locator('#drawn')).toHaveText('hi');
  await frame.locator('#out').click();
  await expect(page.locator('[data-cell-id]')).toHaveCount(2);
  expect(new URL(page.url()).host).toBe(new URL(url).host);
  expect(await page.evaluate(() => ({ hit: 'hit' in window, kept: localStorage.getItem('hit') }))).toEqual({
    hit: false,
    kept: null,
  });
  expect(page.context().pages()).toHaveLength(1);
  expect(elsewhere.asked).toEqual([]);
  const height = await page.locator('[data-cell-id=h0] iframe').evaluate((one) => one.clientHeight);
  expect(height).toBeLessThanOrEqual(20_000);
});

test('[WI-11] hostile Markdown keeps neither scripts nor addresses that run', async ({
  page,
  serve,
  elsewhere,
}) => {
  const text = `[a](javascript:window.hit=1) <img src=x onerror="window.hit=1"> [b](data:text/html,x) [c](https://example.org) [d](mailto:a@b.c) ![p](${elsewhere.origin}/p.png) <script>window.hit=1</script>`;
  const { url } = await serve(one({ content_type: 'text/markdown', markdown_text: text }));
  await openPage(page, url);
  const shown = page.locator('[data-cell-id=a] .markdown');
  await expect(shown.locator('a')).toHaveCount(2);
  expect(await shown.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))).toEqual([
    'https://example.org',
    'mailto:a@b.c',
  ]);
  await expect(shown).toContainText(`p: not loaded from ${elsewhere.origin}/p.png`);
  await expect(shown.locator('script')).toHaveCount(0);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  expect(elsewhere.asked).toEqual([]);
});

test('200 MB are not put into the page, and can be downloaded', async ({ page, serve }) => {
  const { fake, url } = await serve(
    one({
      content_type: 'text/plain',
      bytes: 200_000_000,
      artifact_uri: 'svc://artifact/big@v=1',
      preview: 'the first of it',
      preview_truncated: true,
    }),
  );
  fake.blobs.set('a/0', { type: 'application/octet-stream', bytes: Buffer.from('all of it') });
  await openPage(page, url);
  const cell = page.locator('[data-cell-id=a]');
  await expect(cell).toContainText('This result is large (200.0 MB)');
  const saved = page.waitForEvent('download');
  await cell.getByRole('button', { name: 'Download' }).click();
  expect((await saved).suggestedFilename()).toBe('a.txt');
});

test('a long text is drawn as far as it is seen', async ({ page, serve }) => {
  const text = Array.from({ length: 60_000 }, (_none, at) => `row ${at}`).join('\n');
  const { url } = await serve(one({ content_type: 'text/plain', bytes: text.length, preview: text }));
  await openPage(page, url);
  const box = page.locator('[data-cell-id=a] .console-box');
  await expect(box).toContainText('row 0');
  await expect(box).not.toContainText('row 59999');
  await box.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await expect(box).toContainText('row 59999');
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

test('an output has its menu: copied, collapsed, opened large', async ({ page, serve, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
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

for (const colours of ['light', 'dark'] as const) {
  test(`every output is accessible, ${colours}`, async ({ page, serve }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
    const { fake, url } = await serve(outputsNotebook());
    fillOutputs(fake);
    await openPage(page, url);
    await expect(page.locator('[data-cell-id=trips] .head-summary').first()).not.toBeEmpty();
    const audit = { exclude: 'iframe', coloursOnly: colours === 'dark' };
    await expectAccessible(page, { ...audit, only: '[data-results]' });
    // Twenty rows say as much about the full view as fifty.
    await page.setViewportSize({ width: 900, height: 480 });
    await page.locator('[data-cell-id=trips]').getByRole('button', { name: 'Open', exact: true }).click();
    await expect(page.getByRole('dialog').getByRole('gridcell').first()).toBeVisible();
    await expectAccessible(page, { ...audit, only: '[role=dialog]' });
  });
}

test('the button of a table’s output stands beside the table, and what is sticky in it has the ground of the rows', async ({
  page,
  serve,
}) => {
  const body = outputsNotebook();
  const [trips, ...others] = body.cells;
  if (trips === undefined) throw new Error('the notebook of outputs begins with a table');
  const { fake, url } = await serve({ ...body, cells: [{ ...trips, status: 'stale' }, ...others] });
  fillOutputs(fake);
  await openPage(page, url);
  const card = page.locator('[data-cell-id=trips]');
  await card.locator('.grid').hover();
  const [table, tools] = await Promise.all([
    card.locator('.table-view').boundingBox(),
    card.locator('.output-tools').boundingBox(),
  ]);
  expect(tools?.x).toBeGreaterThanOrEqual((table?.x ?? 0) + (table?.width ?? 0));
  const ground = (of: string) =>
    card.locator(of).evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await ground('.grid-head')).toBe(await ground('.results-old'));
});

test('a prompt that could not be asked says so in a sentence and leads to where a model is chosen', async ({
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

test('a figure is softened in the dark, and as it was made where it is pointed at or opened', async ({
  page,
  serve,
}) => {
  const body = outputsNotebook();
  const { fake, url } = await serve({
    ...body,
    cells: body.cells.filter(({ display_outputs: [first] }) => first?.content_type === 'image/png'),
  });
  fillOutputs(fake);
  const image = page.locator('.output-picture .output-image').first();
  await page.emulateMedia({ colorScheme: 'light' });
  await openPage(page, url);
  await expect(image).toHaveCSS('filter', 'none');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(image).toHaveCSS('filter', 'brightness(0.82)');
  await image.hover();
  await expect(image).toHaveCSS('filter', 'none');
  await image.click();
  await expect(page.getByRole('dialog').locator('.output-image')).toHaveCSS('filter', 'none');
});
