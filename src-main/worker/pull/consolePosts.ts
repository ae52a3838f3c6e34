import type { ConsoleText } from '../../exec/executor.ts';
import { sendSigned } from './signedRequest.ts';
import type { UrlGuard } from './urlGuard.ts';

const MOST_WAITING = 64;
const POST_MS = 5_000;
const DRAIN_MS = 10_000;

/**
 * Sends what a cell prints to `log_url`, one post at a time in order. A slow or broken listener never holds the cell:
 * what does not fit the queue is dropped, and its numbers are skipped, so that the gap is seen (worker-protocol 5.3, signed-builds 4).
 */
export class ConsolePosts {
  readonly #guard: UrlGuard;
  readonly #url: string;
  readonly #seq = { stdout: 0, stderr: 0 };
  readonly #waiting: { readonly query: string; readonly text: string }[] = [];
  readonly #stop = new AbortController();
  #sending: Promise<void> | null = null;

  constructor(guard: UrlGuard, logUrl: string) {
    this.#guard = guard;
    this.#url = logUrl;
  }

  push({ stream, text }: ConsoleText): void {
    const seq = this.#seq[stream];
    this.#seq[stream] += 1;
    if (this.#waiting.length === MOST_WAITING) return;
    this.#waiting.push({ query: `stream=${stream}&seq=${seq}`, text });
    this.#sending ??= this.#send();
  }

  /** Waits for what is queued, not for long. */
  async drain(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), DRAIN_MS);
    await this.#sending;
    clearTimeout(timer);
  }

  async #send(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
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
        // The console is in the bundle too; live text that cannot be delivered is no failure of the cell.
      }
    }
    this.#sending = null;
  }
}
