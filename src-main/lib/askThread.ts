/** Runs a function on a thread of its own that answers one question after another, off the event loop. */

import { Worker } from 'node:worker_threads';

/**
 * The program of a thread in plain JavaScript: `answer` takes a question and returns a value that
 * `postMessage` can send, or throws. It is text so that a bundle needs no separate file; `require` is
 * available.
 */
interface ThreadProgram {
  /** For the message "the … thread ended". */
  readonly name: string;
  /** Defines `function answer(question)`. */
  readonly code: string;
}

const LISTEN = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ id, question }) => {
  try {
    parentPort.postMessage({ id, answer: answer(question) });
  } catch (error) {
    parentPort.postMessage({ id, code: String(error.code ?? ''), message: String(error.message) });
  }
});
`;

type Reply<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly code: string; readonly message: string };

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One thread that answers questions off the event loop, started by the first question, and started again by
 * the next one if it was lost. It never keeps the process alive.
 */
export class AskThread<Question, Answer> {
  readonly #program: ThreadProgram;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #worker: Worker | null = null;
  #next = 1;

  constructor(program: ThreadProgram) {
    this.#program = program;
  }

  /** @throws the error of `answer`, with its message and `code`; an error if the thread ended */
  ask(question: Question): Promise<Answer> {
    const worker = this.#worker ?? this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, question });
    });
  }

  #start(): Worker {
    const { name, code } = this.#program;
    const worker = new Worker(`${code}\n${LISTEN}`, { eval: true, name, execArgv: [] });
    worker.on('message', (reply: Reply<Answer>) => this.#settle(worker, reply));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', (exit) => this.#lost(worker, new Error(`the ${name} thread ended (${exit})`)));
    this.#worker = worker;
    return worker;
  }

  #settle(worker: Worker, reply: Reply<Answer>): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) worker.unref();
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
  }

  /** One end is reported twice (error, then exit): ignore a thread that is no longer in use. */
  #lost(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const pendingCalls = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of pendingCalls) reject(error);
  }
}
