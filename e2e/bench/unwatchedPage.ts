/** Opens a browser page to which Playwright does not attach, so that a benchmark measures it as users have it. */

import type { Browser } from '@playwright/test';

/**
 * A page without instrumentation, as users have it. Playwright's pages report every WebSocket message to Playwright,
 * which costs the rendering threads two further copies of each message.
 */
export interface UnwatchedPage {
  /** Runs a function in the page and returns its result. The function has no arguments and uses no outer names. */
  evaluate<T>(run: () => T | Promise<T>): Promise<T>;
  /** Resolves once the function returns true in the page, polled ten times a second. */
  until(holds: () => boolean): Promise<void>;
  /** Collects the garbage of the page. */
  collect(): Promise<void>;
  close(): Promise<void>;
}

const ASKED_EACH_MS = 100;
/** The time limit of every wait for the page. */
const PATIENCE_MS = 60_000;

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly text: string };
  };
}

/** Opens a URL in a new browser context, to which Playwright does not attach. */
export async function unwatchedPage(browser: Browser, address: string): Promise<UnwatchedPage> {
  const devtools = await browser.newBrowserCDPSession();
  const { browserContextId } = await devtools.send('Target.createBrowserContext');
  const { targetId } = await devtools.send('Target.createTarget', {
    url: address,
    browserContextId,
    width: 1440,
    height: 900,
  });
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId });
  const waiting = new Map<number, (answer: Answer) => void>();
  devtools.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    if (from !== sessionId) return;
    const answer: Answer = JSON.parse(message);
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let last = 0;
  const send = async (method: string, params: object = {}): Promise<Answer> => {
    last += 1;
    const answered = new Promise<Answer>((resolve) => waiting.set(last, resolve));
    const message = JSON.stringify({ id: last, method, params });
    await devtools.send('Target.sendMessageToTarget', { sessionId, message });
    const answer = await answered;
    const failure = answer.error?.message ?? answer.result?.exceptionDetails?.text;
    if (failure !== undefined) throw new Error(`${method}: ${failure}`);
    return answer;
  };
  const evaluate = async <T>(run: () => T | Promise<T>): Promise<T> => {
    const expression = `(${run})()`;
    const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    return answer.result?.result?.value as T; // the result of `run`, as JSON
  };
  return {
    evaluate,
    async until(holds) {
      const latest = performance.now() + PATIENCE_MS;
      while (!(await evaluate(holds))) {
        if (performance.now() > latest) throw new Error(`never so in the page: ${holds}`);
        await new Promise((resolve) => setTimeout(resolve, ASKED_EACH_MS));
      }
    },
    async collect() {
      await send('HeapProfiler.collectGarbage');
    },
    async close() {
      await devtools.send('Target.disposeBrowserContext', { browserContextId });
      await devtools.detach();
    },
  };
}
