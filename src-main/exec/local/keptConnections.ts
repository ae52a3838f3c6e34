/** Opens a local port to which processes that stay for their widgets connect. */

import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { JsonLines } from './jsonLines.ts';

/** How long a connection may take to send its token. */
const HELLO_MS = 10_000;
/** Longest line of a kept process; it sends at most 32 MiB. */
const MAX_LINE_BYTES = 33 * 1024 * 1024;

/** The connection of a kept process; lines that come before there is a listener wait. */
export class KeptConnection {
  readonly #socket: Socket;
  #lines: unknown[] = [];
  #onLine: ((line: unknown) => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Takes a line that the process sent. */
  push(line: unknown): void {
    if (this.#onLine === null) this.#lines.push(line);
    else this.#onLine(line);
  }

  listen(onLine: (line: unknown) => void): void {
    this.#onLine = onLine;
    for (const line of this.#lines.splice(0)) onLine(line);
  }

  /** False when the process reads so slowly that nothing more is sent to it. */
  send(line: object): boolean {
    if (this.#socket.destroyed || this.#socket.writableLength > MAX_LINE_BYTES) return false;
    this.#socket.write(`${JSON.stringify(line)}\n`);
    return true;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** What a run needs to be kept, and how it is recognized. */
export interface ExpectedConnection {
  readonly port: number;
  readonly token: string;
  /** Resolves when the run has connected. */
  readonly joined: Promise<KeptConnection>;
  /** Stops waiting for the run. */
  drop(): void;
}

/**
 * Where processes that stay for their widgets connect: a loopback port, opened at the first run. Each run has
 * its own token; a connection without one is closed.
 */
export class KeptConnections {
  readonly #waiting = new Map<string, (connection: KeptConnection) => void>();
  #server: Promise<Server> | null = null;

  async place(): Promise<ExpectedConnection> {
    this.#server ??= this.#listen();
    const address = (await this.#server).address();
    if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
    const token = randomBytes(32).toString('hex');
    const joined = new Promise<KeptConnection>((resolve) => this.#waiting.set(token, resolve));
    return { port: address.port, token, joined, drop: () => this.#waiting.delete(token) };
  }

  async close(): Promise<void> {
    (await this.#server)?.close();
  }

  #listen(): Promise<Server> {
    return new Promise((resolve, reject) => {
      const server = createServer((socket) => this.#greet(socket));
      server.once('error', reject);
      // It must not keep the program running.
      server.listen(0, '127.0.0.1', () => resolve(server.unref()));
    });
  }

  #greet(socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), HELLO_MS);
    const connection = new KeptConnection(socket);
    let isKnown = false;
    const lines = new JsonLines({
      limit: MAX_LINE_BYTES,
      onLine: (line) => {
        if (isKnown) return connection.push(line);
        const token = typeof line === 'object' && line !== null && 'token' in line ? String(line.token) : '';
        const take = this.#waiting.get(token);
        this.#waiting.delete(token);
        clearTimeout(timer);
        isKnown = take !== undefined;
        if (take === undefined) socket.destroy();
        else take(connection);
      },
      onBroken: () => socket.destroy(),
    });
    socket.unref();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => clearTimeout(timer));
    socket.on('data', (chunk: Buffer) => lines.push(chunk));
  }
}
