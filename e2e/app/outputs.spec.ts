/**
 * Results of cells in a browser: frames for active output, hostile HTML, SVG and Markdown, figures, large results and
 * accessibility. Against a fake server, with a second host that must receive no request.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from '../support/axe.ts';
import { test as base, expect, openPage } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeOutput } from '../support/fakeServerNotebook.ts';
import { fillOutputs, outputsNotebook } from '../support/fakeServerOutputs.ts';

const test = base.extend<{ elsewhere: { origin: string; requests: string[] } }>({
  // Another host, which must never receive a request.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructured first argument
  elsewhere: async ({}, use) => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // the address of a listening TCP server
    await use({ origin: `http://127.0.0.1:${port}`, requests });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

const one = (output: Parameters<typeof fakeOutput>[0]) =>
  fakeBody({
    name: 'Output',
    cells: [fakeCell({ id: 'a', defines: ['a'], status: 'ready', display_outputs: [fakeOutput(output)] })],
  });

test('[WI-8] active output is shown even if the page handles messages late', async ({ page, serve }) => {
  // Delays messages of ports, so that the page acts long after the frame has reported that it is ready.
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

test('[WI-8] active output runs in its own frame, which has no access to page or network', async ({
  page,
  serve,
}) => {
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

test('a frame is as high as its content', async ({ page, serve }) => {
  const html = '<div style="height:333px">tall</div>';
  const { url } = await serve(one({ content_type: 'text/html', bytes: html.length, preview: html }));
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=a] iframe')).toHaveCSS('height', '333px');
});

test('a figure that is not inline is loaded from the blob route', async ({ page, serve }) => {
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

test('the preview of a collapsed value is one line, and ends in an ellipsis if it is truncated', async ({
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
  expect(elsewhere.requests).toEqual([]);
  const height = await page.locator('[data-cell-id=h0] iframe').evaluate((one) => one.clientHeight);
  expect(height).toBeLessThanOrEqual(20_000);
});

test('[WI-11] hostile Markdown loses its scripts and its addresses with code', async ({
  page,
  serve,
  elsewhere,
}) => {
  const text = `[a](javascript:window.hit=1) <img src=x onerror="window.hit=1"> [b](data:text/html,x) [c](https://example.org) [d](mailto:a@b.c) ![p](${elsewhere.origin}/p.png) <script>window.hit=1</script>`;
  const { url } = await serve(one({ content_type: 'text/markdown', markdown_text: text }));
  await openPage(page, url);
  const content = page.locator('[data-cell-id=a] .markdown');
  await expect(content.locator('a')).toHaveCount(2);
  expect(await content.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))).toEqual([
    'https://example.org',
    'mailto:a@b.c',
  ]);
  await expect(content).toContainText(`p: not loaded from ${elsewhere.origin}/p.png`);
  await expect(content.locator('script')).toHaveCount(0);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  expect(elsewhere.requests).toEqual([]);
});

test('a value of 200 MB is not loaded into the page, and can be downloaded', async ({ page, serve }) => {
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
  const download = page.waitForEvent('download');
  await cell.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('a.txt');
});

test('of a long text only the visible part is rendered', async ({ page, serve }) => {
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

test('every output is accessible, light and dark', async ({ page, serve }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const { fake, url } = await serve(outputsNotebook());
  fillOutputs(fake);
  await openPage(page, url);
  await expect(page.locator('[data-cell-id=trips] .head-summary').first()).not.toBeEmpty();
  const audit = async (only: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      await test.step(colorScheme, () =>
        expectAccessible(page, { exclude: 'iframe', coloursOnly: colorScheme === 'dark', only }),
      );
    }
  };
  await audit('[data-results]');
  // A smaller window with twenty rows tests the full view as well as fifty rows do, and faster.
  await page.setViewportSize({ width: 900, height: 480 });
  await page.locator('[data-cell-id=trips]').getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('gridcell').first()).toBeVisible();
  await audit('[role=dialog]');
});

test('the menu button of a table’s output is beside the table, and sticky cells have the background of their rows', async ({
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

test('a figure is dimmed in the dark theme unless it is hovered or opened', async ({ page, serve }) => {
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
