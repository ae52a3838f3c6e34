import type { PythonInterpreter } from '../exec/executor.ts';

/** Of one environment; what is imported beyond that many is imported by each cell itself. */
const MAX_NAMES = 40;

/**
 * What cells of an environment have imported so far, so that its warm process holds it for the next ones: a cell that
 * imports pandas spends most of its time on that. Told of a cell once it ran well.
 * @param prepare brings a warm process up that has these modules; may fail, and then cells import by themselves
 */
export function createImportMemory(
  prepare: (interpreter: PythonInterpreter, imports: readonly string[]) => void,
): (interpreter: PythonInterpreter, source: string) => void {
  const known = new Map<string, Set<string>>();
  return (interpreter, source) => {
    const names = known.get(interpreter.identity) ?? new Set<string>();
    const before = names.size;
    for (const name of importedBy(source)) if (names.size < MAX_NAMES) names.add(name);
    known.set(interpreter.identity, names);
    if (names.size > before) prepare(interpreter, [...names].sort());
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
