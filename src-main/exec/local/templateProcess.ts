/** The template: a warm Python process that forks one child per run of a cell. This class starts it and talks to it. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { killMarked } from '../../lib/killMarked.ts';
import { type StopSignal, signalGroup } from '../../lib/processGroup.ts';
import { RUN_MARKER_VARIABLE } from './childEnvironment.ts';
import { FRAME, type Frame, FrameReader } from './frames.ts';
import type { OnOutput, RunEnd, RunningCell } from './runningCell.ts';

/** A forked child that reports nothing within this counts as stuck (a lock held during the fork) and is withdrawn. */
const START_LIMIT_MS = 1_000;
/** A template that does not confirm the withdrawal within this counts as hung. */
const ANSWER_LIMIT_MS = 3_000;
/** How long to read what a template wrote before it ended. */
const LAST_WORDS_MS = 1_000;
/** Imports that take longer are abandoned; the cells import the modules. */
const LOAD_LIMIT_MS = 60_000;
/** How much of the imports' output is kept, for the error when a template does not start. */
const LOG_CHARS = 8_192;

interface TemplateOptions {
  readonly python: string;
  readonly harness: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly imports: readonly string[];
  /** Set before anything is imported. Absent: none. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** One run of this template, from the request to its `exited` frame. */
interface Fork {
  readonly marker: string;
  readonly onOutput: OnOutput;
  pid: number | null;
  started: boolean;
  /** Whether the template was asked to withdraw the run unless it has started. */
  withdrawn: boolean;
  watchdog: NodeJS.Timeout;
  end(end: RunEnd): void;
}

/**
 * The template process of one environment: an interpreter with the notebook's imports loaded that forks a
 * child per run. The other side is harness/python/svc_harness/template.py.
 *
 * States: loading → ready → retiring (no new runs; ends with the last one) → gone. The process may end at any time;
 * its runs then end as `lost`. It is never restarted here: its owner starts another.
 */
export class TemplateProcess {
  /** Rejects when the process ends before it is ready. */
  readonly ready: Promise<void>;
  readonly gone: Promise<void>;
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #forks = new Map<number, Fork>();
  readonly #frames = new FrameReader();
  #state: 'loading' | 'ready' | 'retiring' | 'gone' = 'loading';
  #nextRun = 1;
  #paused = new Set<number>();
  #log = '';
  #settleReady: { resolve(): void; reject(error: Error): void } = { resolve() {}, reject() {} };

