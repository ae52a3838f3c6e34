/** Starts one R process for one run, and talks to the R harness in it. */

import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTROL_FD, GuardedProcess, type Launch } from '../guardedProcess.ts';
import type { OnOutput, RunningCell } from '../runningCell.ts';
import { SingleUse } from '../singleUse.ts';

export interface RProcessOptions {
  readonly rscript: string;
  /** The path of `harness/r/harness.R`. */
  readonly harness: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How many bytes of output from before the cell are kept, to explain why it did not start. */
const KEPT_BEFORE = 20_000;

/**
 * One R for one run. It gets its manifest at its start (`once`), or is started in advance and gets it on standard input
 * (`spare`). Its output before `started` is status, not output of the cell. The other side is harness/r/harness.R.
 */
export class RProcess extends SingleUse {
  readonly #process: GuardedProcess;
  readonly #before: Before;
  #line = Buffer.alloc(0);

  private constructor(args: readonly string[], options: RProcessOptions) {
    // R does not remove its folder of temporary files when it is killed.
    const temporary = mkdtempSync(join(tmpdir(), 'cellar-r-'));
    const env = { ...options.env, TMPDIR: temporary };
    const before: Before = [];
    const process = new GuardedProcess(rLaunch(args, { ...options, env }), {
      onControl: () => {},
      onOutput: (stream, bytes) => this.#onOutput(stream, bytes),
    });
    const processEnd = process.ended.then(async (end) => {
      if (!this.started) for (const { stream, bytes } of before) this.output(stream, bytes);
      await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
      return end;
    });
    super(process, processEnd);
    this.#process = process;
    this.#before = before;
  }

  /** Starts an R that runs the manifest. */
  static once(manifest: string, options: RProcessOptions, onOutput: OnOutput): RunningCell {
    const process = new RProcess(['once', manifest], options);
    process.#process.writeStdin('');
    return process.asRun('cold', onOutput);
  }

  /** Starts an R that loads the harness and waits. */
  static spare(options: RProcessOptions): RProcess {
    return new RProcess(['spare'], options);
  }

  /** Gives a ready spare its manifest. Call it once. */
  run(manifest: string, onOutput: OnOutput): RunningCell {
    this.#process.writeStdin(`${manifest}\n`);
    return this.asRun('warm', onOutput);
  }

  #onOutput(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    if (this.started) this.output(stream, bytes);
    else if (stream === 'stderr') this.#store(stream, bytes);
    else this.#readStatus(bytes);
  }

  /** `ready` and `started` are separate lines; after `started` comes what the cell prints. */
  #readStatus(bytes: Buffer): void {
    this.#line = Buffer.concat([this.#line, bytes]);
    for (let end = this.#line.indexOf(10); end !== -1 && !this.started; end = this.#line.indexOf(10)) {
      const word = this.#line.subarray(0, end).toString('latin1').trim();
      this.#line = this.#line.subarray(end + 1);
      this.onStatus(word);
    }
    if (this.started && this.#line.length > 0) this.output('stdout', this.#line);
  }

  #store(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    this.#before.push({ stream, bytes });
    while (this.#before.length > 1 && sizeOf(this.#before) > KEPT_BEFORE) this.#before.shift();
  }
}

type Before = { readonly stream: 'stdout' | 'stderr'; readonly bytes: Buffer }[];

function sizeOf(pieces: readonly { readonly bytes: Buffer }[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/**
 * The shell leaves a guard process in the group before it becomes R, since base R cannot watch the control socket. The
 * guard waits in `read` until the server's end of the socket closes, then kills the group.
 */
const GUARDED = `(trap '' INT TERM HUP; read -r _ <&${CONTROL_FD}; kill -KILL 0) </dev/null >/dev/null 2>&1 & exec "$@" ${CONTROL_FD}<&-`;

function rLaunch(args: readonly string[], { rscript, harness, env, cwd }: RProcessOptions): Launch {
  const line = [rscript, '--vanilla', harness, ...args];
  const common = { env, cwd, stdin: 'pipe', program: rscript } as const;
  const [file = '', ...rest] = line;
  if (process.platform === 'win32') return { ...common, file, args: rest };
  return { ...common, file: '/bin/sh', args: ['-c', GUARDED, 'sh', ...line] };
}
