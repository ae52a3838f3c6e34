/** Runs an R cell as one step of a run, in a process of R. */

import type { Executor } from '../../exec/executor.ts';
import { type CodeRunner, noInterpreter } from '../codeRunner.ts';
import { runInProcess } from '../runInProcess.ts';
import type { LanguageStep } from '../stepTools.ts';

interface RStepOptions {
  readonly runner: Pick<Executor, 'run'>;
  /** The Rscript to run with now, or why there is none and what to do. */
  readonly findRscript: () => Promise<{ readonly path: string } | { readonly message: string }>;
}

/**
 * Runs R cells with the same features as Python cells (cache, console, cancel, mounts, timeout), in a process
 * of R.
 */
export function createRStep({ runner: executor, findRscript }: RStepOptions): LanguageStep<'r'> {
  // Looked up only for a real run: a stored result needs no R.
  const runner: CodeRunner = {
    async run(code, options) {
      const rscript = await findRscript();
      if ('message' in rscript) return noInterpreter(rscript.message);
      const interpreter = { path: rscript.path, identity: rscript.path };
      return executor.run({ ...code, language: 'r', interpreter }, options);
    },
  };
  return (tools, request, options) => runInProcess({ ...tools, runner }, request, options);
}
