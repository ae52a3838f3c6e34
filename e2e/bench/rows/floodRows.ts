/**
 * Benchmark rows of the window while a cell of a real server prints 20 MB a second: the longest frame, and the memory
 * still used afterwards.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { heapMiB, launchBrowser, settle, startFrames, stopFrames } from '../rendererPage.ts';
import type { Group } from '../row.ts';
import { type UnwatchedPage, unwatchedPage } from '../unwatchedPage.ts';

const BYTES_PER_SECOND = 20_000_000;

/** A cell that prints at a constant rate and marks its end. Each `turn` has its own text, so no run is a cache hit. */
function floodSource(seconds: number, turn: number): string {
  return [
    `turn = ${turn}`,
    'import time',
    `print("the beginning", flush=True)`,
    'time.sleep(0.5)',
    'line = "0123456789" * 9 + " flood\\n"',
    'block = line * (65536 // len(line))',
    'start, sent = time.perf_counter(), 0',
    `while (now := time.perf_counter() - start) < ${seconds}:`,
    `    while sent < now * ${BYTES_PER_SECOND}:`,
    '        print(block, end="")',
    '        sent += len(block)',
    '    time.sleep(0.01)',
    `print("the very end")`,
  ].join('\n');
}

/** How long frames are measured after the result has arrived, in which time it is drawn. */
const AFTER_MS = 500;

/** Runs the cell in a window and measures the frames from its first line until everything is drawn. */
async function flood(browser: Browser, address: string): Promise<{ worstMs: number; keptMiB: number }> {
  const page = await unwatchedPage(browser, address);
  await page.until(() => document.querySelector('[data-link=live]') !== null);
  await page.until(() => document.querySelector('.cells[aria-busy=false]') !== null);
  await settle(page);
  const before = await keptMiBOf(page);
  await page.evaluate(() => {
    const run = document.querySelector<HTMLElement>('[data-cell-id=printer1] [aria-label^="Run cell"]');
    if (run === null) throw new Error('the cell has a button that runs it');
    run.click();
  });
  await page.until(() => document.querySelector('[data-stream=stdout]') !== null);
  await startFrames(page);
  await page.until(
    () =>
      document.querySelector('[data-cell-id=printer1][data-status=ready]') !== null &&
      document.querySelector('[data-stream=stdout]')?.textContent.includes('the very end') === true,
  );
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
  const gaps = await stopFrames(page);
  const keptMiB = (await keptMiBOf(page)) - before;
  await page.close();
  return { worstMs: Math.max(...gaps), keptMiB };
}

async function keptMiBOf(page: UnwatchedPage): Promise<number> {
  await page.collect();
  return heapMiB(page);
}

export const floodRows: Group = {
  title: 'window: a cell that floods its console',
  async run(record, { smoke }) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const seconds = smoke ? 2 : 5;
    const server = await startServerProcess({ grants: [dir] });
    const browser = await launchBrowser({ uncapped: false });
    const floods: Awaited<ReturnType<typeof flood>>[] = [];
    for (let turn = 0; turn < (smoke ? 1 : 3); turn += 1) {
      const path = await writeNotebook(join(dir, `flood ${turn}`), {
        cells: [{ id: 'printer1', source: floodSource(seconds, turn) }],
      });
      const { session_id } = await openReady(server.url, path);
      const address = `${server.url}/#/notebook/${session_id}?path=${encodeURIComponent(path)}`;
      floods.push(await flood(browser, address));
    }
    await browser.close();
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
    record(
      'console flood, worst frame',
      floods.map((one) => one.worstMs),
    );
    record(
      'console flood, memory',
      floods.map((one) => one.keptMiB),
    );
  },
};
