import type { Executor } from '../exec/executor.ts';
import type { SessionState } from './state.ts';

/** Brings the warm interpreter up before the first run asks for it; a failure only makes that run cold. */
export function warmUp(
  state: SessionState,
  options: { readonly executor: Executor; readonly onFailure: (error: unknown) => void },
): void {
  const { interpreter } = state.environment;
  if (interpreter === null) return;
  // A module of the folder may change between two runs; what it hides of an installed one must not be loaded either.
  const local = new Set(Array.from(state.modules.files.keys(), (path) => path.replace(/(\/.*|\.py)$/, '')));
  const imports = new Set(
    [...state.cells.values()].flatMap((cell) => cell.analysis.imports).filter((name) => !local.has(name)),
  );
  options.executor.prepare(interpreter, [...imports].sort()).catch(options.onFailure);
}
