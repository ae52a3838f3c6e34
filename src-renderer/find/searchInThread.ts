/**
 * Runs regular expressions on a separate thread, one task at a time, each with a time limit. A thread that takes too
 * long is terminated; the next task gets a new one. A queued task that was cancelled is never started.
 *
 * States of a task: waiting → running → reported (`done`, `slow`, `failed`). A cancel drops it from the first two.
 */
import type { AnswerOf, SearchTask } from './searchTask.ts';
import SearchWorker from './searchWorker.ts?worker';

export type Outcome<Answer> =
  | { readonly kind: 'done'; readonly answer: Answer }
  /** The task exceeded its time limit. */
  | { readonly kind: 'slow' }
  /** The thread could not be started. */
  | { readonly kind: 'failed' };

/** Longest time one task may take, in ms. */
const LIMIT_MS = 2_000;
/** How long, in ms, a cancelled task may continue: most end sooner, and starting a new thread takes about as long. */
const ABANDONED_MS = 50;

interface Job {
  readonly task: SearchTask;
  readonly tell: (outcome: Outcome<unknown>) => void;
  wanted: boolean;
}

let worker: Worker | null = null;
let ready = false;
let running: Job | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const waiting: Job[] = [];

/** Runs a task on the search thread and reports its outcome. Returns a function that cancels it. */
export function searchInThread<Task extends SearchTask>(
  task: Task,
  tell: (outcome: Outcome<AnswerOf<Task>>) => void,
): () => void {
  // Safe: the answer is what `perform` returned for this task.
  const job: Job = { task, tell: tell as Job['tell'], wanted: true };
  waiting.push(job);
  next();
  return () => {
    job.wanted = false;
    if (job === running && ready) endIn(ABANDONED_MS);
  };
}

function next(): void {
  if (running !== null) return;
  running = waiting.shift() ?? null;
  if (running === null) return;
  if (!running.wanted) {
    running = null;
    next();
    return;
  }
  worker ??= begin();
  if (ready) send(worker, running);
}

function begin(): Worker {
  const newWorker = new SearchWorker();
  ready = false;
  newWorker.onmessage = ({ data }: MessageEvent<'ready' | { readonly answer: unknown }>) => {
    if (data !== 'ready') {
      finish({ kind: 'done', answer: data.answer });
      return;
    }
    ready = true;
    if (running !== null) send(newWorker, running);
  };
  newWorker.onerror = (event) => {
    console.error('a search could not run in its own thread', event.message);
    end();
    finish({ kind: 'failed' });
  };
  return newWorker;
}

function send(thread: Worker, job: Job): void {
  thread.postMessage(job.task);
  endIn(job.wanted ? LIMIT_MS : ABANDONED_MS);
}

function endIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    end();
    finish({ kind: 'slow' });
  }, ms);
}

function end(): void {
  worker?.terminate();
  worker = null;
  ready = false;
}

function finish(outcome: Outcome<unknown>): void {
  clearTimeout(timer);
  const job = running;
  running = null;
  if (job?.wanted) job.tell(outcome);
  next();
}
