import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTROL_FD, GuardedProcess, type Launch } from '../guardedProcess.ts';
import type { OnOutput, RunningCell } from '../runningCell.ts';
import { SingleUse } from '../singleUse.ts';

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
export class RProcess extends SingleUse {
  readonly #process: GuardedProcess;
  readonly #before: Before;
  #line = Buffer.alloc(0);

  private constructor(args: readonly string[], options: RProcessOptions) {
    // R leaves its folder of temporary files behind when it is killed.
    const temporary = mkdtempSync(join(tmpdir(), 'cellar-r-'));
    const env = { ...options.env, TMPDIR: temporary };
    const before: Before = [];
    const process = new GuardedProcess(rLaunch(args, { ...options, env }), {
      onControl: () => {},
      onOutput: (stream, bytes) => this.#hearOutput(stream, bytes),
    });
    const ended = process.ended.then(async (end) => {
      if (!this.started) for (const { stream, bytes } of before) this.output(stream, bytes);
      await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
      return end;
    });
    super(process, ended);
    this.#process = process;
    this.#before = before;
  }

  /** Starts an R that runs the manifest. */
  static once(manifest: string, options: RProcessOptions, onOutput: OnOutput): RunningCell {
    const process = new RProcess(['once', manifest], options);
    process.#process.tell('');
    return process.asRun('cold', onOutput);
  }

  /** Starts an R that loads the harness and waits. */
  static spare(options: RProcessOptions): RProcess {
    return new RProcess(['spare'], options);
  }

  /** Hands a ready spare its manifest. Once. */
  run(manifest: string, onOutput: OnOutput): RunningCell {
    this.#process.tell(`${manifest}\n`);
    return this.asRun('warm', onOutput);
  }

  #hearOutput(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    if (this.started) this.output(stream, bytes);
    else if (stream === 'stderr') this.#keep(stream, bytes);
    else this.#hearWords(bytes);
  }

  /** `ready` and `started` are lines of their own; behind the latter comes what the cell prints. */
  #hearWords(bytes: Buffer): void {
    this.#line = Buffer.concat([this.#line, bytes]);
    for (let end = this.#line.indexOf(10); end !== -1 && !this.started; end = this.#line.indexOf(10)) {
      const word = this.#line.subarray(0, end).toString('latin1').trim();
      this.#line = this.#line.subarray(end + 1);
      this.hear(word);
    }
    if (this.started && this.#line.length > 0) this.output('stdout', this.#line);
  }

  #keep(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    this.#before.push({ stream, bytes });
    while (this.#before.length > 1 && sizeOf(this.#before) > KEPT_BEFORE) this.#before.shift();
  }
}

type Before = { readonly stream: 'stdout' | 'stderr'; readonly bytes: Buffer }[];

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
