/**
 * The names that a cell's definitions need when other cells use them: the names its functions and classes read, and for
 * every other definition the reads of the code it may hold. The graph binds these names where the code is called
 * (src-shared/notebook/forwardNames.ts).
 */
import type { CodeReads, GivenCode } from '../../../src-shared/notebook/forwardNames.ts';
import { definitionsOf, type Facts, factsOf, reachableNames } from './judgeSharedCode.ts';
import { CODE_KINDS, type SharedCode, SLICE_KINDS, type Statement } from './sharedCode.ts';

/** The parts of a cell's analysis that are needed here. */
interface CodeCell {
  readonly sharedCode: SharedCode | null;
  readonly defines: readonly string[];
  readonly references: readonly string[];
  readonly importedNames: readonly string[];
}

/** Cached results, by shared code or, without any, by the array of references. */
const cache = new WeakMap<object, GivenCode>();
const NOTHING: GivenCode = new Map();

/** The code reads of a Python cell; names that need nothing from other cells are absent. */
export function codeReadsOf(cell: CodeCell): GivenCode {
  const { sharedCode, references } = cell;
  if (sharedCode === null && references.length === 0) return NOTHING;
  const key = sharedCode ?? references;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const reads = sharedCode === null ? readsOfValues(cell) : readsOfCode(sharedCode);
  cache.set(key, reads);
  return reads;
}

/** Without definitions of its own, a cell can only pass on the names it reads. */
function readsOfValues({ defines, references, importedNames }: CodeCell): GivenCode {
  const values = defines.filter((name) => !importedNames.includes(name));
  return new Map(values.map((name) => [name, { isCode: false, late: [], early: references, own: [] }]));
}

function readsOfCode(code: SharedCode): GivenCode {
  const facts = factsOf(code);
  const result = new Map<string, CodeReads>();
  for (const [name, kind] of facts.symbols) {
    if (CODE_KINDS.has(kind) && !facts.valueNames.has(name)) result.set(name, codeReads(facts, name));
  }
  for (const { names, reads } of valueGroups(code, facts)) {
    const late = new Set<string>();
    const early = new Set<string>();
    for (const readName of reads) {
      const own = facts.sliceNames.has(readName) ? codeReads(facts, readName) : null;
      if (own === null) early.add(readName);
      for (const name of own?.late ?? []) late.add(name);
      for (const name of own?.early ?? []) early.add(name);
    }
    if (late.size + early.size === 0) continue;
    for (const name of names) {
      result.set(name, { isCode: false, late: [...late], early: [...early], own: [] });
    }
  }
  return result;
}

function codeReads(facts: Facts, name: string): CodeReads {
  const late = new Set<string>();
  const early = new Set<string>();
  const own = new Set<string>();
  const isOutside = (read: string): boolean => !facts.sliceNames.has(read) && !facts.written.has(read);
  for (const symbol of reachableNames(facts, name)) {
    for (const { names } of definitionsOf(facts, symbol)) {
      for (const lateName of names.lateReads) {
        if (isOutside(lateName)) late.add(lateName);
        else if (facts.sliceNames.has(lateName)) own.add(lateName);
      }
      for (const earlyName of names.earlyReads) if (isOutside(earlyName)) early.add(earlyName);
    }
  }
  return { isCode: true, late: [...late].sort(), early: [...early].sort(), own: [...own].sort() };
}

interface ValueGroup {
  readonly names: Set<string>;
  readonly reads: Set<string>;
}

/** Values that one statement binds, changes or reads together: whatever one of them holds, the others may hold too. */
function valueGroups({ statements }: SharedCode, { valueNames, symbols }: Facts): readonly ValueGroup[] {
  // A literal may be filled later: `all = []`, then `all.append(f)`.
  const isValue = (name: string): boolean => valueNames.has(name) || symbols.get(name) === 'constant';
  const groups = new Map<string, ValueGroup>();
  for (const statement of statements) {
    if (SLICE_KINDS.has(statement.kind)) continue;
    const reads = readsOf(statement);
    const values = [...new Set([...boundBy(statement), ...reads])].filter(isValue);
    const group: ValueGroup = { names: new Set(values), reads };
    for (const name of values) {
      const other = groups.get(name);
      for (const one of other?.names ?? []) group.names.add(one);
      for (const one of other?.reads ?? []) group.reads.add(one);
    }
    for (const name of group.names) {
      group.reads.delete(name);
      groups.set(name, group);
    }
  }
  return [...new Set(groups.values())];
}

function boundBy({ names }: Statement): readonly string[] {
  return [...names.bound, ...names.changedInPlace, ...names.globalWrites];
}

function readsOf({ names }: Statement): Set<string> {
  return new Set([...names.anyReads, ...names.earlyReads, ...names.lateReads]);
}
