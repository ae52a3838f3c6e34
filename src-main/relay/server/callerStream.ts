/** The relay's side of one call: forwards a caller's request to a worker, and the worker's reply to the caller. */

import {
  type IncomingMessage,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import type { RelayHeaders } from '../../../src-shared/wire/worker/relay.ts';
import { RELAY_LOST_HEADER } from '../../../src-shared/wire/worker/relay.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';
import { declaredBytes, endToEnd, headerIn, pairsOf } from '../hopHeaders.ts';
import type { OutgoingStream } from '../outgoing.ts';
import { answerDetail } from './answerDetail.ts';
import type { RelayMetrics } from './metrics.ts';
import { Spool, type SpoolBudget } from './spool.ts';

interface CallerStreamOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: string;
  /** Sends the head to the worker; returns where its body goes. */
  readonly open: (head: {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: [string, string][];
  }) => OutgoingStream;
  readonly maxBodyBytes: number;
  /** How long a caller may pause in a body it has announced. */
  readonly idleMs: number;
  readonly spoolFolder: string;
  readonly spoolName: string;
  readonly budget: SpoolBudget;
  readonly busy: (isBusy: boolean) => void;
  readonly metrics: RelayMetrics;
  /** Called when nothing more is sent in either direction. */
  readonly over: () => void;
}

/** The maximum size of a 202 that is rewritten. A real one is small; a larger one is passed on unchanged. */
const JOB_BYTES = 64 * 1024;

/**
 * One call from outside, forwarded over a worker's socket. Owns both directions until either end is done: the
 * body is sent as fast as the worker takes it, the reply is spooled so that a slow caller blocks no other. A
 * failure is 502 before the reply began, and a cut connection after it.
 */
export class CallerStream {
  readonly #options: CallerStreamOptions;
  readonly #outgoing: OutgoingStream;
  #spool: Spool | null = null;
  /** The body of a 202, whose job_url must be rewritten to lead through this relay. */
  #job: { readonly headers: RelayHeaders; readonly pieces: Buffer[] } | null = null;
  /** Announced bytes of its reply that have not arrived; null if none were announced. */
  #owed: number | null = null;
  #isOver = false;
  /** The request's body has been sent to the worker. */
  #isSent = false;

