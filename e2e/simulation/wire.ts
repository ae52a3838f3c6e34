/** A connection in memory between a window and the server of the simulation, with delays, drops and slow clients. */

import { EventEmitter } from 'node:events';
import type { WebSocket as ServerWebSocket } from 'ws';

/** The factor by which queued bytes are reported to the server, so that a small notebook reaches the limits. */
const SCALE = 400;
const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];

/** The random numbers of one simulated run. */
export interface Chance {
  readonly random: () => number;
}

/**
 * One connection in memory, with the browser's end and the server's. Messages arrive in order, after a delay. While
 * `slow`, the client's end reads nothing. A drop loses the messages that have not arrived, in both directions.
 */
export class Wire {
  readonly client: ClientEnd;
  readonly server: ServerEnd;
  slow = false;
  #over = false;
  #toServer: string[] = [];
  #toClient: { readonly text: string; readonly taken: () => void }[] = [];
  #delayMs: () => number;

  constructor({ random }: Chance, accept: (end: ServerWebSocket) => void) {
    this.#delayMs = () => Math.floor(random() * random() * 40);
    this.client = new ClientEnd(this);
    this.server = new ServerEnd(this);
    setTimeout(() => {
      if (this.#over) return;
      this.client.readyState = OPEN;
      // The parts of a WebSocket that `serveSocket` uses.
      accept(this.server as unknown as ServerWebSocket);
      this.client.onopen?.();
    }, this.#delayMs());
  }

  get waitingBytes(): number {
    return this.#toClient.reduce((sum, { text }) => sum + text.length, 0) * SCALE;
  }

  up(text: string): void {
    this.#toServer.push(text);
    setTimeout(() => {
      const next = this.#toServer.shift();
      if (next !== undefined) this.server.emit('message', next);
    }, this.#delayMs());
  }

  down(text: string, taken: () => void): void {
    this.#toClient.push({ text, taken });
    this.#pull();
  }

  /** The client reads again. */
  resume(): void {
    this.slow = false;
    for (let i = this.#toClient.length; i > 0; i -= 1) this.#pull();
  }

  #pull(): void {
    setTimeout(() => {
      if (this.slow) return;
      const next = this.#toClient.shift();
      if (next === undefined) return;
      next.taken();
      this.client.onmessage?.({ data: next.text });
    }, this.#delayMs());
  }

  drop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#toServer = [];
    this.#toClient = [];
    this.client.readyState = CLOSED;
    this.server.readyState = CLOSED;
    this.server.emit('close');
    setTimeout(() => this.client.onclose?.({ code: 1006 }), this.#delayMs());
  }
}

/** The part of the browser's WebSocket that the window uses. */
class ClientEnd {
  readonly #wire: Wire;
  readyState = CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onclose: ((event: { readonly code: number }) => void) | null = null;
  constructor(wire: Wire) {
    this.#wire = wire;
  }
  send(text: string): void {
    this.#wire.up(text);
  }
  close(): void {
    this.#wire.drop();
  }
}

/** The part of the `ws` WebSocket that the server uses. */
class ServerEnd extends EventEmitter {
  readonly OPEN = OPEN;
  readyState = OPEN;
  readonly #wire: Wire;
  constructor(wire: Wire) {
    super();
    this.#wire = wire;
  }
  get bufferedAmount(): number {
    return this.#wire.waitingBytes;
  }
  send(data: Buffer, _options: object, taken: () => void): void {
    this.#wire.down(data.toString(), taken);
  }
  close(): void {
    this.#wire.drop();
  }
  terminate(): void {
    this.#wire.drop();
  }
}
