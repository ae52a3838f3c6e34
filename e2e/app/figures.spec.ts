import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/fakeServerFixture.ts';
import { fakeBody, fakeCell, fakeOutput } from '../support/fakeServerNotebook.ts';
import { FIGURE_BUNDLES, type FigureBundle } from '../support/figureBundles.ts';

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

function drawn(page: Page, at: number, { inner, draws }: FigureBundle): Locator {
  const frame = page.frameLocator(`[data-results=${idOf(at)}] iframe.output-frame`);
  return (inner === true ? frame.frameLocator('iframe') : frame).locator(draws).first();
}

test('[VA-46] figures of many libraries are drawn without a request that leaves', async ({ page, serve }) => {
  test.setTimeout(90_000);
  const { fake, url } = await serve(notebook);
  for (const [at, { text }] of FIGURE_BUNDLES.entries()) {
    fake.blobs.set(`${idOf(at)}/0`, { type: 'application/octet-stream', bytes: Buffer.from(text) });
  }
  const { origin } = new URL(url);
  const left: string[] = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!/^(data|blob):/.test(address) && new URL(address).origin !== origin) left.push(address);
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
      await expect(drawn(page, at, bundle)).toBeAttached({ timeout: 30_000 });
      const notice = results.locator('.output-lacks');
      if (bundle.needs === undefined) await expect(notice).toHaveCount(0);
      else await expect(notice).toHaveText(bundle.needs);
    });
  }
  expect({ left, refused }).toEqual({ left: [], refused: [] });
});
