/** Opens pages of the window in a browser for benchmarks, and measures their frames and memory. */

import type { Browser, CDPSession, Page } from '@playwright/test';
import { chromium } from '@playwright/test';
import type { NotebookBody } from '../../src-shared/wire/notebookState.ts';
import { chromiumProgram } from '../support/chromium.ts';
import { FakeServer } from '../support/fakeServer.ts';

/** @param options if `uncapped`, frames are made immediately, without the limit of the display's frame rate */
export function launchBrowser(options: { readonly uncapped: boolean }): Promise<Browser> {
  return chromium.launch({
    args: [
      '--no-sandbox',
      '--enable-precise-memory-info',
      ...(options.uncapped ? ['--disable-frame-rate-limit', '--disable-gpu-vsync'] : []),
    ],
    ...chromiumProgram(),
  });
}

/** A notebook in a fresh page that has not been opened yet. */
export interface BenchPage {
  readonly page: Page;
  readonly address: string;
  readonly devtools: CDPSession;
  readonly close: () => Promise<void>;
}

/** A page for a notebook of the fake server. @param displays stored displays by `<cell>/<index>` */
export async function benchPage(
  browser: Browser,
  body: NotebookBody,
  displays: Readonly<Record<string, string>> = {},
): Promise<BenchPage> {
  const fake = new FakeServer(body);
  for (const [place, text] of Object.entries(displays)) {
    fake.blobs.set(place, { type: 'application/octet-stream', bytes: Buffer.from(text) });
  }
  const origin = await fake.start();
  const bench = await servedPage(browser, `${origin}/#/notebook/s1?path=${encodeURIComponent(fake.path)}`);
  return {
    ...bench,
    close: async () => {
      await bench.close();
      await fake.close();
    },
  };
}

/** A page for a notebook at a URL of a running server. */
export async function servedPage(browser: Browser, address: string): Promise<BenchPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  return {
    page,
    address,
    devtools,
    close: () => context.close(),
  };
}

/** Opens the page and waits until every cell is in it. */
export async function openAll({ page, address }: BenchPage): Promise<void> {
  await page.goto(address);
  await page.locator('[data-link=live]').waitFor();
  await page.locator('.cells[aria-busy=false]').waitFor();
}

/** A page that can run functions: a page of Playwright, or one without instrumentation. */
export interface Evaluating {
  evaluate<T>(run: () => T | Promise<T>): Promise<T>;
}

/** Resolves once the page has been idle for a while, with fonts, highlighting and editor loaded. */
export async function settle(page: Evaluating): Promise<void> {
  await page.evaluate(async () => {
    while (performance.getEntriesByName('cellar.editor').length === 0) {
      await new Promise((turn) => setTimeout(turn, 20));
    }
    await document.fonts.ready;
    for (let calm = 0; calm < 5; ) {
      const before = performance.now();
      await new Promise((idle) => requestIdleCallback(idle, { timeout: 2_000 }));
      calm = performance.now() - before < 60 ? calm + 1 : 0;
    }
  });
}

/** Starts recording the time between frames; `stopFrames` returns the gaps in ms. */
export async function startFrames(page: Evaluating): Promise<void> {
  await page.evaluate(() => {
    const gaps: number[] = [];
    let last = performance.now();
    const next = (): void => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      frames.handle = requestAnimationFrame(next);
    };
    const frames = { gaps, handle: requestAnimationFrame(next) };
    Reflect.set(window, 'benchFrames', frames);
  });
}

export function stopFrames(page: Evaluating): Promise<number[]> {
  return page.evaluate(() => {
    const frames = Reflect.get(window, 'benchFrames') as { gaps: number[]; handle: number }; // assigned in startFrames
    cancelAnimationFrame(frames.handle);
    // The first gap is the wait for the first frame.
    return frames.gaps.slice(1);
  });
}

/** The JavaScript heap of the page, in MiB; after a garbage collection, what the page still uses. */
export function heapMiB(page: Evaluating): Promise<number> {
  return page.evaluate(() => {
    const { usedJSHeapSize } = Reflect.get(performance, 'memory') as { usedJSHeapSize: number }; // Chromium's extension
    return usedJSHeapSize / 1024 / 1024;
  });
}
