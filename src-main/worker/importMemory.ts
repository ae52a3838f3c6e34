/** Remembers which packages the cells on a worker import, so that its warm processes load them in advance. */

import type { PythonInterpreter } from '../exec/interpreter.ts';
import { keepLatest } from '../lib/keepLatest.ts';

/** The maximum number of names per environment. Each cell imports further modules itself. */
const MAX_NAMES = 40;

/** The number of environments whose imports are remembered. */
const MAX_ENVIRONMENTS = 64;

/**
 * The modules that the cells of an environment have imported so far, so that its warm process loads them in advance: a
 * cell that imports pandas spends most of its time on that.
 */
interface ImportMemory {
  /** Call after a cell has succeeded. */
  remember(interpreter: PythonInterpreter, source: string): void;
  /**
   * Call when the environment's warm process was ended. The next cell there prepares it again, unless it was too large.
   */
  cooled(identity: string, how: { readonly isTooLarge: boolean }): void;
}

/** @param prepare starts a warm process with these modules; it may fail, and then cells import them themselves */
export function createImportMemory(
  prepare: (interpreter: PythonInterpreter, imports: readonly string[]) => void,
): ImportMemory {
  const environments = new Map<
    string,
    { readonly names: Set<string>; state: 'warm' | 'cooled' | 'too large' }
  >();
  return {
    remember(interpreter, source) {
      const { identity } = interpreter;
      const environment = environments.get(identity) ?? { names: new Set<string>(), state: 'warm' };
      const { names } = environment;
      const before = environment.state === 'cooled' ? 0 : names.size;
      for (const name of importedBy(source)) if (names.size < MAX_NAMES) names.add(name);
      keepLatest(environments, [identity, environment], MAX_ENVIRONMENTS);
      if (environment.state === 'too large' || names.size <= before) return;
      environment.state = 'warm';
      prepare(interpreter, [...names].sort());
    },
    cooled(identity, { isTooLarge }) {
      const environment = environments.get(identity);
      if (environment !== undefined) environment.state = isTooLarge ? 'too large' : 'cooled';
    },
  };
}

/**
 * The packages that a source imports. A worker has no parser, so a line inside a string may look like an import. That
 * costs the warm process an import that fails or is not needed, but affects no cell.
 */
export function importedBy(source: string): readonly string[] {
  const names = new Set<string>();
  for (const [, list = '', from] of source.matchAll(
    /^[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+([A-Za-z_]\w*)[\w.]*[ \t]+import\b)/gm,
  )) {
    const imports =
      from === undefined ? list.split(',').map((one) => /^\s*([A-Za-z_]\w*)/.exec(one)?.[1]) : [from];
    for (const name of imports) if (name !== undefined) names.add(name);
  }
  return [...names];
}
