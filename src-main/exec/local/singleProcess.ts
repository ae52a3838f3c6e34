/** A Python process that runs one cell: started for it, or waiting as a spare. */

import { GuardedProcess, type GuardedProcessOptions, pythonLaunch } from './guardedProcess.ts';
import type { OnOutput, RunningCell } from './runningCell.ts';
import { SingleUse } from './singleUse.ts';

export type SingleProcessOptions = GuardedProcessOptions;

/** What a waiting process has loaded. */
interface Loaded {
  readonly imports: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * One interpreter for one run. It either gets its manifest at its start (`once`), or is started in advance with
 * the imports loaded (`spare`), becomes `ready`, and gets its manifest later. The other side is
 * harness/python/harness.py.
 */
export class SingleProcess extends SingleUse {
  readonly #process: GuardedProcess;

  private constructor(args: readonly string[], options: SingleProcessOptions) {
    const process = new GuardedProcess(pythonLaunch(args, options), {
      onControl: (chunk) => {
        for (const word of chunk.toString('latin1').split('\n')) this.onStatus(word);
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

  /** Gives a ready spare its manifest. Call it once. */
  run(manifest: string, onOutput: OnOutput): RunningCell {
    this.#process.send({ manifest });
    return this.asRun('warm', onOutput);
  }
}
