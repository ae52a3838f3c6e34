/** Benchmark rows of the window with 200 live sliders in 20 cells of a real server: drawing, moves and memory. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, FrameLocator } from '@playwright/test';
import { connectLive } from '../../support/liveClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openReady } from '../../support/rest.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { heapMiB, launchBrowser, servedPage } from '../rendererPage.ts';
import { type Group, percentile } from '../row.ts';
import { scrollThrough } from '../scrollThrough.ts';

const CELLS = 20;
const EACH = 10;
const MOVES = 40;

const idOf = (cell: number): string => `controls${cell}`;

/** A cell that shows ten sliders, each with the output of its function. */
const source = (cell: number): string => `import ipywidgets as w
for at in range(${EACH}):
    @w.interact(x=w.IntSlider(min=0, max=1000, description=f"x{at}"))
    def show(x):
        print("cell ${cell} has", x)`;

interface Widgets {
  readonly first: number;
  readonly last: number;
  /** Times from a key press to the changed output of the function, in ms. */
  readonly moves: readonly number[];
  readonly miB: number;
}

/** Presses the key that moves a slider by one; times each change of its function's output, within its frame. */
async function moveSlider(frame: FrameLocator, count: number): Promise<readonly number[]> {
  const handle = frame.locator('.noUi-handle');
  const printed = frame.locator('.cellar-output');
  const shows = (value: number) =>
    printed.getByText(new RegExp(` ${value}\\s*$`)).waitFor({ timeout: 60_000 });
  await handle.press('Home');
  await shows(0);
  await printed.evaluate((output) => {
    const times: number[] = [];
    Reflect.set(window, 'benchMoves', times);
    let pressedAt = Number.NaN;
    let before = '';
    window.addEventListener(
      'keydown',
      (event) => {
        pressedAt = event.timeStamp;
        before = output.textContent;
      },
      { capture: true },
    );
    const watch = new MutationObserver(() => {
      const text = output.textContent;
      if (Number.isNaN(pressedAt) || text === '' || text === before) return;
      times.push(performance.now() - pressedAt);
      pressedAt = Number.NaN;
    });
    watch.observe(output, { childList: true, subtree: true, characterData: true });
  });
  for (let at = 1; at <= count; at += 1) {
    await handle.press('ArrowRight');
    await shows(at);
  }
  return printed.evaluate(() => Reflect.get(window, 'benchMoves') as number[]); // assigned above
}

async function openWidgets(browser: Browser, address: string): Promise<Widgets> {
  const bench = await servedPage(browser, address);
  const startedAt = performance.now();
  await bench.page.goto(address);
  const output = (at: number) =>
    bench.page.locator(`[data-results=${idOf(Math.floor(at / EACH))}] .output-shell`).nth(at % EACH);
  const frame = (at: number) => output(at).frameLocator('iframe');
  const times = await scrollThrough(CELLS * EACH, {
    startedAt,
    output,
    drawn: (at) => frame(at).locator('.noUi-handle'),
  });
  const moves = await moveSlider(frame(CELLS * EACH - 1), MOVES);
  await bench.devtools.send('HeapProfiler.collectGarbage');
  const miB = await heapMiB(bench.page);
  await bench.close();
  return { ...times, moves, miB };
}

export const widgetRows: Group = {
  title: 'window: many widgets',
  async run(record, { smoke }) {
    // The widgets alone take half a minute.
    if (smoke) return;
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const path = await writeNotebook(join(dir, 'widgets'), {
      dependencies: ['ipywidgets'],
      cells: Array.from({ length: CELLS }, (_none, cell) => ({ id: idOf(cell), source: source(cell) })),
    });
    const server = await startServerProcess({ grants: [dir] });
    const { session_id } = await openReady(server.url, path, 300_000);
    // Processes are kept for their widgets only while a window shows the notebook.
    const live = await connectLive(server.url, session_id, '?extensions=1');
    for (let cell = 0; cell < CELLS; cell += 1) {
      const since = live.mark();
      live.send('cell_execute', { cell_id: idOf(cell) });
      const isIt = ({ cell_id }: { readonly cell_id: string }): boolean => cell_id === idOf(cell);
      await live.next('widget_live', { since, where: isIt });
      await live.next('cell_status', { since, where: (one) => isIt(one) && one.status === 'ready' });
    }
    const browser = await launchBrowser({ uncapped: false });
    const address = `${server.url}/#/notebook/${session_id}?path=${encodeURIComponent(path)}`;
    const turns = [await openWidgets(browser, address), await openWidgets(browser, address)];
    record(
      'window, first of 200 live widgets',
      turns.map(({ first }) => first),
    );
    record(
      'window, 200 live widgets',
      turns.map(({ last }) => last),
    );
    record(
      'move of a slider of 200, p95',
      turns.map(({ moves }) => percentile(moves, 95)),
    );
    record(
      '200 live widgets, memory',
      turns.map(({ miB }) => miB),
    );
    await browser.close();
    await live.close();
    await server.dispose();
    await rm(dir, { recursive: true, force: true });
  },
};
