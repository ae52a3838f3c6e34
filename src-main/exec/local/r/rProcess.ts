import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTROL_FD, GuardedProcess, type Launch } from '../guardedProcess.ts';
import type { OnOutput, RunEnd, RunningCell } from '../runningCell.ts';

export interface RProcessOptions {
  readonly rscript: string;
  /** `harness/r/harness.R`. */
  readonly harness: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Of what R says before the cell begins, kept to explain why it never did. */
const KEPT_BEFORE = 20_000;

/**
 * One R for one run: told its manifest at birth (`once`), or started ahead of need and told on standard input
 * (`spare`). What it says on its output before `started` is between it and us; the other side is harness/r/harness.R.
 */
export class RProcess {
  /** How the process ended; its group, whatever left the group and its temporary files are gone by then. */
  readonly ended: Promise<RunEnd>;
  readonly #process: GuardedProcess;
  readonly #before: { stream: 'stdout' | 'stderr'; bytes: Buffer }[] = [];
  #line = Buffer.alloc(0);
  #waiting: OnOutput | null = null;
  #ready = false;
  #started = false;
  #onReady: (() => void) | null = null;

  private constructor(args: readonly string[], options: RProcessOptions) {
    // R leaves its folder of temporary files behind when it is killed.
    const temporary = mkdtempSync(join(tmpdir(), 'cellar-r-'));
    const env = { ...options.env, TMPDIR: temporary };
    this.#process = new GuardedProcess(rLaunch(args, { ...options, env }), {
      onControl: () => {},
      onOutput: (stream, bytes) => this.#hear(stream, bytes),
    });
    this.ended = this.#end(temporary);
  }

  /** Starts an R that runs the manifest. */
  static once(manifest: string, options: RProcessOptions, onOutput: OnOutput): RunningCell {
    const process = new RProcess(['once', manifest], options);
    process.#waiting = onOutput;
    process.#process.tell('');
    return process.#asRun('cold');
  }

  /** Starts an R that loads the harness and waits. */
  static spare(options: RProcessOptions): RProcess {
    return new RProcess(['spare'], options);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** A spare that waits for its one manifest. */
  get ready(): boolean {
    return this.#ready && this.#process.alive;
  }

  /** Resolves when `ready`, or when the process has ended instead. */
  settled(): Promise<void> {
    if (this.#ready) return Promise.resolve();
    const ready = new Promise<void>((resolve) => {
      this.#onReady = resolve;
    });
    return Promise.race([ready, this.ended.then(() => {})]);
  }

  /** Hands a ready spare its manifest. Once. */
  run(manifest: string, onOutput: OnOutput): RunningCell {
    this.#waiting = onOutput;
    this.#process.tell(`${manifest}\n`);
    return this.#asRun('warm');
  }

  /** Ends the process and everything it started. */
  kill(): void {
    this.#process.signal('SIGKILL');
  }

  #asRun(method: 'warm' | 'cold'): RunningCell {
    const hasStarted = () => this.#started;
    return {
      method,
      get started() {
        return hasStarted();
      },
      ended: this.ended,
      signal: (signal) => this.#process.signal(signal),
      pause: (paused) => this.#process.pause(paused),
    };
  }

  #hear(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    if (this.#started) this.#waiting?.(stream, bytes);
    else if (stream === 'stderr') this.#keep(stream, bytes);
    else this.#hearWords(bytes);
  }

  /** `ready` and `started` are lines of their own; behind the latter comes what the cell prints. */
  #hearWords(bytes: Buffer): void {
    this.#line = Buffer.concat([this.#line, bytes]);
    for (let end = this.#line.indexOf(10); end !== -1; end = this.#line.indexOf(10)) {
      const word = this.#line.subarray(0, end).toString('latin1').trim();
      this.#line = this.#line.subarray(end + 1);
      if (word === 'ready') {
        this.#ready = true;
        this.#onReady?.();
      } else if (word === 'started') {
        this.#started = true;
        if (this.#line.length > 0) this.#waiting?.('stdout', this.#line);
        return;
      }
    }
  }

  #keep(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    this.#before.push({ stream, bytes });
    while (this.#before.length > 1 && sizeOf(this.#before) > KEPT_BEFORE) this.#before.shift();
  }

  async #end(temporary: string): Promise<RunEnd> {
    const end = await this.#process.ended;
    if (!this.#started) for (const { stream, bytes } of this.#before) this.#waiting?.(stream, bytes);
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
    return end;
  }
}

function sizeOf(pieces: readonly { readonly bytes: Buffer }[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/**
 * Before the shell becomes R it leaves a guard in the group: base R cannot watch the control socket itself. The guard
 * sleeps in `read` until the server's end of the socket closes, then kills the group.
 */
const GUARDED = `(trap '' INT TERM HUP; read -r _ <&${CONTROL_FD}; kill -KILL 0) </dev/null >/dev/null 2>&1 & exec "$@" ${CONTROL_FD}<&-`;

function rLaunch(args: readonly string[], { rscript, harness, env, cwd }: RProcessOptions): Launch {
  const line = [rscript, '--vanilla', harness, ...args];
  const common = { env, cwd, stdin: 'pipe', program: rscript } as const;
  const [file = '', ...rest] = line;
  if (process.platform === 'win32') return { ...common, file, args: rest };
  return { ...common, file: '/bin/sh', args: ['-c', GUARDED, 'sh', ...line] };
}
