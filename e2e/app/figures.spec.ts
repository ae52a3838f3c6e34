/**
 * Figures and widgets of plotting libraries in a browser: drawn without external requests, themed, saved as pictures,
 * and released when far away. Against a fake server.
 */

import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeOutput } from '../support/fakeServerNotebook.ts';
import { FIGURE_BUNDLES, type FigureBundle } from '../support/figureBundles.ts';
import { longOnly } from '../support/longOnly.ts';
import { manySliders, othersWidgets, widgetNotebook } from '../support/widgetSamples.ts';

const idOf = (at: number): string => `f${at}`;

const notebook = fakeBody({
  name: 'Figures',
  cells: FIGURE_BUNDLES.map(({ name, contentType, text }, at) =>
    fakeCell({
      id: idOf(at),
      source: `# ${name}`,
      status: 'ready',
      display_outputs: [
        fakeOutput({
          content_type: contentType,
          bytes: Buffer.byteLength(text),
          artifact_uri: `svc://artifact/${idOf(at)}@v=1`,
          preview: name,
        }),
      ],
    }),
  ),
});

function figureOf(page: Page, at: number, { inner, draws }: FigureBundle): Locator {
  const frame = page.frameLocator(`[data-results=${idOf(at)}] iframe.output-frame`);
  return (inner === true ? frame.frameLocator('iframe') : frame).locator(draws).first();
}

test('[VA-46] figures of many libraries are drawn without external requests [VA-92]', async ({
  page,
  serve,
}) => {
  const { fake, url } = await serve(notebook);
  for (const [at, { text }] of FIGURE_BUNDLES.entries()) {
    fake.blobs.set(`${idOf(at)}/0`, { type: 'application/octet-stream', bytes: Buffer.from(text) });
  }
  const { origin } = new URL(url);
  const external: string[] = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!/^(data|blob):/.test(address) && new URL(address).origin !== origin) external.push(address);
  });
  const refused: string[] = [];
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) refused.push(line.text());
  });
  await page.goto(url);
  for (const [at, bundle] of FIGURE_BUNDLES.entries()) {
    await test.step(bundle.name, async () => {
      const results = page.locator(`[data-results=${idOf(at)}]`);
      await results.scrollIntoViewIfNeeded();
      await expect(figureOf(page, at, bundle)).toBeAttached();
      const notice = results.locator('.output-lacks');
      if (bundle.needs === undefined) await expect(notice).toHaveCount(0);
      else await expect(notice).toHaveText(bundle.needs);
    });
  }
  expect({ external, refused }).toEqual({ external: [], refused: [] });
});

const PLOTLY = FIGURE_BUNDLES.find(({ name }) => name === 'plotly')?.text ?? '';
const VEGA = FIGURE_BUNDLES.find(({ name }) => name === 'altair 6')?.text ?? '';
const figureCell = (id: string, content_type: string, preview: string) =>
  fakeCell({
    id,
    source: id,
    status: 'ready',
    display_outputs: [fakeOutput({ content_type, bytes: preview.length, preview })],
  });
/** Small figures, whose data is in the output itself, as in an imported notebook. */
const small = fakeBody({
  name: 'Figures',
  cells: [
    figureCell('plot', 'application/vnd.plotly.v1+json', PLOTLY),
    figureCell('chart', 'application/vnd.vegalite.v6.json', VEGA),
    figureCell('formula', 'text/latex', '$\\displaystyle \\int x^{2}\\, dx$'),
    figureCell('widget', 'application/vnd.jupyter.widget-view+json', 'IntSlider(value=3)'),
  ],
});

test('[VA-48] [VA-49] figures follow the theme and are saved as pictures', async ({ page, serve }) => {
  const { url } = await serve(small);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(url);
  const tick = page.frameLocator('[data-results=plot] iframe').locator('.xtick text').first();
  await expect(tick).toBeVisible();
  const colorOf = () => tick.evaluate((element) => getComputedStyle(element).fill);
  const light = await colorOf();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(colorOf).not.toBe(light);

  for (const [id, format, begins] of [
    ['plot', 'SVG', '<svg'],
    ['chart', 'SVG', '<svg'],
    ['chart', 'PNG', '\u0089PNG'],
  ] as const) {
    await test.step(`${id} as ${format}`, async () => {
      const results = page.locator(`[data-results=${id}]`);
      await results.scrollIntoViewIfNeeded();
      await expect(results.frameLocator('iframe').locator('.marks, .bars path').first()).toBeVisible();
      const menu = results.getByRole('button', { name: 'Output menu' });
      const item = page.getByRole('menuitem', { name: `Save as ${format}` });
      // The frame reports its formats after it has drawn the figure.
      await expect(async () => {
        if (!(await item.isVisible())) await page.keyboard.press('Escape');
        await menu.click();
        await expect(item).toBeVisible({ timeout: 1_000 });
      }).toPass();
      const saving = page.waitForEvent('download');
      await item.click();
      const download = await saving;
      expect(download.suggestedFilename()).toBe(`${id}.${format.toLowerCase()}`);
      const stream = await download.createReadStream();
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString('latin1').slice(0, begins.length)).toBe(begins);
    });
  }
});