  constructor(options: CallerStreamOptions) {
    this.#options = options;
    const { request, response, path, query } = options;
    this.#outgoing = options.open({
      method: request.method ?? 'GET',
      path,
      query,
      headers: endToEnd(pairsOf(request.rawHeaders)).map(([name, value]) => [name, value]),
    });
    response.once('close', () => this.#callerGone());
    response.on('error', () => this.#callerGone());
    void this.#sendBody();
  }

  /** The worker's reply begins. */
  answer(status: number, headers: RelayHeaders): void {
    if (this.#isOver || this.#spool !== null || this.#job !== null) return;
    const isJob = status === 202 && (headerIn(headers, 'content-type') ?? '').includes('json');
    if (isJob) this.#job = { headers, pieces: [] };
    else this.#begin(status, headers);
  }

  /** The next bytes of the reply. */
  chunk(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#options.metrics.count('svc_relay_response_bytes_total', bytes.length);
    if (this.#job === null) {
      this.#pass(bytes);
      return;
    }
    this.#job.pieces.push(bytes);
    if (this.#job.pieces.reduce((sum, piece) => sum + piece.length, 0) > JOB_BYTES) this.#jobAsItIs();
  }

  /** Passes bytes to the caller; never more than the head of the reply announced. */
  #pass(bytes: Buffer): void {
    if (this.#spool === null) return;
    if (this.#owed !== null) {
      this.#owed -= bytes.length;
      if (this.#owed < 0) {
        this.#refuse(502, 'The worker sent more bytes than it had announced');
        return;
      }
    }
    this.#spool.write(bytes);
  }

  /** The worker's reply is complete. */
  end(): void {
    if (this.#isOver) return;
    if (this.#spool === null && this.#job === null) {
      this.fail('The worker ended this request without an answer');
      return;
    }
    if (this.#job !== null) this.#endJob();
    if (this.#isOver) return;
    if (this.#owed !== null && this.#owed > 0) {
      this.fail('The worker sent fewer bytes than it had announced');
      return;
    }
    this.#spool?.end();
    this.#finish(this.#isSent ? 'drop' : 'abort');
  }

  /** The worker has read more of the body. */
  grant(chunks: number): void {
    this.#outgoing.grant(chunks);
  }

  /** The worker aborted, or has disconnected. `words` are for a caller that has no reply yet. */
  fail(message: string): void {
    if (this.#isOver) return;
    this.#finish('drop');
    // The request may still run there: the caller may ask for it again (docs/extensions.md).
    this.#sendAway(502, message, { [RELAY_LOST_HEADER]: '1' });
  }

  #refuse(status: number, message: string): void {
    this.#finish('abort');
    this.#sendAway(status, message);
  }

  /** Fails with a status, or by cutting a reply that has begun. */
  #sendAway(status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
    const { response, metrics } = this.#options;
    if (response.headersSent) {
      metrics.count('svc_relay_aborted_total');
      this.#spool?.destroy();
      response.destroy();
    } else answerDetail(response, status, message, headers);
  }

  #callerGone(): void {
    if (this.#isOver) return;
    this.#finish('abort');
    this.#spool?.destroy();
  }

  async #sendBody(): Promise<void> {
    const { request, maxBodyBytes, idleMs, metrics } = this.#options;
    let bytes = 0;
    const idle = setTimeout(() => {
      if (!this.#isOver) this.#refuse(408, 'The body of this request did not arrive completely');
    }, idleMs);
    try {
      for await (const piece of request.iterator({ destroyOnReturn: false })) {
        if (this.#isOver) return;
        bytes += piece.length;
        if (bytes > maxBodyBytes) {
          this.#refuse(413, `This relay forwards bodies of at most ${maxBodyBytes} bytes`);
          return;
        }
        metrics.count('svc_relay_request_bytes_total', piece.length);
        const room = this.#outgoing.write(piece);
        if (room !== null) {
          // From here on the worker is waited for.
          clearTimeout(idle);
          await room;
        }
        idle.refresh();
      }
      this.#isSent = true;
      this.#outgoing.end();
    } catch {
      // The connection broke within the body: its response closes too, and tells the worker.
    } finally {
      clearTimeout(idle);
      // The rest is discarded, so that the connection can be reused.
      request.resume();
    }
  }

  #begin(status: number, headers: RelayHeaders): void {
    const { response, spoolFolder, spoolName, budget, busy } = this.#options;
    const bodyLength = declaredBytes(headers);
    if (bodyLength === 'wrong') {
      this.#refuse(502, 'The worker’s Content-Length is not valid');
      return;
    }
    // These have no body, whatever their head announces.
    this.#owed = status === 204 || status === 304 ? null : bodyLength;
    const passed = endToEnd(headers);
    try {
      // Validated before anything is written: a head that fails halfway would leave an ambiguous reply.
      for (const [name, value] of passed) {
        validateHeaderName(name);
        validateHeaderValue(name, value);
      }
    } catch (error) {
      this.#refuse(
        502,
        `The worker's answer is not valid HTTP: ${error instanceof Error ? error.message : ''}`,
      );
      return;
    }
    response.writeHead(status, passed.flat());
    response.flushHeaders();
    this.#spool = new Spool({
      sink: response,
      folder: spoolFolder,
      name: spoolName,
      budget,
      busy,
      failed: () => {
        this.#options.metrics.count('svc_relay_aborted_total');
        this.#finish('abort');
        response.destroy();
      },
    });
  }

  #endJob(): void {
    const { path } = this.#options;
    const text = Buffer.concat(this.#job?.pieces ?? []).toString();
    const body = tryParseJson(text);
    if (typeof body === 'object' && body !== null && 'job_url' in body && typeof body.job_url === 'string') {
      const through = { ...body, job_url: relativeTo(path, body.job_url) };
      this.#jobAsItIs(Buffer.from(JSON.stringify(through)));
    } else this.#jobAsItIs();
  }

  #jobAsItIs(changed: Buffer | null = null): void {
    const job = this.#job;
    this.#job = null;
    if (job === null) return;
    this.#begin(
      202,
      changed === null
        ? job.headers
        : job.headers.map(([name, value]) =>
            name.toLowerCase() === 'content-length' ? [name, String(changed.length)] : [name, value],
          ),
    );
    for (const piece of changed === null ? job.pieces : [changed]) this.#pass(piece);
  }

  /**
   * Sends `abort` if the worker should stop: the caller has disconnected, or the rest of the body is not
   * wanted.
   */
  #finish(how: 'abort' | 'drop'): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#outgoing[how]();
    this.#options.over();
  }
}

/**
 * A path of the worker's job URL as a reference relative to the requested path, so that it leads through the relay
 * whatever precedes the worker's part of the URL; other references do not change.
 */
export function relativeTo(requestPath: string, jobUrl: string): string {
  if (!jobUrl.startsWith('/') || jobUrl.startsWith('//')) return jobUrl;
  const depth = requestPath.split('/').length - 2;
  return `${depth === 0 ? './' : '../'.repeat(depth)}${jobUrl.slice(1)}`;
}
