/** Client of the Language Server Protocol: sends requests to the Python language server and reads its answers. */

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { FrameReader, frameOf } from './framing.ts';

/** The error when the server ended before it answered. */
export class ServerGone extends Error {}
/** The error when the caller no longer waits for the answer. */
export class RequestDropped extends Error {}
/** The error when the server refused a request; the message is its own. */
export class RequestRefused extends Error {}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface LspClientOptions {
  /** Answers `workspace/configuration` for a section. */
  readonly settings: (section: string) => unknown;
  /** Called once, when no further answers can arrive. */
  readonly onGone: (why: string) => void;
}

const METHOD_NOT_FOUND = -32601;

/** Talks to one running server. Answers that no caller waits for are dropped. */
export class LspClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #options: LspClientOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #reader = new FrameReader();
  #lastId = 0;
  #isGone = false;

  constructor(child: ChildProcessWithoutNullStreams, options: LspClientOptions) {
    this.#child = child;
    this.#options = options;
    child.stdout.on('data', (piece: Buffer) => this.#take(piece));
    // Its stderr is for its developers; it must be read, because a full pipe would block the server.
    child.stderr.resume();
    child.stdin.on('error', () => this.end('it reads no more'));
    child.once('error', (error) => this.end(error.message));
    child.once('exit', (code, signal) => this.end(`it ended (${signal ?? code})`));
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Sends a request and returns its result.
   * @throws ServerGone; RequestDropped if `signal` is aborted; RequestRefused
   */
  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    if (this.#isGone) return Promise.reject(new ServerGone('the language server is not running'));
    if (signal?.aborted) return Promise.reject(new RequestDropped());
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<unknown>((resolve, reject) => {
      const drop = (): void => {
        if (!this.#waiting.delete(id)) return;
        this.notify('$/cancelRequest', { id });
        reject(new RequestDropped());
      };
      const settled = (): void => signal?.removeEventListener('abort', drop);
      signal?.addEventListener('abort', drop, { once: true });
      this.#waiting.set(id, {
        resolve: (result) => {
          settled();
          resolve(result);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Ends the process at once; it has no data that could be lost. Idempotent. */
  end(why: string): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#child.kill('SIGKILL');
    for (const { reject } of this.#waiting.values()) reject(new ServerGone(why));
    this.#waiting.clear();
    this.#options.onGone(why);
  }

  #take(piece: Buffer): void {
    if (this.#isGone) return;
    let messages: readonly unknown[];
    try {
      messages = this.#reader.push(piece);
    } catch (error) {
      this.end(error instanceof Error ? error.message : String(error));
      return;
    }
    for (const message of messages) this.#hear(message);
  }

  #hear(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const { id, method, params, result, error } = message as Readonly<Record<string, unknown>>; // the fields are checked below
    if (typeof method === 'string') {
      if (id !== undefined) this.#answer(id, method, params);
      return;
    }
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return;
    this.#waiting.delete(id as number); // the map has this key
    if (error === undefined) waiting.resolve(result ?? null);
    else waiting.reject(new RequestRefused(wordsOf(error)));
  }

  #answer(id: unknown, method: string, params: unknown): void {
    if (method === 'workspace/configuration') {
      const items = (params as { readonly items?: readonly { readonly section?: string }[] } | null)?.items;
      const result = (items ?? []).map(({ section }) => this.#options.settings(section ?? ''));
      this.#send({ jsonrpc: '2.0', id, result });
    } else if (method === 'client/registerCapability' || method === 'window/workDoneProgress/create') {
      this.#send({ jsonrpc: '2.0', id, result: null });
    } else {
      this.#send({ jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: method } });
    }
  }

  #send(message: object): void {
    if (!this.#isGone && this.#child.stdin.writable) this.#child.stdin.write(frameOf(message));
  }
}

function wordsOf(error: unknown): string {
  const { message } = (typeof error === 'object' && error !== null ? error : {}) as { message?: unknown };
  return typeof message === 'string' ? message : 'the language server refused the request';
}