test('[VA-50] [VA-52] formulas are typeset, and a widget shows what it needs', async ({ page, serve }) => {
  const { url } = await serve(small);
  await page.goto(url);
  const formula = page.locator('[data-results=formula]');
  await formula.scrollIntoViewIfNeeded();
  await expect(formula.locator('.katex').first()).toBeVisible();
  const widget = page.locator('[data-results=widget]');
  await expect(widget).toContainText('IntSlider(value=3)');
  await expect(widget.getByRole('status')).toHaveText(
    'This widget was stored without its state. Run the cell to show it.',
  );
});

test('[WG-32] stored widgets are drawn offline and follow the theme', async ({ page, serve }) => {
  const text = JSON.stringify(manySliders(3));
  const { fake, url } = await serve(widgetNotebook(text));
  fake.blobs.set('w/0', { type: 'application/octet-stream', bytes: Buffer.from(text) });
  const refused: string[] = [];
  page.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) refused.push(line.text());
  });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(url);
  const frame = page.frameLocator('[data-results=w] iframe');
  await expect(frame.locator('.widget-readout')).toHaveText(['0', '1', '2']);
  await expect(frame.locator('.noUi-handle').first()).toHaveAttribute('aria-label', 'x0');
  const colorOf = () =>
    frame
      .locator('.widget-readout')
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  const light = await colorOf();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(colorOf).not.toBe(light);
  expect(refused).toEqual([]);
});

test('[WG-60] widgets of other libraries are drawn by the script stored with them, and a script that fails is named', async ({
  page,
  serve,
}) => {
  const text = JSON.stringify(othersWidgets());
  const { fake, url } = await serve(widgetNotebook(text));
  fake.blobs.set('w/0', { type: 'application/octet-stream', bytes: Buffer.from(text) });
  await page.goto(url);
  const frame = page.frameLocator('[data-results=w] iframe');
  await expect(frame.getByText('pinned at Munich')).toBeVisible();
  await expect(frame.locator('.cellar-missing')).toHaveText(
    'The JavaScript of broken-widgets does not work here: it needs the module absent, which was not stored with this output.',
  );
});

test(
  '[VA-94] [VA-95] a released figure is shown as a picture, and is drawn again when it is near the viewport',
  longOnly('src-renderer/outputs/released.test.tsx', 'src-renderer/outputs/frame/drawQueue.test.tsx'),
  async ({ page, serve }) => {
    test.slow();
    const many = fakeBody({
      name: 'Figures',
      cells: Array.from({ length: 26 }, (_none, at) =>
        figureCell(`p${at}`, 'application/vnd.plotly.v1+json', PLOTLY),
      ),
    });
    const { url } = await serve(many);
    await page.setViewportSize({ width: 900, height: 600 });
    await page.goto(url);
    const result = (at: number): Locator => page.locator(`[data-results=p${at}]`);
    const isDrawn = (at: number) =>
      expect(result(at).frameLocator('iframe').locator('.xtick text').first()).toBeAttached();
    for (let at = 0; at < 26; at += 1) {
      await result(at).scrollIntoViewIfNeeded();
      await isDrawn(at);
    }
    const picture = result(0).locator('.output-released');
    await expect(picture).toBeAttached();
    await expect(result(0).locator('iframe')).toHaveCount(0);
    await expect
      .poll(() =>
        picture.evaluate((one) => one instanceof HTMLImageElement && one.complete && one.naturalWidth > 600),
      )
      .toBe(true);
    // In print, only the released figure is an image; figures drawn by frames stay vectors.
    expect((await page.pdf()).toString('latin1')).toContain('/Subtype /Image');
    await result(0).scrollIntoViewIfNeeded();
    await isDrawn(0);
    await expect(picture).toHaveCount(0);
  },
);
