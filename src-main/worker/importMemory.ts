import type { PythonInterpreter } from '../exec/executor.ts';
import { keepLatest } from '../lib/keepLatest.ts';

/** Of one environment; what is imported beyond that many is imported by each cell itself. */
const MAX_NAMES = 40;

/** Environments whose imports are remembered. */
const MAX_ENVIRONMENTS = 64;

/**
 * What cells of an environment have imported so far, so that its warm process holds it for the next ones: a cell that
 * imports pandas spends most of its time on that.
 */
export interface ImportMemory {
  /** Told of a cell once it ran well. */
  remember(interpreter: PythonInterpreter, source: string): void;
  /** The environment's warm process was ended: the next cell there brings it up again, unless it was too large. */
  cooled(identity: string, how: { readonly isTooLarge: boolean }): void;
}

/** @param prepare brings a warm process up that has these modules; may fail, and then cells import by themselves */
export function createImportMemory(
  prepare: (interpreter: PythonInterpreter, imports: readonly string[]) => void,
): ImportMemory {
  const known = new Map<string, { readonly names: Set<string>; state: 'warm' | 'cooled' | 'too large' }>();
  return {
    remember(interpreter, source) {
      const { identity } = interpreter;
      const one = known.get(identity) ?? { names: new Set<string>(), state: 'warm' };
      const { names } = one;
      const before = one.state === 'cooled' ? 0 : names.size;
      for (const name of importedBy(source)) if (names.size < MAX_NAMES) names.add(name);
      keepLatest(known, [identity, one], MAX_ENVIRONMENTS);
      if (one.state === 'too large' || names.size <= before) return;
      one.state = 'warm';
      prepare(interpreter, [...names].sort());
    },
    cooled(identity, { isTooLarge }) {
      const one = known.get(identity);
      if (one !== undefined) one.state = isTooLarge ? 'too large' : 'cooled';
    },
  };
}

/**
 * Names of the packages that lines of a text import. A worker has no parser: a line inside a string may be taken for
 * one, which costs the warm process an import that fails or is not needed, and no cell anything.
 */
export function importedBy(source: string): readonly string[] {
  const names = new Set<string>();
  for (const [, list = '', from] of source.matchAll(
    /^[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+([A-Za-z_]\w*)[\w.]*[ \t]+import\b)/gm,
  )) {
    const found =
      from === undefined ? list.split(',').map((one) => /^\s*([A-Za-z_]\w*)/.exec(one)?.[1]) : [from];
    for (const name of found) if (name !== undefined) names.add(name);
  }
  return [...names];
}
