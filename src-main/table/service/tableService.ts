/** Answers the data viewer's queries about tables in a thread, so that the server is never blocked. */

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { readPieces } from './readPieces.ts';
import type {
  ColumnAnswer,
  ColumnQuery,
  Distributions,
  ExportQuery,
  GroupsAnswer,
  GroupsQuery,
  Page,
  PageQuery,
  Summary,
  TableAnswer,
  TableFile,
  TableRequest,
  ViewQuery,
} from './tableQuery.ts';

export interface TableService {
  /** One page of a table, filtered, searched and sorted (docs/spec/values.md, 3). @throws TableError */
  page(query: PageQuery): Promise<Page>;
  /** A summary of each column. @throws TableError */
  summary(query: TableFile): Promise<Summary>;
  /** The distribution of the values of each column of a view. @throws TableError */
  distributions(query: ViewQuery): Promise<Distributions>;
  /** The statistics of one column of a view. @throws TableError */
  column(query: ColumnQuery): Promise<ColumnAnswer>;
  /** A view of a table grouped by the values of some columns. @throws TableError */
  groups(query: GroupsQuery): Promise<GroupsAnswer>;
  /** A view of a table as a file. @throws TableError */
  export(query: ExportQuery): Promise<TableExport>;
  /** Idempotent; running requests fail. */
  close(): Promise<void>;
}

/**
 * A file being made: read `pieces` to its end, or stop reading to cancel it. A piece may fail with TableError.
 * `release` returns the memory of a piece that will not be read again for later pieces.
 */
type TableExport =
  | {
      readonly kind: 'file';
      readonly pieces: AsyncIterable<Uint8Array>;
      release(piece: Uint8Array): void;
    }
  | { readonly kind: 'other'; readonly reason: string };

/** The error when the table thread could not answer: the file was removed, memory ran out, or the service is closed. */
export class TableError extends Error {
  override readonly name = 'TableError';
  /** Whether the request cannot be answered as it is; the message says why. */
  readonly refused: boolean;

  constructor(message: string, options: { readonly refused?: boolean } = {}) {
    super(message);
    this.refused = options.refused ?? false;
  }
}

interface TableServiceOptions {
  /** Maximum memory for tables, because Node cannot map their files. */
  readonly maxBytes?: number;
  /** The location of the thread's program, looked up when the thread starts. */
  readonly workerUrl?: () => URL;
  /** The thread ends after this many milliseconds without a request. */
  readonly idleMs?: number;
  /** A thread that answers nothing for this long during a request is ended. */
  readonly answerMs?: number;
  /** Megabytes of heap for the thread; if it needs more, the thread ends, not the server. */
  readonly heapMb?: number;
}

const DEFAULT_ANSWER_MS = 120_000;
const DEFAULT_HEAP_MB = 2048;
/** A table of 20,000 columns makes many short-lived objects: with less, half of the first page is collecting them. */
const YOUNG_MB = 64;
const DEFAULT_BYTES = 512 * 1024 * 1024;
const DEFAULT_IDLE_MS = 10 * 60_000;

