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
   * database, which is told to stop; where it does not hear that, its process is killed (live-protocol 4, cell_cancel)
   * @throws SqlError for settings that are wrong, SqlAborted
   */
  begin(
    settings: ConnectSettings,
    options: { readonly access: Access; readonly signal: AbortSignal },
  ): Promise<SqlAsker>;
  /** How many threads and processes there are, idle ones among them. */
  running(): number;
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

/** @param processHost who starts processes for this program, where it can start none itself */
export function createSqlThreads(processHost: ProcessHost | null = null): SqlThreads {
  return new Threads(processHost);
}

/** Owns the threads and processes: at most one of each place idle, any number at work. */
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
      if (!idle.thread.isOver) return idle.thread;
    }
    const thread = new Thread(place, this.#host, () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }

  /** One that was told to stop may still be at work: it is never given to anybody again. */
  #giveBack(thread: Thread, wasAborted: boolean): void {
    const key = keyOf(thread.place);
    if (wasAborted || this.#closed || this.#idle.has(key) || thread.isOver) {
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
    const ended = Promise.all([...this.#threads].map((thread) => thread.end()));
    // Nothing else may keep the program alive until they have ended.
    const patience = new AbortController();
    const late = delay(STOP_MS, null, { signal: patience.signal }).catch(() => null);
    await Promise.race([ended, late]);
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

/** Questions to one carrier, and who waits for the answers. */
class Thread {
  readonly place: CarrierPlace;
  readonly #carrier: SqlCarrier;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onGone: () => void;
  readonly #whenQuiet: (() => void)[] = [];
  #next = 1;
  #over: Error | null = null;
  /** Questions that have no answer, whether or not anybody waits. */
  #outstanding = 0;
  #ending: Promise<void> | null = null;
  /** Questions somebody waits for. */
  #held = 0;
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
          this.#calm();
          this.#lost(why);
          this.#onGone();
        },
      },
      host,
    );
  }

  get kind(): CarrierKind {
    return this.#carrier.kind;
  }

  get isOver(): boolean {
    return this.#over !== null;
  }

  ask(question: Question, signal: AbortSignal | null): Promise<unknown> {
    const answer = this.#ask(question, signal);
    this.#held += 1;
    this.#carrier.hold(true);
    const settled = (): void => {
      this.#held -= 1;
      if (this.#held === 0) this.#carrier.hold(false);
    };
    answer.then(settled, settled);
    return answer;
  }

  #ask(question: Question, signal: AbortSignal | null): Promise<unknown> {
    if (this.#over !== null) return Promise.reject(this.#over);
    if (signal?.aborted === true) return Promise.reject(new SqlAborted('aborted'));
    const id = this.#next++;
    const asked = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#outstanding += 1;
      this.#carrier.post({ kind: 'ask', id, question });
    });
    if (signal === null) return asked;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#carrier.post({ kind: 'abort' });
        reject(new SqlAborted('aborted'));
      };
      signal.addEventListener('abort', stop, { once: true });
      asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  /** Whoever waits waits no more. A process goes at once; a thread once the database lets it. Idempotent. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#lost(new Error('the SQL thread was ended'));
    if (this.kind === 'process') return this.#carrier.end();
    if (this.#outstanding > 0) this.#carrier.post({ kind: 'abort' });
    // The connection is closed before its thread goes.
    this.#outstanding += 1;
    this.#carrier.post({ kind: 'ask', id: this.#next++, question: { kind: 'close' } });
    await this.#quiet();
    await this.#carrier.end();
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
