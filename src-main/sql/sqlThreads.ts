import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Access, ConnectSettings } from './driver.ts';
import { SqlError } from './sqlError.ts';
import type { Answers, FromThread, Question, ToThread } from './threadMessages.ts';

/** A connection to come, or one that is open, in a thread of its own. Ask one thing at a time. */
export interface SqlAsker {
  /** @throws SqlError, SqlAborted */
  ask<K extends Exclude<Question['kind'], 'identity' | 'close'>>(
    question: Extract<Question, { readonly kind: K }>,
  ): Promise<Answers[K]>;
  /** What tells the connection from others; nothing is connected to. */
  readonly identity: Answers['identity'];
  /** Gives the thread back. Idempotent; never throws. */
  close(): Promise<void>;
}

/** Talks to databases away from the event loop. */
export interface SqlThreads {
  /**
   * @param options.signal once aborted, whatever is asked rejects at once with `SqlAborted`: nobody waits for the
   * database, which is told to stop and may go on for a while (document 3, cell_cancel)
   * @throws SqlError for settings that are wrong, SqlAborted
   */
  begin(
    settings: ConnectSettings,
    options: { readonly access: Access; readonly signal: AbortSignal },
  ): Promise<SqlAsker>;
  /** Idempotent; what is being asked fails. */
  close(): Promise<void>;
}

/** Nobody waits any more. */
export class SqlAborted extends Error {
  override readonly name = 'SqlAborted';
}

/** A thread nobody uses waits so long for the next connection: its drivers are loaded already. */
const IDLE_MS = 60_000;
/** How long the end of the program waits for databases that were told to stop. */
const STOP_MS = 2_000;

/** The bundle has `sqlWorker.js` beside it; from source Node runs the TypeScript itself. */
function defaultWorkerUrl(): URL {
  const bundled = new URL('./sqlWorker.js', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('./sqlWorker.ts', import.meta.url);
}

export function createSqlThreads(options: { readonly workerUrl?: () => URL } = {}): SqlThreads {
  return new Threads(options.workerUrl ?? defaultWorkerUrl);
}

/** Owns the threads: at most one idle, any number at work. */
class Threads implements SqlThreads {
  readonly #workerUrl: () => URL;
  readonly #threads = new Set<Thread>();
  #idle: { readonly thread: Thread; readonly timer: NodeJS.Timeout } | null = null;
  #closed = false;

  constructor(workerUrl: () => URL) {
    this.#workerUrl = workerUrl;
  }

  async begin(
    settings: ConnectSettings,
    { access, signal }: { readonly access: Access; readonly signal: AbortSignal },
  ): Promise<SqlAsker> {
    if (this.#closed) throw new SqlError('The server is going down.');
    if (signal.aborted) throw new SqlAborted('aborted');
    const thread = this.#take();
    let identity: Answers['identity'];
    try {
      identity = (await thread.ask({ kind: 'identity', settings, access }, signal)) as Answers['identity'];
    } catch (error) {
      this.#giveBack(thread, error instanceof SqlAborted);
      throw error;
    }
    let isOpen = true;
    return {
      identity,
      ask: async (question) => (await thread.ask(question, signal)) as never,
      close: async () => {
        if (!isOpen) return;
        isOpen = false;
        const wasAborted = signal.aborted;
        if (!wasAborted) await thread.ask({ kind: 'close' }, null).catch(() => thread.end());
        this.#giveBack(thread, wasAborted);
      },
    };
  }

  #take(): Thread {
    const idle = this.#idle;
    this.#idle = null;
    if (idle !== null) {
      clearTimeout(idle.timer);
      if (!idle.thread.isOver) return idle.thread;
    }
    const thread = new Thread(this.#workerUrl(), () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }

  /** A thread that was told to stop may still be at work: it is never given to anybody again. */
  #giveBack(thread: Thread, wasAborted: boolean): void {
    if (wasAborted) {
      void thread
        .ask({ kind: 'close' }, null)
        .catch(() => undefined)
        .finally(() => void thread.end());
      return;
    }
    if (this.#closed || this.#idle !== null || thread.isOver) {
      void thread.end();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle = null;
      void thread.end();
    }, IDLE_MS);
    timer.unref();
    this.#idle = { thread, timer };
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#idle !== null) clearTimeout(this.#idle.timer);
    this.#idle = null;
    const ended = Promise.all([...this.#threads].map((thread) => thread.end()));
    await Promise.race([ended, delay(STOP_MS, null, { ref: false })]);
  }
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onOver: () => void;
  readonly #whenQuiet: (() => void)[] = [];
  #next = 1;
  #over: Error | null = null;
  /** Questions the thread has not answered, whether or not anybody waits. */
  #outstanding = 0;
  #exited = false;

  constructor(program: URL, onOver: () => void) {
    this.#onOver = onOver;
    this.#worker = new Worker(program, { name: 'sql', execArgv: [] });
    this.#worker.unref();
    this.#worker.on('message', (answer: FromThread) => this.#settle(answer));
    this.#worker.on('error', (error) =>
      this.#lost(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on('exit', (code) => {
      this.#exited = true;
      this.#calm();
      this.#lost(new Error(`the SQL thread ended (${code})`));
    });
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  ask(question: Question, signal: AbortSignal | null): Promise<unknown> {
    if (this.#over !== null) return Promise.reject(this.#over);
    if (signal?.aborted === true) return Promise.reject(new SqlAborted('aborted'));
    const id = this.#next++;
    const asked = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#outstanding += 1;
      this.#worker.postMessage({ kind: 'ask', id, question } satisfies ToThread);
    });
    if (signal === null) return asked;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#worker.postMessage({ kind: 'abort' } satisfies ToThread);
        reject(new SqlAborted('aborted'));
      };
      signal.addEventListener('abort', stop, { once: true });
      asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  /**
   * Whoever waits waits no more. The thread itself goes once the database lets it: ended amid native work it would
   * take the whole process along.
   */
  async end(): Promise<void> {
    if (this.#outstanding > 0) this.#worker.postMessage({ kind: 'abort' } satisfies ToThread);
    this.#lost(new Error('the SQL thread was ended'));
    await this.#quiet();
    await this.#worker.terminate();
  }

  #quiet(): Promise<void> {
    if (this.#outstanding === 0 || this.#exited) return Promise.resolve();
    return new Promise((resolve) => this.#whenQuiet.push(resolve));
  }

  #calm(): void {
    for (const resolve of this.#whenQuiet.splice(0)) resolve();
  }

  #settle(message: FromThread): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    this.#outstanding -= 1;
    if (this.#outstanding === 0) this.#calm();
    if (waiting === undefined) return;
    if ('answer' in message) waiting.resolve(message.answer);
    else waiting.reject(received(message.error));
  }

  #lost(why: Error): void {
    if (this.#over !== null) return;
    this.#over = why;
    this.#onOver();
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(why);
  }
}

function received({ message, sql, stack }: Extract<FromThread, { readonly error: unknown }>['error']): Error {
  if (sql !== null) return new SqlError(message, sql);
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return error;
}