/** In a bundle it is `tableWorker.js` beside this file; from source Node runs the TypeScript file. */
function defaultWorkerUrl(): URL {
  const bundled = new URL('./tableWorker.js', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('./tableWorker.ts', import.meta.url);
}

/** Pages tables in one thread, which starts with the first request. */
export function createTableService(options: TableServiceOptions = {}): TableService {
  return new ThreadTableService({
    maxBytes: options.maxBytes ?? DEFAULT_BYTES,
    workerUrl: options.workerUrl ?? defaultWorkerUrl,
    idleMs: options.idleMs ?? DEFAULT_IDLE_MS,
    answerMs: options.answerMs ?? DEFAULT_ANSWER_MS,
    heapMb: options.heapMb ?? DEFAULT_HEAP_MB,
  });
}

interface Waiting {
  readonly resolve: (answer: TableAnswer) => void;
  readonly reject: (error: TableError) => void;
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
type Question = WithoutId<TableRequest>;
type AnswerOf<K extends TableAnswer['kind']> = Extract<TableAnswer, { readonly kind: K }>;

/** Owns the thread. States: none → running → (idle too long, or it ended) none → … → closed. */
class ThreadTableService implements TableService {
  readonly #options: Required<TableServiceOptions>;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #late: NodeJS.Timeout | null = null;
  #next = 1;
  #exporting = 0;
  #closed = false;

  constructor(options: Required<TableServiceOptions>) {
    this.#options = options;
  }

  async page(query: PageQuery): Promise<Page> {
    return (await this.#expect('page', this.#ask({ kind: 'page', query }))).page;
  }

  async summary(query: TableFile): Promise<Summary> {
    return (await this.#expect('summary', this.#ask({ kind: 'summary', query }))).summary;
  }

  async distributions(query: ViewQuery): Promise<Distributions> {
    return (await this.#expect('distributions', this.#ask({ kind: 'distributions', query }))).distributions;
  }

  async column(query: ColumnQuery): Promise<ColumnAnswer> {
    return (await this.#expect('column', this.#ask({ kind: 'column', query }))).column;
  }

  async groups(query: GroupsQuery): Promise<GroupsAnswer> {
    return (await this.#expect('groups', this.#ask({ kind: 'groups', query }))).groups;
  }

  async export(query: ExportQuery): Promise<TableExport> {
    const exportStart = await this.#expect('export', this.#ask({ kind: 'export', query }));
    if (exportStart.reason !== null) return { kind: 'other', reason: exportStart.reason };
    const worker = this.#worker;
    const of = exportStart.id;
    this.#exporting += 1;
    const spare: SharedArrayBuffer[] = [];
    const pieces = readPieces({
      next: async () => {
        if (worker !== this.#worker) throw new TableError('the table thread ended during the export');
        return (await this.#expect('piece', this.#ask({ kind: 'piece', of, spare: spare.splice(0) }))).bytes;
      },
      end: () => {
        this.#exporting -= 1;
        // A thread that has ended no longer knows the export.
        if (worker === this.#worker && !this.#closed) this.#ask({ kind: 'end', of }).catch(() => undefined);
      },
    });
    const release = ({ buffer }: Uint8Array): void => {
      if (buffer instanceof SharedArrayBuffer) spare.push(buffer);
    };
    return { kind: 'file', pieces, release };
  }

  /** @throws TableError if the thread reports a failure */
  async #expect<K extends TableAnswer['kind']>(kind: K, request: Promise<TableAnswer>): Promise<AnswerOf<K>> {
    const answer = await request;
    if (answer.kind === kind) return answer as AnswerOf<K>; // its kind was compared above
    if (answer.kind === 'failed') throw new TableError(answer.message, answer);
    throw new TableError('the table thread answered something else');
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop('the table service is closed');
  }

  #ask(question: Question): Promise<TableAnswer> {
    if (this.#closed) return Promise.reject(new TableError('the table service is closed'));
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#late === null) this.#expectAnswer();
      worker.ref();
      worker.postMessage({ id, ...question } satisfies TableRequest);
    });
  }

  /** Starts the time limit now, or at the last answer: the thread handles one request after another. */
  #expectAnswer(): void {
    if (this.#late !== null) clearTimeout(this.#late);
    this.#late = null;
    if (this.#waiting.size === 0) return;
    const { answerMs } = this.#options;
    this.#late = setTimeout(() => void this.#stop(`no answer for ${answerMs / 1000} s`), answerMs).unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerUrl(), {
      name: 'tables',
      workerData: { maxBytes: this.#options.maxBytes },
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.on('message', (answer: TableAnswer) => this.#settle(worker, answer));
    worker.on('error', (error) => this.#lost(worker, error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => this.#lost(worker, `exit code ${code}`));
    this.#worker = worker;
    return worker;
  }

  #settle(worker: Worker, answer: TableAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    this.#expectAnswer();
    if (this.#waiting.size === 0) {
      worker.unref();
      // A slow reader of an export may request nothing for longer than that.
      if (this.#exporting === 0) {
        this.#idle = setTimeout(() => void this.#stop('idle'), this.#options.idleMs).unref();
      }
    }
    waiting?.resolve(answer);
  }

  /** Called twice for one end (error, then exit): only the thread in use counts. The next request starts another. */
  #lost(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#fail(`the table thread ended: ${why}`);
  }

  async #stop(why: string): Promise<void> {
    const worker = this.#worker;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#worker = null;
    this.#fail(why);
    await worker?.terminate();
  }

  #fail(why: string): void {
    const pendingCalls = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#expectAnswer();
    for (const { reject } of pendingCalls) reject(new TableError(why));
  }
}
