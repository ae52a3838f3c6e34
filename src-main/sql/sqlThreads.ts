/**
 * Runs SQL drivers outside the event loop: gives each connection a thread or process, reuses idle ones, and stops
 * queries.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Access, ConnectSettings } from './driver.ts';
import {
  type CarrierKind,
  type CarrierPlace,
  carrierOf,
  type ProcessHost,
  type SqlCarrier,
  startCarrier,
} from './sqlCarrier.ts';
import { SqlError } from './sqlError.ts';
import type { Answers, FromThread, Question } from './threadMessages.ts';

/** A connection in its own thread. Ask one question at a time. */
export interface SqlAsker {
  /** @throws SqlError, SqlAborted */
  ask<K extends Exclude<Question['kind'], 'identity' | 'close'>>(
    question: Extract<Question, { readonly kind: K }>,
  ): Promise<Answers[K]>;
  /** Identifies the connection; available without connecting. */
  readonly identity: Answers['identity'];
  /** Returns the thread. May be called repeatedly; never throws. */
  close(): Promise<void>;
}

/** Access to databases outside the event loop. */
export interface SqlThreads {
  /**
   * @param options.signal once aborted, all pending questions reject at once with `SqlAborted`, without waiting for the
   * database, which is asked to stop; a process that does not react is killed (docs/spec/live-protocol.md, 4,
   * cell_cancel)
   * @throws SqlError for invalid settings, SqlAborted
   */
  begin(
    settings: ConnectSettings,
    options: { readonly access: Access; readonly signal: AbortSignal },
  ): Promise<SqlAsker>;
  /** The number of threads and processes, idle ones included. */
  running(): number;
  /** May be called repeatedly; pending questions fail. */
  close(): Promise<void>;
}

/** The question was aborted. */
export class SqlAborted extends Error {
  override readonly name = 'SqlAborted';
}

/** How long an idle thread waits for the next connection; its drivers are already loaded. */
const IDLE_MS = 60_000;
/** How long the end of the program waits for databases that were asked to stop. */
const STOP_MS = 2_000;

/** @param processHost starts processes for this program if it cannot itself */
export function createSqlThreads(processHost: ProcessHost | null = null): SqlThreads {
  return new Threads(processHost);
}

/** Owns the threads and processes: at most one idle one per place, and any number of active ones. */
class Threads implements SqlThreads {
  readonly #threads = new Set<Thread>();
  readonly #idle = new Map<string, { readonly thread: Thread; readonly timer: NodeJS.Timeout }>();
  readonly #host: ProcessHost | null;
  #closed = false;

  constructor(host: ProcessHost | null) {
    this.#host = host;
  }

  running(): number {
    return this.#threads.size;
  }

  async begin(
    settings: ConnectSettings,
    { access, signal }: { readonly access: Access; readonly signal: AbortSignal },
  ): Promise<SqlAsker> {
    if (this.#closed) throw new SqlError('The server is shutting down.');
    if (signal.aborted) throw new SqlAborted('aborted');
    const thread = this.#take(carrierOf(settings, this.#host));
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

  #take(place: CarrierPlace): Thread {
    const key = keyOf(place);
    const idle = this.#idle.get(key);
    this.#idle.delete(key);
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      if (!idle.thread.hasEnded) return idle.thread;
    }
    const thread = new Thread(place, this.#host, () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }

  /** A thread that was aborted may still be busy, so it is never reused. */
  #giveBack(thread: Thread, wasAborted: boolean): void {
    const key = keyOf(thread.place);
    if (wasAborted || this.#closed || this.#idle.has(key) || thread.hasEnded) {
      void thread.end();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(key);
      void thread.end();
    }, IDLE_MS);
    timer.unref();
    this.#idle.set(key, { thread, timer });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    const threadEnds = Promise.all([...this.#threads].map((thread) => thread.end()));
    // Nothing else may keep the program alive until the threads have ended.
    const patience = new AbortController();
    const timeout = delay(STOP_MS, null, { signal: patience.signal }).catch(() => null);
    await Promise.race([threadEnds, timeout]);
    patience.abort();
  }
}

function keyOf({ kind, cwd }: CarrierPlace): string {
  return `${kind}:${cwd ?? ''}`;
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Sends questions to one carrier and matches the answers. */
class Thread {
  readonly place: CarrierPlace;
  readonly #carrier: SqlCarrier;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onGone: () => void;
  readonly #onIdle: (() => void)[] = [];
  #next = 1;
  #endReason: Error | null = null;
  /** Questions without an answer so far, even if nothing awaits it. */
  #outstanding = 0;
  #ending: Promise<void> | null = null;
  /** Questions whose answer is awaited. */
  #awaited = 0;
  #exited = false;

  constructor(place: CarrierPlace, host: ProcessHost | null, onGone: () => void) {
    this.place = place;
    this.#onGone = onGone;
    this.#carrier = startCarrier(
      place,
      {
        onMessage: (answer) => this.#settle(answer),
        onExit: (why) => {
          this.#exited = true;
          this.#notifyIdle();
          this.#fail(why);
          this.#onGone();
        },
      },
      host,
    );
  }

  get kind(): CarrierKind {
    return this.#carrier.kind;
  }

  get hasEnded(): boolean {
    return this.#endReason !== null;
  }

  ask(question: Question, signal: AbortSignal | null): Promise<unknown> {
    const answer = this.#ask(question, signal);
    this.#awaited += 1;
    this.#carrier.hold(true);
    const onSettled = (): void => {
      this.#awaited -= 1;
      if (this.#awaited === 0) this.#carrier.hold(false);
    };
    answer.then(onSettled, onSettled);
    return answer;
  }

  #ask(question: Question, signal: AbortSignal | null): Promise<unknown> {
    if (this.#endReason !== null) return Promise.reject(this.#endReason);
    if (signal?.aborted === true) return Promise.reject(new SqlAborted('aborted'));
    const id = this.#next++;
    const pending = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#outstanding += 1;
      this.#carrier.post({ kind: 'ask', id, question });
    });
    if (signal === null) return pending;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#carrier.post({ kind: 'abort' });
        reject(new SqlAborted('aborted'));
      };
      signal.addEventListener('abort', stop, { once: true });
      pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  /**
   * Rejects everything that waits. A process ends at once; a thread when the database lets it. May be called
   * repeatedly.
   */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#fail(new Error('the SQL thread was ended'));
    if (this.kind === 'process') return this.#carrier.end();
    if (this.#outstanding > 0) this.#carrier.post({ kind: 'abort' });
    // Closes the connection before the thread ends.
    this.#outstanding += 1;
    this.#carrier.post({ kind: 'ask', id: this.#next++, question: { kind: 'close' } });
    await this.#untilIdle();
    await this.#carrier.end();
  }

  #untilIdle(): Promise<void> {
    if (this.#outstanding === 0 || this.#exited) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #notifyIdle(): void {
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #settle(message: FromThread): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    this.#outstanding -= 1;
    if (this.#outstanding === 0) this.#notifyIdle();
    if (waiting === undefined) return;
    if ('answer' in message) waiting.resolve(message.answer);
    else waiting.reject(toError(message.error));
  }

  #fail(why: Error): void {
    if (this.#endReason !== null) return;
    this.#endReason = why;
    const abandoned = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of abandoned) reject(why);
  }
}

function toError({ message, sql, stack }: Extract<FromThread, { readonly error: unknown }>['error']): Error {
  if (sql !== null) return new SqlError(message, sql);
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return error;
}
