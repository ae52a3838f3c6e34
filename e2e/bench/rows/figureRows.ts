/**
 * Benchmark rows of the window: the first and the last of 100 Plotly figures drawn in a browser, against a fake server.
 */

import type { Browser } from '@playwright/test';
import { fakeBody, fakeCell, fakeOutput } from '../../support/fakeServerNotebook.ts';
import { benchPage, launchBrowser } from '../rendererPage.ts';
import type { Group } from '../row.ts';
import { scrollThrough } from '../scrollThrough.ts';

const FIGURES = 100;
const POINTS = 1_000;

const idOf = (at: number): string => `f${at}`;

/** A figure with a line of a thousand points, as written by Plotly's Python library. */
function figure(at: number): string {
  const x = Array.from({ length: POINTS }, (_none, point) => point);
  const y = x.map((point) => Math.round(1_000 * Math.sin((point + at) / 50)));
  return JSON.stringify({ data: [{ type: 'scatter', mode: 'lines', x, y }], layout: { height: 300 } });
}

/** Navigation → the first and the last of the figures drawn, with each of them scrolled into view, in ms. */
async function figuresDrawn(browser: Browser): Promise<{ readonly first: number; readonly last: number }> {
  const texts = Array.from({ length: FIGURES }, (_none, at) => figure(at));
  const body = fakeBody({
    name: 'Figures',
    cells: texts.map((text, at) =>
      fakeCell({
        id: idOf(at),
        source: 'px.line(frame)',
        status: 'ready',
        display_outputs: [
          fakeOutput({
            content_type: 'application/vnd.plotly.v1+json',
            bytes: Buffer.byteLength(text),
            artifact_uri: `svc://artifact/${idOf(at)}@v=1`,
            preview: 'Plotly figure: scatter',
          }),
        ],
      }),
    ),
  });
  const displays = Object.fromEntries(texts.map((text, at) => [`${idOf(at)}/0`, text]));
  const bench = await benchPage(browser, body, displays);
  const startedAt = performance.now();
  await bench.page.goto(bench.address);
  const output = (at: number) => bench.page.locator(`[data-results=${idOf(at)}]`);
  const times = await scrollThrough(FIGURES, {
    startedAt,
    output,
    drawn: (at) => output(at).frameLocator('iframe').locator('.scatterlayer .js-line').first(),
  });
  await bench.close();
  return times;
}

export const figureRows: Group = {
  title: 'window: many figures',
  async run(record, { smoke }) {
    // These rows take a minute.
    if (smoke) return;
    const browser = await launchBrowser({ uncapped: false });
    const times = [await figuresDrawn(browser), await figuresDrawn(browser)];
    record(
      'window, first of 100 Plotly figures',
      times.map(({ first }) => first),
    );
    record(
      'window, 100 Plotly figures',
      times.map(({ last }) => last),
    );
    await browser.close();
  },
};
