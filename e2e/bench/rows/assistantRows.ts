/**
 * Benchmark rows of the assistant: first text and longest task in the window, against a fake server, and the time an
 * MCP client waits for 500 cells, on a real one.
 */

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { FakeAssistant } from '../../support/fakeAssistant.ts';
import { FakeServer } from '../../support/fakeServer.ts';
import { largeNotebook } from '../../support/fakeServerSamples.ts';
import { connectMcp } from '../../support/mcpClient.ts';
import { writeNotebook } from '../../support/notebookFolder.ts';
import { openNotebook } from '../../support/openNotebook.ts';
import { startServerProcess } from '../../support/serverProcess.ts';
import { launchBrowser, openAll, servedPage, settle } from '../rendererPage.ts';
import { type Group, repeat } from '../row.ts';

const CELLS = 500;
/** The length of a long answer, at about four characters per token. */
const ANSWER_CHARACTERS = 80_000;
/** The characters that a fast provider sends in one piece. */
const PIECE = 40;

const PARAGRAPH = 'The column **km** is summed by day, since `groupby` keeps each day once. ';
const CODE = '\n\n```python\ndaily = trips.groupby("day").km.sum()\nplot(daily)\n```\n\n';

/** An answer of many paragraphs and blocks of code. */
function longAnswer(): string {
  const part = PARAGRAPH.repeat(12) + CODE;
  return part.repeat(Math.ceil(ANSWER_CHARACTERS / part.length)).slice(0, ANSWER_CHARACTERS);
}

/** A page with the assistant's panel open; the benchmark writes the answers of its chats. */
async function assistantPage(browser: Browser) {
  const fake = new FakeServer(largeNotebook(50, 8));
  const ai = new FakeAssistant(fake);
  const origin = await fake.start();
  const bench = await servedPage(browser, `${origin}/#/notebook/s1?path=${encodeURIComponent(fake.path)}`);
  await openAll(bench);
  await settle(bench.page);
  await bench.page.keyboard.press('Control+Shift+A');
  const field = bench.page.getByRole('textbox', { name: 'Message' });
  await field.waitFor();
  return {
    page: bench.page,
    async ask() {
      const before = ai.chats.length;
      await field.fill('Explain');
      await field.press('Enter');
      while (ai.chats.length === before) await new Promise((turn) => setTimeout(turn, 5));
      return ai.last;
    },
    async close() {
      await bench.close();
      await fake.close();
    },
  };
}

/** From the provider's first piece to the task after the frame that shows it, in ms. */
async function firstDeltas(browser: Browser, count: number): Promise<number[]> {
  const { page, ask, close } = await assistantPage(browser);
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const chat = await ask();
    const word = `word${at}`;
    const shownAt = page.evaluate(
      (wanted) =>
        new Promise<number>((resolve) => {
          const panel = document.querySelector('[data-panel=assistant]');
          const watch = new MutationObserver(() => {
            if (panel?.textContent?.includes(wanted) !== true) return;
            watch.disconnect();
            requestAnimationFrame(() => {
              const channel = new MessageChannel();
              channel.port1.onmessage = () => resolve(Date.now());
              channel.port2.postMessage(null);
            });
          });
          if (panel !== null) {
            watch.observe(panel, { subtree: true, childList: true, characterData: true });
          }
        }),
      word,
    );
    // The page now observes its frames, because it handles calls in order.
    await page.evaluate(() => undefined);
    const sentAt = Date.now();
    chat.delta(word);
    times.push((await shownAt) - sentAt);
    chat.done();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }
  await close();
  return times;
}

/** The longest task of the page while a long answer arrives, in ms; 0 if no task is over 50 ms. */
async function longestTask(browser: Browser): Promise<number> {
  const { page, ask, close } = await assistantPage(browser);
  const chat = await ask();
  await page.evaluate(() => {
    const tasks: number[] = [];
    Reflect.set(window, 'benchTasks', tasks);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  const answer = longAnswer();
  for (let at = 0; at < answer.length; at += PIECE) {
    chat.delta(answer.slice(at, at + PIECE));
    if (at % (PIECE * 20) === 0) await new Promise((turn) => setTimeout(turn, 16));
  }
  chat.done();
  await page.getByText('900 tokens in').waitFor();
  const tasks = await page.evaluate(() => Reflect.get(window, 'benchTasks') as number[]); // assigned above
  await close();
  return Math.max(0, ...tasks);
}

export const assistantRows: Group = {
  title: 'assistant and agents',
  async run(record, { smoke }) {
    const browser = await launchBrowser({ uncapped: false });
    record('assistant, first text on screen', await firstDeltas(browser, smoke ? 3 : 15));
    record('assistant, longest task of a long answer', [await longestTask(browser)]);
    await browser.close();

    const root = await realpath(await mkdtemp(join(tmpdir(), 'cellar-bench-')));
    const server = await startServerProcess({ grants: [root], env: { SVC_MCP_ENABLED: 'true' } });
    const cells = Array.from({ length: CELLS }, (_, at) => ({ id: `c${at}`, source: `v${at} = ${at}` }));
    const open = await openNotebook(server, await writeNotebook(join(root, 'large'), { cells }));
    const agent = await connectMcp(server.url);
    const read = () => agent.call('get_notebook', { session_id: open.sid });
    await read();
    record('MCP get_notebook, 500 cells', await repeat(smoke ? 5 : 30, read));
    await agent.close();
    await open.close();
    await server.dispose();
    await rm(root, { recursive: true, force: true });
  },
};
