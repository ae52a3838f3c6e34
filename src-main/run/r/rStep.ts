import type { Executor } from '../../exec/executor.ts';
import type { LanguageStep } from '../languageStep.ts';
import { runInProcess } from '../runStep.ts';

export interface RStepOptions {
  readonly runner: Pick<Executor, 'run'>;
  /** The Rscript to run with now, or why there is none and what to do. */
  readonly findRscript: () => Promise<{ readonly path: string } | { readonly message: string }>;
}

/**
 * Runs R cells with the same features as Python cells (cache, console, cancel, mounts, timeout), in a process
 * of R.
 */
export function createRStep({ runner, findRscript }: RStepOptions): LanguageStep {
  return async (tools, request, options) => {
    // Looked up only for a real run: a stored result needs no R.
    const executor: Pick<Executor, 'run'> = {
      async run(execRequest, runOptions) {
        const rscript = await findRscript();
        if ('message' in rscript) {
          return {
            kind: 'crashed',
            message: rscript.message,
            method: 'cold',
            durationMs: 0,
            stdout: '',
            stderr: '',
          };
        }
        const interpreter = { path: rscript.path, identity: rscript.path };
        return runner.run({ ...execRequest, language: 'r', interpreter }, runOptions);
      },
    };
    return runInProcess({ ...tools, executor }, request, options);
  };
}
