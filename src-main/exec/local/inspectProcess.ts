/**
 * The process behind a console inside a cell: sends expressions to it one at a time, collects what each
 * prints and displays, stops evaluations that are interrupted or too slow, and explains how the process
 * ended.
 */

import { randomBytes } from 'node:crypto';
import { CANCEL_LADDER, sendSignals } from '../../lib/processGroup.ts';
import { clientFields } from '../clientAccess.ts';
import {
  INSPECT_COMPLETE_MS,
  INSPECT_EVAL_MS,
  INSPECT_START_MS,
  type InspectAnswer,
  type Inspection,
  type InspectRequest,
  type InspectStart,
  inspectBegan,
  inspectReady,
  inspectReply,
} from '../inspection.ts';
import { setupPart } from '../runFiles.ts';
import { GuardedProcess, type GuardedProcessOptions, pythonLaunch } from './guardedProcess.ts';
import { JsonLines } from './jsonLines.ts';
import { MarkedStream } from './markedStream.ts';
import type { RunEnd } from './runningCell.ts';

/** Size of the tail of each stream to keep, per evaluation. */
const KEPT_BYTES = 64 * 1024;
/** Longest line from the harness: an answer has at most 8 MiB of pictures, and previews. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** How long to wait for the mark in the streams after the answer: the code may have closed them. */
const MARK_MS = 500;

const NO_ANSWER = 'The console was closed because it sent an invalid answer.';

type Stop = 'asked' | 'timeout';

/** A request to the process: an expression, or a text to complete. */
type Question = { readonly expr: string } | { readonly complete: string };

/** The evaluation under way. */
interface Evaluation {
  readonly startedAt: number;
  /** Resolves when the mark has arrived on both streams. */
  readonly printed: Promise<unknown>;
  readonly finish: (answer: InspectAnswer, names: readonly string[]) => void;
  readonly timer: NodeJS.Timeout;
  /** The process has reported that it evaluates. A signal sent earlier would have no effect. */
  began: boolean;
  ladder: { stop(): void } | null;
  stop: Stop | null;
}

/**
 * A console's process (harness/python/svc_harness/console.py). It gets the values at its start, then expressions.
 */
export class InspectProcess implements Inspection {
  readonly started: Promise<InspectStart>;
  readonly ended: Promise<string>;
  readonly #process: GuardedProcess;
  readonly #streams = { stdout: new MarkedStream(KEPT_BYTES), stderr: new MarkedStream(KEPT_BYTES) };
  #begin: (start: InspectStart) => void = () => {};
  #evaluation: Evaluation | null = null;
  /** Evaluations that wait for their turn. */
  #waiting = 0;
  /** Whether `interrupt` was called before its evaluation had started. */
  #stopNext = false;
  #turn: Promise<unknown>;
  #endMessage: string | null = null;
  /** Why this side ended the process; null when it did not. */
  #reason: string | null = null;

