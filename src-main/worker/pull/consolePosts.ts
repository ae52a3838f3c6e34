/** Sends the console of a pulled cell to the server while the cell runs. */

import type { ConsoleText } from '../../exec/executor.ts';
import { sendSigned } from './signedRequest.ts';
import type { UrlGuard } from './urlGuard.ts';

const MAX_QUEUE = 64;
const POST_MS = 5_000;
const DRAIN_MS = 10_000;

/**
 * Sends a cell's console to `log_url`, one request at a time and in order. A slow or broken receiver never delays the
 * cell: text that does not fit into the queue is dropped and its sequence numbers are skipped, so that the receiver
 * sees the gap (docs/spec/worker-protocol.md, 5.3; docs/spec/signed-builds.md, 4).
 */
export class ConsolePosts {
  readonly #guard: UrlGuard;
  readonly #url: string;
  readonly #seq = { stdout: 0, stderr: 0 };
  readonly #queue: { readonly query: string; readonly text: string }[] = [];
  readonly #stop = new AbortController();
  #sending: Promise<void> | null = null;

  constructor(guard: UrlGuard, logUrl: string) {
    this.#guard = guard;
    this.#url = logUrl;
  }

  push({ stream, text }: ConsoleText): void {
    const seq = this.#seq[stream];
    this.#seq[stream] += 1;
    if (this.#queue.length === MAX_QUEUE) return;
    this.#queue.push({ query: `stream=${stream}&seq=${seq}`, text });
    this.#sending ??= this.#send();
  }

  /** Waits until the queue has been sent, at most DRAIN_MS. */
  async drain(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), DRAIN_MS);
    await this.#sending;
    clearTimeout(timer);
  }

  async #send(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (this.#stop.signal.aborted) break;
      const body = Buffer.from(next.text);
      const headers = {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(body.length),
      };
      try {
        const response = await sendSigned(this.#guard, {
          url: `${this.#url}${this.#url.includes('?') ? '&' : '?'}${next.query}`,
          method: 'POST',
          headers,
          body,
          idleMs: POST_MS,
          signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(POST_MS)]),
        });
        response.resume();
      } catch {
        // The bundle contains the console too, so a failed delivery of live text does not fail the cell.
      }
    }
    this.#sending = null;
  }
}
