import { randomBytes } from 'node:crypto';
import { CANCEL_LADDER, climb } from '../../lib/processGroup.ts';
import { setupPart } from '../bundle.ts';
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
import { GuardedProcess, type GuardedProcessOptions, pythonLaunch } from './guardedProcess.ts';
import { JsonLines } from './jsonLines.ts';
import { MarkedStream } from './markedStream.ts';
import type { RunEnd } from './runningCell.ts';

/** What is kept of what one evaluation prints, of each stream. */
const KEPT_BYTES = 64 * 1024;
/** Longest line of the harness: its answers hold at most 8 MiB of pictures, and previews. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** How long the end of a stream is waited for after the answer: it may have been closed. */
const MARK_MS = 500;

const NO_ANSWER = 'The console was closed because it sent an invalid answer.';

type Stop = 'asked' | 'timeout';

/** What the process is asked: an expression, or what may follow a text. */
type Question = { readonly expr: string } | { readonly complete: string };

/** What is being evaluated. */
interface Evaluation {
  readonly startedAt: number;
  /** Both streams have come to its mark. */
  readonly printed: Promise<unknown>;
  readonly finish: (answer: InspectAnswer, names: readonly string[]) => void;
  readonly timer: NodeJS.Timeout;
  /** The process has said that it evaluates: a signal before that would be lost on it. */
  began: boolean;
  ladder: { stop(): void } | null;
  stop: Stop | null;
}

/** A console's process (harness/python/svc_harness/inspecting.py): started, told the values, asked line by line. */
export class InspectProcess implements Inspection {
  readonly started: Promise<InspectStart>;
  readonly ended: Promise<string>;
  readonly #process: GuardedProcess;
  readonly #streams = { stdout: new MarkedStream(KEPT_BYTES), stderr: new MarkedStream(KEPT_BYTES) };
  #begin: (start: InspectStart) => void = () => {};
  #now: Evaluation | null = null;
  /** Evaluations asked for and not begun here. */
  #coming = 0;
  /** A stop came before what it was meant for had begun. */
  #stopNext = false;
  #turn: Promise<unknown>;
  #over: string | null = null;
  /** Why it was ended from here, where it was. */
  #reason: string | null = null;

  constructor(request: InspectRequest, options: GuardedProcessOptions) {
    const lines = new JsonLines({
      limit: MAX_LINE_BYTES,
      onLine: (value) => this.#hear(value),
      onBroken: () => this.#kill(NO_ANSWER),
    });
    this.#process = new GuardedProcess(pythonLaunch(['inspect'], options), {
      onControl: (chunk) => lines.push(chunk),
      onOutput: (stream, bytes) => this.#streams[stream].push(bytes),
    });
    const first = new Promise<InspectStart>((resolve) => {
      this.#begin = resolve;
    });
    const late = setTimeout(
      () => this.#kill(`The values did not load within ${INSPECT_START_MS / 1000} s.`),
      INSPECT_START_MS,
    );
    this.started = first.finally(() => clearTimeout(late));
    this.#turn = this.started;
    this.ended = this.#process.ended.then((end) => this.#end(end));
    const { inputs, mounts, tables, env, cwd, cellId, notebookId, setup } = request;
    this.#process.send({
      inputs,
      mounts,
      tables,
      env,
      cwd,
      svc_cell_id: cellId,
      svc_notebook_id: notebookId,
      ...(setup == null ? {} : { setup: setupPart(setup) }),
    });
  }

  evaluate(expr: string): Promise<InspectAnswer> {
    this.#coming += 1;
    const asked = this.#turn.then(() => {
      this.#coming -= 1;
      return this.#ask({ expr }, INSPECT_EVAL_MS);
    });
    this.#turn = asked;
    return asked.then(({ answer }) => answer);
  }

  complete(text: string): Promise<readonly string[]> {
    const asked = this.#turn.then(() => this.#ask({ complete: text }, INSPECT_COMPLETE_MS));
    this.#turn = asked;
    return asked.then(({ names }) => names);
  }

  interrupt(): void {
    if (this.#now === null) this.#stopNext = this.#coming > 0;
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
      if (this.#over !== null) {
        finish({ kind: 'ended', error: this.#over, ...this.#printed(startedAt) });
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
        [stdout, stderr].map((stream) => new Promise<void>((found) => stream.until(mark, found))),
      );
      this.#now = { startedAt, printed, finish, timer, began: false, ladder: null, stop: null };
      this.#process.send({ ...question, mark });
    });
  }

  #stop(why: Stop): void {
    const now = this.#now;
    if (now === null || now.stop !== null) return;
    now.stop = why;
    if (now.began || why === 'timeout') this.#climb(now);
  }

  #climb(now: Evaluation): void {
    now.ladder = climb(CANCEL_LADDER, (signal) => this.#process.signal(signal));
  }

  #hear(value: unknown): void {
    const ready = inspectReady.safeParse(value);
    if (ready.success) {
      this.#begin({ kind: 'ready', unread: ready.data.unread });
      return;
    }
    const now = this.#now;
    if (now !== null && inspectBegan.safeParse(value).success) {
      now.began = true;
      if (now.stop !== null && now.ladder === null) this.#climb(now);
      return;
    }
    const reply = inspectReply.safeParse(value);
    if (now === null && reply.success && !reply.data.ok) {
      // Its set-up cell failed before the values were read.
      this.#kill(reply.data.error);
      return;
    }
    if (!reply.success || now === null) {
      this.#kill(NO_ANSWER);
      return;
    }
    const { data } = reply;
    void this.#inTime(now.printed).then(() => {
      // It may have ended meanwhile, and been answered by that.
      if (this.#now !== now) return;
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
    let late: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      late = setTimeout(resolve, MARK_MS);
    });
    return Promise.race([printed, enough, this.ended]).finally(() => clearTimeout(late));
  }

  #finish(now: Evaluation, answer: InspectAnswer, names: readonly string[] = []): void {
    clearTimeout(now.timer);
    now.ladder?.stop();
    this.#now = null;
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

  /** Nothing of it is left: whoever waits is told why. */
  #end(end: RunEnd): string {
    const now = this.#now;
    const why = this.#reason ?? wordsOf(end, now?.stop ?? null);
    this.#over = why;
    this.#begin({ kind: 'failed', message: withLastWords(why, this.#streams.stderr) });
    if (now !== null) this.#finish(now, { kind: 'ended', error: why, ...this.#printed(now.startedAt) });
    return why;
  }
}

function wordsOf(end: RunEnd, stop: Stop | null): string {
  if (stop === 'asked') return 'The console did not stop and was closed. Its values are gone.';
  if (stop === 'timeout') {
    return `The expression ran longer than ${INSPECT_EVAL_MS / 1000} s and did not stop, so the console was closed. Its values are gone.`;
  }
  if (end.kind === 'code') return `The console's process ended itself (exit code ${end.code}).`;
  if (end.kind === 'signal') {
    const guess = end.signal === 'SIGKILL' ? ' Usually this means that the machine ran out of memory.' : '';
    return `The console's process was ended by ${end.signal}.${guess}`;
  }
  return end.message;
}

/** What a process that never came up said on its way down. */
function withLastWords(why: string, stderr: MarkedStream): string {
  const lines = stderr.take().trimEnd().split('\n').slice(-5).join('\n');
  return lines === '' ? why : `${why}\n${lines}`;
}
