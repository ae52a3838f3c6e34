import { GuardedProcess, type GuardedProcessOptions, pythonLaunch } from './guardedProcess.ts';
import type { OnOutput, RunningCell } from './runningCell.ts';
import { SingleUse } from './singleUse.ts';

export type SingleProcessOptions = GuardedProcessOptions;

/** What a process that waits for its run has done before. */
interface Loaded {
  readonly imports: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * One interpreter for one run. Either told its manifest at birth (`once`), or started ahead of need with
 * the imports loaded (`spare`), then `ready`, then told. The other side is harness/python/harness.py.
 */
export class SingleProcess extends SingleUse {
  readonly #process: GuardedProcess;

  private constructor(args: readonly string[], options: SingleProcessOptions) {
    const process = new GuardedProcess(pythonLaunch(args, options), {
      onControl: (chunk) => {
        for (const word of chunk.toString('latin1').split('\n')) this.hear(word);
      },
      onOutput: (stream, bytes) => this.output(stream, bytes),
    });
    super(process, process.ended);
    this.#process = process;
  }

  /** Starts a fresh interpreter that runs the manifest. */
  static once(manifest: string, options: SingleProcessOptions, onOutput: OnOutput): RunningCell {
    return new SingleProcess(['once', manifest], options).asRun('cold', onOutput);
  }

  /** Starts an interpreter that sets the variables, loads the imports and waits. */
  static spare({ imports, variables }: Loaded, options: SingleProcessOptions): SingleProcess {
    const single = new SingleProcess(['spare'], options);
    single.#process.send({ imports, env: variables });
    return single;
  }

  /** Hands a ready spare its manifest. Once. */
  run(manifest: string, onOutput: OnOutput): RunningCell {
    this.#process.send({ manifest });
    return this.asRun('warm', onOutput);
  }
}