  constructor(options: TemplateOptions) {
    this.#process = spawn(options.python, ['-I', '-X', 'utf8', options.harness, 'template'], {
      cwd: options.cwd,
      // The child overwrites the marker's value in place, so it needs its full length from the start.
      env: { ...options.env, [RUN_MARKER_VARIABLE]: '0'.repeat(32) },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
    this.ready.catch(() => {}); // Callers that await it get the error; without one this prevents an unhandled rejection.
    const limit = setTimeout(() => this.kill(), LOAD_LIMIT_MS);
    const stopTimer = () => clearTimeout(limit);
    this.ready.then(stopTimer, stopTimer);
    this.gone = new Promise((resolve) => {
      const end = (why: string) => {
        void this.#end(why).then(resolve);
      };
      this.#process.once('error', (error) => end(error.message));
      this.#process.once('exit', (code, signal) => {
        // Its last output says whether a cell had begun: such a cell must not run again.
        this.#process.stdout.resume();
        const close = () => end(signal === null ? `exit code ${code}` : signal);
        const limit = setTimeout(close, LAST_WORDS_MS);
        this.#process.once('close', () => {
          clearTimeout(limit);
          close();
        });
      });
    });
    this.#process.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#process.stderr.on('data', (chunk: Buffer) => {
      this.#log = (this.#log + chunk.toString('utf8')).slice(-LOG_CHARS);
    });
    // A broken pipe means that the process ended, which `exit` reports.
    this.#process.stdin.on('error', () => {});
    this.#send({ imports: options.imports, env: options.variables ?? {} });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get usable(): boolean {
    return this.#state === 'ready';
  }

  get alive(): boolean {
    return this.#state === 'loading' || this.#state === 'ready';
  }

  /** Forks a child for the manifest. Only call it when `usable`. */
  run(manifest: string, onOutput: OnOutput): RunningCell {
    const number = this.#nextRun++;
    const marker = randomBytes(16).toString('hex');
    const runEnd = new Promise<RunEnd>((resolve) => {
      this.#forks.set(number, {
        marker,
        onOutput,
        pid: null,
        started: false,
        withdrawn: false,
        watchdog: setTimeout(() => this.#stuck(number), START_LIMIT_MS),
        end: (end) => {
          const fork = this.#forks.get(number);
          if (fork === undefined) return;
          clearTimeout(fork.watchdog);
          this.#forks.delete(number);
          this.#pause(number, false);
          resolve(end);
          if (this.#state === 'retiring' && this.#forks.size === 0) this.#process.stdin.end();
        },
      });
    });
    this.#send({ run: number, manifest, marker });
    const forks = this.#forks;
    const signal = (name: StopSignal) => {
      const fork = forks.get(number);
      if (fork === undefined) return;
      // The template knows whether the group still exists, so a reused number never gets a signal.
      this.#send({ run: number, signal: constants.signals[name] });
    };
    let hasStarted = false;
    // The map loses the entry with the end of the run.
    const entry = forks.get(number);
    return {
      method: 'warm',
      get pid() {
        return entry?.pid ?? null;
      },
      get started() {
        hasStarted = forks.get(number)?.started ?? hasStarted;
        return hasStarted;
      },
      ended: runEnd,
      signal,
      pause: (paused) => this.#pause(number, paused),
    };
  }

  /** Accepts no more runs; the process ends after the last one. */
  retire(): void {
    if (!this.alive) return;
    if (this.#forks.size === 0) this.kill();
    else this.#state = 'retiring';
  }

  /** Ends the process and its runs now. */
  kill(): void {
    if (this.#state === 'gone') return;
    this.#state = 'retiring';
    const { pid } = this.#process;
    if (this.#forks.size === 0 && pid !== undefined) {
      // No run depends on it, and during its imports it would not react for a second.
      signalGroup(pid, 'SIGKILL');
      return;
    }
    // When its input ends it kills its children's groups; the timer is for a template that does not react.
    this.#process.stdin.end();
    const killTimer = setTimeout(() => this.#process.kill('SIGKILL'), 1_000);
    void this.gone.then(() => clearTimeout(killTimer));
  }

  #send(message: object): void {
    if (this.#process.stdin.writable) this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #read(chunk: Buffer): void {
    try {
      this.#frames.push(chunk, (frame) => this.#onFrame(frame));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#process.kill('SIGKILL');
    }
  }

  #onFrame({ type, run, payload }: Frame): void {
    const fork = this.#forks.get(run);
    switch (type) {
      case FRAME.ready:
        if (this.#state === 'loading') this.#state = 'ready';
        this.#settleReady.resolve();
        return;
      case FRAME.forked:
        if (fork !== undefined) fork.pid = payload.readUInt32LE(0);
        return;
      case FRAME.started:
        if (fork === undefined) return;
        fork.started = true;
        clearTimeout(fork.watchdog);
        return;
      case FRAME.out:
        fork?.onOutput('stdout', payload);
        return;
      case FRAME.err:
        fork?.onOutput('stderr', payload);
        return;
      case FRAME.exited:
        fork?.end(endOf(payload));
        return;
      default:
        throw new RangeError(`unknown frame ${type}`);
    }
  }

  #stuck(run: number): void {
    const fork = this.#forks.get(run);
    if (fork === undefined) return;
    if (fork.withdrawn) {
      // The template itself hangs. Its other runs are lost too.
      this.#process.kill('SIGKILL');
      return;
    }
    // On a busy machine the `started` frame may be unread: the template withdraws only a child that has not begun.
    fork.withdrawn = true;
    this.#send({ run, withdraw: true });
    fork.watchdog = setTimeout(() => this.#stuck(run), ANSWER_LIMIT_MS);
  }

  /** Several runs share one pipe, which is read only while none of them is paused. */
  #pause(run: number, paused: boolean): void {
    if (paused) this.#paused.add(run);
    else this.#paused.delete(run);
    if (this.#paused.size > 0) this.#process.stdout.pause();
    else this.#process.stdout.resume();
  }

  async #end(why: string): Promise<void> {
    this.#state = 'gone';
    const forks = [...this.#forks.values()];
    for (const fork of forks) if (fork.pid !== null) signalGroup(fork.pid, 'SIGKILL');
    await Promise.all(forks.map((fork) => killMarked(RUN_MARKER_VARIABLE, fork.marker)));
    const message = `The Python process this notebook's cells are started from ended (${why}), and this run with it.`;
    for (const fork of forks) fork.end({ kind: fork.started ? 'lost' : 'not_started', message });
    this.#settleReady.reject(new Error(`the template ended (${why}) ${this.#log}`.trim()));
  }
}

function endOf(payload: Buffer): RunEnd {
  const status: unknown = JSON.parse(payload.toString('utf8'));
  if (typeof status === 'object' && status !== null) {
    if ('not_started' in status) return { kind: 'not_started', message: String(status.not_started) };
    if ('code' in status && typeof status.code === 'number') return { kind: 'code', code: status.code };
    if ('signal' in status && typeof status.signal === 'number') {
      const { signal: number } = status;
      const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
      return { kind: 'signal', signal: name ?? String(number) };
    }
  }
  throw new RangeError('an EXITED frame without a status');
}
