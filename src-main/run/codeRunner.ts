/** Runs a cell's code in the interpreter of its language; steps use it without knowing which interpreter that is. */

import type { ExecOutcome, ExecRequest, Executor, RunOptions } from '../exec/executor.ts';
import type { PythonInterpreter } from '../exec/interpreter.ts';

/** A request to run a cell's code, without the interpreter, which its language chooses. */
export type CodeRun = Omit<ExecRequest, 'language' | 'interpreter'>;

/** Starts the processes of one cell, in the interpreter of its language. */
export interface CodeRunner {
  run(code: CodeRun, options: RunOptions): Promise<ExecOutcome>;
}

/** A run that ended because its interpreter is missing. */
export function noInterpreter(message: string): ExecOutcome {
  return { kind: 'crashed', message, method: 'cold', durationMs: 0, stdout: '', stderr: '' };
}

/** Runs code in this Python. */
export function pythonRunner(
  executor: Pick<Executor, 'run'>,
  interpreter: PythonInterpreter | null,
): CodeRunner {
  return {
    async run(code, options) {
      if (interpreter === null)
        return noInterpreter(
          'The notebook’s Python environment is not ready. Create it first (Environment panel).',
        );
      return executor.run({ ...code, language: 'python', interpreter }, options);
    },
  };
}