  constructor(request: InspectRequest, options: GuardedProcessOptions) {
    const lines = new JsonLines({
      limit: MAX_LINE_BYTES,
      onLine: (value) => this.#onMessage(value),
      onBroken: () => this.#kill(NO_ANSWER),
    });
    this.#process = new GuardedProcess(pythonLaunch(['inspect'], options), {
      onControl: (chunk) => lines.push(chunk),
      onOutput: (stream, bytes) => this.#streams[stream].push(bytes),
    });
    const first = new Promise<InspectStart>((resolve) => {
      this.#begin = resolve;
    });
    const startTimer = setTimeout(
      () => this.#kill(`The values did not load within ${INSPECT_START_MS / 1000} s.`),
      INSPECT_START_MS,
    );
    this.started = first.finally(() => clearTimeout(startTimer));
    this.#turn = this.started;
    this.ended = this.#process.ended.then((end) => this.#end(end));
    const { inputs, mounts, tables, env, cwd, cellId, notebookId, setup, client } = request;
    this.#process.send({
      inputs,
      mounts,
      tables,
      env,
      cwd,
      ...clientFields(client),
      svc_cell_id: cellId,
      svc_notebook_id: notebookId,
      ...(setup == null ? {} : { setup: setupPart(setup) }),
    });
  }

  evaluate(expr: string): Promise<InspectAnswer> {
    this.#waiting += 1;
    const result = this.#turn.then(() => {
      this.#waiting -= 1;
      return this.#ask({ expr }, INSPECT_EVAL_MS);
    });
    this.#turn = result;
    return result.then(({ answer }) => answer);
  }

  complete(text: string): Promise<readonly string[]> {
    const result = this.#turn.then(() => this.#ask({ complete: text }, INSPECT_COMPLETE_MS));
    this.#turn = result;
    return result.then(({ names }) => names);
  }

  interrupt(): void {
    if (this.#evaluation === null) this.#stopNext = this.#waiting > 0;
    else this.#stop('asked');
  }

  async close(): Promise<void> {
    this.#kill('The console was closed.');
    await this.ended;
  }

  #ask(
    question: Question,
    limitMs: number,
  ): Promise<{ readonly answer: InspectAnswer; readonly names: readonly string[] }> {
    return new Promise((resolve) => {
      const startedAt = performance.now();
      const finish = (answer: InspectAnswer, names: readonly string[] = []) => resolve({ answer, names });
      const isStopped = this.#stopNext && 'expr' in question;
      if (isStopped) this.#stopNext = false;
      if (this.#endMessage !== null) {
        finish({ kind: 'ended', error: this.#endMessage, ...this.#printed(startedAt) });
        return;
      }
      if (isStopped) {
        finish({ kind: 'failed', error: 'Stopped.', stopped: 'asked', ...this.#printed(startedAt) });
        return;
      }
      const mark = `\x1e${randomBytes(16).toString('hex')}\x1e`;
      const timer = setTimeout(() => this.#stop('timeout'), limitMs);
      const { stdout, stderr } = this.#streams;
      const printed = Promise.all(
        [stdout, stderr].map((stream) => new Promise<void>((onMark) => stream.until(mark, onMark))),
      );
      this.#evaluation = { startedAt, printed, finish, timer, began: false, ladder: null, stop: null };
      this.#process.send({ ...question, mark });
    });
  }

  #stop(why: Stop): void {
    const now = this.#evaluation;
    if (now === null || now.stop !== null) return;
    now.stop = why;
    if (now.began || why === 'timeout') this.#climb(now);
  }

  #climb(now: Evaluation): void {
    now.ladder = sendSignals(CANCEL_LADDER, (signal) => this.#process.signal(signal));
  }

  #onMessage(value: unknown): void {
    const ready = inspectReady.safeParse(value);
    if (ready.success) {
      this.#begin({ kind: 'ready', unread: ready.data.unread });
      return;
    }
    const now = this.#evaluation;
    if (now !== null && inspectBegan.safeParse(value).success) {
      now.began = true;
      if (now.stop !== null && now.ladder === null) this.#climb(now);
      return;
    }
    const reply = inspectReply.safeParse(value);
    if (now === null && reply.success && !reply.data.ok) {
      // The set-up cell failed before the values were read.
      this.#kill(reply.data.error);
      return;
    }
    if (!reply.success || now === null) {
      this.#kill(NO_ANSWER);
      return;
    }
    const { data } = reply;
    void this.#inTime(now.printed).then(() => {
      // The process may have ended meanwhile, which has answered the evaluation.
      if (this.#evaluation !== now) return;
      const printed = { ...this.#printed(now.startedAt), displays: data.displays };
      this.#finish(
        now,
        data.ok
          ? { kind: 'value', result: data.result ?? null, type: data.type, ...printed }
          : { kind: 'failed', error: data.error, stopped: data.interrupted ? now.stop : null, ...printed },
        data.ok ? data.names : [],
      );
    });
  }

  #inTime(printed: Promise<unknown>): Promise<unknown> {
    let markTimer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      markTimer = setTimeout(resolve, MARK_MS);
    });
    return Promise.race([printed, timeout, this.ended]).finally(() => clearTimeout(markTimer));
  }

  #finish(now: Evaluation, answer: InspectAnswer, names: readonly string[] = []): void {
    clearTimeout(now.timer);
    now.ladder?.stop();
    this.#evaluation = null;
    now.finish(answer, names);
  }

  #printed(startedAt: number) {
    const { stdout, stderr } = this.#streams;
    const durationMs = performance.now() - startedAt;
    return { stdout: stdout.take(), stderr: stderr.take(), displays: [], durationMs };
  }

  #kill(reason: string): void {
    this.#reason ??= reason;
    this.#process.signal('SIGKILL');
  }

  /** Answers everything that waits with the reason why the process ended. */
  #end(end: RunEnd): string {
    const now = this.#evaluation;
    const reason = this.#reason ?? describeEnd(end, now?.stop ?? null);
    this.#endMessage = reason;
    this.#begin({ kind: 'failed', message: withStderr(reason, this.#streams.stderr) });
    if (now !== null) this.#finish(now, { kind: 'ended', error: reason, ...this.#printed(now.startedAt) });
    return reason;
  }
}

function describeEnd(end: RunEnd, stop: Stop | null): string {
  if (stop === 'asked') return 'The console did not stop and was closed. Its values are gone.';
  if (stop === 'timeout') {
    return `The expression ran longer than ${INSPECT_EVAL_MS / 1000} s and did not stop, so the console was closed. Its values are gone.`;
  }
  if (end.kind === 'code') return `The console's process ended itself (exit code ${end.code}).`;
  if (end.kind === 'signal') {
    const hint = end.signal === 'SIGKILL' ? ' Usually this means that the machine ran out of memory.' : '';
    return `The console's process was ended by ${end.signal}.${hint}`;
  }
  return end.message;
}

/** Adds the last lines of stderr of a process that never became ready. */
function withStderr(why: string, stderr: MarkedStream): string {
  const lines = stderr.take().trimEnd().split('\n').slice(-5).join('\n');
  return lines === '' ? why : `${why}\n${lines}`;
}
