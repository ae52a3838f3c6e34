/**
 * Benchmark rows of the window in a browser, against a fake server: opening, scrolling, 200 sliders, and the time from
 * a key to its paint.
 */

import type { Browser } from '@playwright/test';
import { largeNotebook } from '../../support/fakeServerSamples.ts';
import { manySliders, widgetNotebook } from '../../support/widgetSamples.ts';
import { benchPage, launchBrowser, openAll, settle, startFrames, stopFrames } from '../rendererPage.ts';
import { type Group, median, percentile } from '../row.ts';

const LINES = 8;

/** Navigation → every cell in the page and the frame after it drawn, in ms. */
async function timeToInteractive(browser: Browser, cells: number): Promise<number> {
  const bench = await benchPage(browser, largeNotebook(cells, LINES));
  await bench.page.addInitScript((wanted) => {
    const watch = new MutationObserver(() => {
      if (document.querySelectorAll('[data-cell-id]').length < wanted) return;
      watch.disconnect();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => Reflect.set(window, 'benchInteractive', performance.now());
        channel.port2.postMessage(null);
      });
    });
    watch.observe(document, { subtree: true, childList: true });
  }, cells);
  await bench.page.goto(bench.address);
  const handle = await bench.page.waitForFunction(() => Reflect.get(window, 'benchInteractive'));
  const ms = Number(await handle.jsonValue());
  await bench.close();
  return ms;
}

/** The longest time between two frames, for each of three ways to scroll through a thousand cells, in ms. */
async function worstScrollFrames(browser: Browser, turns: number): Promise<number[]> {
  const bench = await benchPage(browser, largeNotebook(1_000, LINES));
  await openAll(bench);
  await settle(bench.page);
  await bench.page.mouse.move(720, 450);
  const worst: number[] = [];
  for (const way of [240, -240, 240]) {
    await startFrames(bench.page);
    for (let at = 0; at < turns; at += 1) await bench.page.mouse.wheel(0, way);
    worst.push(Math.max(...(await stopFrames(bench.page))));
  }
  await bench.close();
  return worst;
}

/** Times from each key's timestamp to the task after the frame that shows the key, in ms, with 500 cells. */
async function keysToPaint(browser: Browser, keys: number): Promise<number[]> {
  const bench = await benchPage(browser, largeNotebook(500, LINES));
  const { page } = bench;
  await openAll(bench);
  await settle(page);
  await page.locator('[data-cell-id=c3] .code').click();
  await page.locator('[data-cell-id=c3] [data-editor=live]').waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await settle(page);
  await page.evaluate(() => {
    const times: number[] = [];
    Reflect.set(window, 'benchKeys', times);
    window.addEventListener(
      'keydown',
      (event) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => times.push(performance.now() - event.timeStamp);
          channel.port2.postMessage(null);
        });
      },
      { capture: true },
    );
  });
  const text = 'total = sum(value for value in rows)  # ';
  for (let at = 0; at < keys; at += 1) {
    // Keys are held down like by a finger: an immediate release would be handled before the task that stops the timer.
    await page.keyboard.press(text[at % text.length] ?? ' ', { delay: 25 });
    if (at % 60 === 59) await page.keyboard.press('Enter', { delay: 25 });
  }
  const times = await page.evaluate(() => Reflect.get(window, 'benchKeys') as number[]); // assigned above
  await bench.close();
  return times;
}

/** Navigation → the last of 200 sliders drawn in the frame of their display, in ms. */
async function widgetsDrawn(browser: Browser): Promise<number> {
  const text = JSON.stringify(manySliders(200));
  const bench = await benchPage(browser, widgetNotebook(text), { 'w/0': text });
  const startedAt = performance.now();
  await bench.page.goto(bench.address);
  const handles = bench.page.frameLocator('iframe.output-frame').locator('.noUi-handle');
  await handles.nth(199).waitFor();
  const ms = performance.now() - startedAt;
  await bench.close();
  return ms;
}

export const rendererRows: Group = {
  title: 'window: cells, keys, frames',
  async run(record, { smoke }) {
    const browser = await launchBrowser({ uncapped: false });
    await timeToInteractive(browser, 10);
    for (const cells of smoke ? [250] : [250, 1_000]) {
      const times: number[] = [];
      for (let turn = 0; turn < (smoke ? 1 : 5); turn += 1) {
        times.push(await timeToInteractive(browser, cells));
      }
      record(`window, ${cells === 250 ? '250' : '1,000'} cells`, times);
    }
    record('window, worst scroll frame', await worstScrollFrames(browser, smoke ? 30 : 200));
    const widgets: number[] = [];
    for (let turn = 0; turn < (smoke ? 1 : 5); turn += 1) widgets.push(await widgetsDrawn(browser));
    record('window, 200 widgets', widgets);
    await browser.close();
    const uncapped = await launchBrowser({ uncapped: true });
    // Of only fifty keys, the p99 would be the slowest one and vary from run to run.
    const [each, turns] = smoke ? [100, 2] : [200, 3];
    const keys = await keysToPaint(uncapped, each * turns);
    const runs = Array.from({ length: turns }, (_, turn) => keys.slice(turn * each, (turn + 1) * each));
    await uncapped.close();
    record(
      'key to paint, p99',
      runs.map((run) => percentile(run, 99)),
    );
    record('key to paint, p50', runs.map(median));
  },
};
