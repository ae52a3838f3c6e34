/** The worker's side of one relayed request: passes it to the worker's app, and sends the app's answer to the relay. */

import { type ClientRequest, type IncomingMessage, request, type Server } from 'node:http';
import {
  FLOW_WINDOW_CHUNKS,
  MAX_UNREAD_CHUNKS,
  type RelayFrame,
} from '../../../src-shared/wire/worker/relay.ts';
import { declaredBytes, endToEnd, headerIn, pairsOf } from '../hopHeaders.ts';
import type { Outgoing, OutgoingStream } from '../outgoing.ts';
import { pipePair } from '../pipePair.ts';

type RequestFrame = Extract<RelayFrame, { type: 'request' }>;

interface ServedStreamOptions {
  readonly frame: RequestFrame;
  /** The worker's app; it need not listen. */
  readonly server: Server;
  readonly outgoing: Outgoing;
  /** Whether to report read chunks to a relay that requested it. */
  readonly reportsReads: boolean;
  /** Called when more of its body waits than allowed, and when no longer. */
  readonly full: (isFull: boolean) => void;
  /** Nothing more will be sent or read, so its id can be reused. */
  readonly over: () => void;
}

/** The app's buffer contains one chunk; together they are the limit of a worker. */
const HELD_BY_APP = 1;
const READ_EVERY = FLOW_WINDOW_CHUNKS / 3;
const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/**
 * One request of the relay, served by the worker's app over a connection inside this process: to the app it
 * is an ordinary HTTP request, closed early if the relay aborts it or the socket is lost. States: open →
 * answering → over. The head of the reply is sent once; a failure is `abort` after it and 500 before it.
 */
export class ServedStream {
  readonly #options: ServedStreamOptions;
  readonly #request: ClientRequest | null;
  #answer: OutgoingStream | null = null;
  #isOver = false;
  #unread = 0;
  #isFull = false;
  #readUntold = 0;
  /** Announced bytes that have not arrived; null if none were announced. */
  #promised: number | null;

  constructor(options: ServedStreamOptions) {
    this.#options = options;
    const bodyLength = declaredBytes(options.frame.headers);
    this.#promised = bodyLength === 'wrong' ? null : bodyLength;
    this.#request = this.#start(bodyLength === 'wrong');
  }

  /** The next bytes of the request's body. */
  chunk(bytes: Buffer): void {
    if (this.#isOver || this.#request === null || bytes.length === 0) return;
    if (this.#promised !== null) {
      this.#promised -= bytes.length;
      // Excess bytes would be parsed as another request.
      if (this.#promised < 0) {
        this.#refuse('The body is longer than its Content-Length');
        return;
      }
    }
    this.#unread += 1;
    this.#measure();
    this.#request.write(bytes, () => this.#wasRead());
  }

  /** The request's body is complete. */
  end(): void {
    if (this.#isOver || this.#request === null) return;
    if (this.#promised !== null && this.#promised > 0)
      this.#refuse('The body is shorter than its Content-Length');
    else this.#request.end();
  }

  /** The caller has disconnected: the app sees its client disconnect, and no reply is sent. */
  cut(): void {
    if (this.#isOver) return;
    this.#answer?.drop();
    this.#finish();
    this.#request?.destroy();
  }

  #start(hasWrongLength: boolean): ClientRequest | null {
    const { frame, server } = this.#options;
    const hasBody = !BODILESS.has(frame.method) && this.#promised === null;
    const headers = [
      ...(headerIn(frame.headers, 'host') === null ? [['host', 'worker']] : []),
      ...endToEnd(frame.headers),
      ...(hasBody ? [['transfer-encoding', 'chunked']] : []),
      ['connection', 'close'],
    ].flat();
    try {
      if (!frame.path.startsWith('/')) throw new TypeError('A path starts with a slash');
      if (frame.method.toUpperCase() === 'CONNECT') throw new TypeError('CONNECT is not forwarded');
      if (hasWrongLength) throw new TypeError('The Content-Length is not one number');
      const [near, far] = pipePair();
      const outgoing = request({
        createConnection: () => near,
        method: frame.method,
        path: frame.query === '' ? frame.path : `${frame.path}?${frame.query}`,
        // A flat list of names and values, so that repeated names are kept.
        headers,
      });
      outgoing.on('response', (response) => this.#respond(response));
      outgoing.on('error', () => this.#fail());
      outgoing.on('close', () => this.#fail());
      server.emit('connection', far);
      outgoing.flushHeaders();
      return outgoing;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // Not before the owner has a reference to this stream.
      queueMicrotask(() => this.#refuse(error.message));
      return null;
    }
  }

  #respond(response: IncomingMessage): void {
    if (this.#isOver) return;
    const { frame, outgoing } = this.#options;
    const answer = outgoing.open({
      type: 'response',
      id: frame.id,
      status: response.statusCode ?? 500,
      headers: endToEnd(pairsOf(response.rawHeaders)).map(([name, value]) => [name, value]),
    });
    this.#answer = answer;
    response.on('data', (bytes: Buffer) => {
      const room = answer.write(bytes);
      if (room === null) return;
      response.pause();
      void room.then(() => response.resume());
    });
    response.on('end', () => {
      if (this.#isOver || !response.complete) return;
      answer.end();
      this.#finish();
      // The rest of the request's body is not needed.
      this.#request?.destroy();
    });
    response.on('error', () => this.#fail());
  }

  /** The app's connection ended before its reply did. */
  #fail(): void {
    if (this.#isOver) return;
    if (this.#answer === null) {
      this.#tell(500, 'Internal Server Error');
      return;
    }
    this.#answer.abort();
    this.#finish();
    this.#request?.destroy();
  }

  #refuse(message: string): void {
    if (this.#isOver) return;
    if (this.#answer === null) this.#tell(400, message);
    else this.#fail();
  }

  #tell(status: number, message: string): void {
    const { frame, outgoing } = this.#options;
    const answer = outgoing.open({
      type: 'response',
      id: frame.id,
      status,
      headers: [['content-type', 'text/plain; charset=utf-8']],
    });
    void answer.write(Buffer.from(message));
    answer.end();
    this.#finish();
    this.#request?.destroy();
  }

  #wasRead(): void {
    if (this.#isOver) return;
    this.#unread -= 1;
    this.#measure();
    if (!this.#options.reportsReads) return;
    this.#readUntold += 1;
    if (this.#readUntold < READ_EVERY && this.#unread > 0) return;
    this.#options.outgoing.now({ type: 'read', id: this.#options.frame.id, chunks: this.#readUntold });
    this.#readUntold = 0;
  }

  #measure(): void {
    const isFull = !this.#isOver && this.#unread + HELD_BY_APP >= MAX_UNREAD_CHUNKS;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#options.full(isFull);
  }

  #finish(): void {
    this.#isOver = true;
    this.#measure();
    this.#options.over();
  }
}
