/** Starts and talks to a second thread that takes a share of long work on tables. */

import { Worker } from 'node:worker_threads';
import type { Table } from '../columns/readTable.ts';
import type { CsvPart, IndexedSummary, Lender, Loan } from '../summary/loan.ts';

/** A request to the second thread; `key` identifies a table it holds, `of` an export of that table. */
export type SecondRequest =
  | { readonly kind: 'hold'; readonly key: number; readonly bytes: SharedArrayBuffer }
  | { readonly kind: 'drop'; readonly key: number }
  | {
      readonly kind: 'summarize';
      readonly id: number;
      readonly key: number;
      readonly next: SharedArrayBuffer;
    }
  | {
      readonly kind: 'csv';
      readonly id: number;
      readonly key: number;
      readonly order: SharedArrayBuffer | null;
      readonly from: number;
      readonly to: number;
      /** The memory to write the rows to; null: the thread allocates it. */
      readonly into: SharedArrayBuffer | null;
    };

export type SecondAnswer =
  | { readonly id: number; readonly kind: 'summaries'; readonly found: readonly IndexedSummary[] }
  | { readonly id: number; readonly kind: 'part'; readonly part: CsvPart }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };

type Question = Extract<SecondRequest, { readonly id: number }>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** The heap limit, the same as the first thread's: a thread that needs more ends, and the first one does its work. */
const HEAP_MB = 2048;

interface Waiting {
  readonly resolve: (answer: SecondAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Another thread with access to the same memory, for the two tasks that are long enough to split: summaries and CSV. It
 * starts with the first loan, or earlier by `warm`, and ends with the table thread. If it fails, the caller does all
 * the work.
 */
export class SecondThread implements Lender {
  readonly #program: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #next = 1;

  constructor(program: URL) {
    this.#program = program;
  }

  /** Starts it, so that the first loan need not wait. */
  warm(): void {
    this.#worker ??= this.#start();
  }

  lend(table: Table): Loan {
    const key = this.#next++;
    const worker = this.#worker ?? this.#start();
    worker.postMessage({ kind: 'hold', key, bytes: table.memory } satisfies SecondRequest);
    return {
      summarize: async (next) => {
        const answer = await this.#ask(worker, { kind: 'summarize', key, next });
        return answer.kind === 'summaries' ? answer.found : failed(answer);
      },
      csv: async (rows) => {
        const answer = await this.#ask(worker, { kind: 'csv', key, ...rows });
        return answer.kind === 'part' ? answer.part : failed(answer);
      },
      give: () => worker.postMessage({ kind: 'drop', key } satisfies SecondRequest),
    };
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#lost('closed');
    await worker?.terminate();
  }

  #ask(worker: Worker, question: WithoutId<Question>): Promise<SecondAnswer> {
    if (worker !== this.#worker) return Promise.reject(new Error('the second table thread ended'));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...question } satisfies Question);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#program, {
      name: 'tables, second',
      workerData: { second: true },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.unref();
    worker.on('message', (answer: SecondAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      waiting?.resolve(answer);
    });
    worker.on('error', (error) => this.#lost(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => this.#lost(`exit code ${code}`));
    this.#worker = worker;
    return worker;
  }

  #lost(why: string): void {
    this.#worker = null;
    const pendingCalls = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of pendingCalls) reject(new Error(`the second table thread ended: ${why}`));
  }
}

function failed(answer: SecondAnswer): never {
  throw new Error(
    answer.kind === 'failed' ? answer.message : 'the second table thread answered something else',
  );
}
