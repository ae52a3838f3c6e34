/** The relay's end of one worker's connection: forwards calls over it and passes replies back. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { FLOW_WINDOW_CHUNKS } from '../../../src-shared/wire/worker/relay.ts';
import { Keepalive } from '../keepalive.ts';
import { readMessage } from '../message.ts';
import { Outgoing } from '../outgoing.ts';
import { CallerStream } from './callerStream.ts';
import type { RelayMetrics } from './metrics.ts';
import type { RelayLimits } from './relayLimits.ts';
import type { SpoolBudget } from './spool.ts';

interface WorkerLinkOptions {
  readonly name: string;
  readonly socket: WebSocket;
  /** Whether the worker reports what it has read (docs/extensions.md). */
  readonly reportsReads: boolean;
  readonly limits: RelayLimits;
  readonly spoolFolder: string;
  readonly budget: SpoolBudget;
  readonly metrics: RelayMetrics;
  /** Called once, with the number of lost calls. */
  readonly closed: (lostCount: number) => void;
}

/**
 * The time limit for a pong; long, because a worker that reads nothing for a while (its app is slow) cannot answer a
 * ping either.
 */
const PONG_WITHIN_MS = 60_000;
const REPLACED_PONG_WITHIN_MS = 5_000;
const REPLACED = 4001;
let spooled = 0;

/**
 * The relay's end of one worker connection, from the accepted handshake to its end. Owns the ids of its
 * streams. States: current → leaving (another connection takes new calls; this one ends with its last stream)
 * → closed.
 */
export class WorkerLink {
  readonly name: string;
  readonly #options: WorkerLinkOptions;
  readonly #outgoing: Outgoing;
  readonly #streams = new Map<number, CallerStream>();
  readonly #busy = new Set<number>();
  readonly #keepalive: Keepalive;
  #lastId = 0;
  #isLeaving = false;
  #isClosed = false;

  constructor(options: WorkerLinkOptions) {
    const { socket } = options;
    this.name = options.name;
    this.#options = options;
    this.#outgoing = new Outgoing({ send: (message, onSent) => socket.send(message, onSent) });
    this.#keepalive = new Keepalive({
      ping: () => socket.ping(),
      lost: () => socket.terminate(),
      isPaused: () => this.#busy.size > 0,
      pongWithinMs: PONG_WITHIN_MS,
    });
    // Always buffers: the socket's binary type is the default.
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    socket.on('pong', () => this.#keepalive.heard());
    socket.on('error', () => undefined);
    socket.once('close', () => this.#close());
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Forwards a call to the worker and its reply back. */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    at: { readonly path: string; readonly query: string },
  ): void {
    const id = this.#freeId();
    const { limits, reportsReads, spoolFolder, budget, metrics } = this.#options;
    spooled += 1;
    const stream = new CallerStream({
      request,
      response,
      ...at,
      open: (head) =>
        this.#outgoing.open({ type: 'request', id, ...head }, reportsReads ? FLOW_WINDOW_CHUNKS : null),
      maxBodyBytes: limits.maxBodyBytes,
      idleMs: limits.idleMs,
      spoolFolder,
      spoolName: String(spooled),
      budget,
      busy: (isBusy) => this.#setBusy(id, isBusy),
      metrics,
      over: () => this.#over(id),
    });
    this.#streams.set(id, stream);
  }

  /** A newer connection has replaced it. Current calls continue, if the worker can still answer them. */
  leave(): void {
    this.#isLeaving = true;
    this.#keepalive.probe(REPLACED_PONG_WITHIN_MS);
    this.#closeIfLeft();
  }

  /** Closes it and ends its calls. */
  end(code: number, reason: string): void {
    this.#options.socket.close(code, reason);
    this.#close();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#keepalive.heard();
    const message = readMessage(data, isBinary);
    if (message === null) return;
    if (message.kind === 'chunk') {
      this.#streams.get(message.id)?.chunk(message.bytes);
      return;
    }
    const { frame } = message;
    const stream = this.#streams.get(frame.id);
    if (frame.type === 'response') stream?.answer(frame.status, frame.headers);
    if (frame.type === 'end') stream?.end();
    if (frame.type === 'abort') stream?.fail('The worker aborted this request');
    if (frame.type === 'read') stream?.grant(frame.chunks);
  }

  #freeId(): number {
    do this.#lastId = this.#lastId >= 2 ** 32 - 1 ? 1 : this.#lastId + 1;
    while (this.#streams.has(this.#lastId));
    return this.#lastId;
  }

  #over(id: number): void {
    this.#streams.delete(id);
    this.#closeIfLeft();
  }

  #setBusy(id: number, isBusy: boolean): void {
    if (isBusy) this.#busy.add(id);
    else this.#busy.delete(id);
    if (this.#isClosed) return;
    if (this.#busy.size === 0) this.#options.socket.resume();
    else this.#options.socket.pause();
  }

  #closeIfLeft(): void {
    if (!this.#isLeaving || this.#streams.size > 0) return;
    this.#options.socket.close(REPLACED, 'replaced by a newer connection of this worker');
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#keepalive.stop();
    const open = [...this.#streams.values()];
    for (const stream of open) {
      stream.fail(`The connection to worker ${this.name} was lost; its cells may still be running there`);
    }
    this.#outgoing.close();
    this.#options.closed(open.length);
  }
}
