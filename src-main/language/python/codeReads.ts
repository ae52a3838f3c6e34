/**
 * What the names a cell gives need of other cells once they are used there: the names its functions and classes read,
 * and for every other name the code it may hold. The graph binds such names where the code is called
 * (src-shared/notebook/forwardNames.ts).
 */
import type { CodeReads, GivenCode } from '../../../src-shared/notebook/forwardNames.ts';
import { definitionsOf, type Facts, factsOf, reach } from './judgeSharedCode.ts';
import { CODE, KEPT, type SharedCode, type Statement } from './sharedCode.ts';

/** What is asked of a cell's analysis. */
export interface GivingCell {
  readonly sharedCode: SharedCode | null;
  readonly defines: readonly string[];
  readonly references: readonly string[];
  readonly importedNames: readonly string[];
}

/** By shared code; without any, by the list of references. */
const known = new WeakMap<object, GivenCode>();
const NOTHING: GivenCode = new Map();

/** The code reads of a Python cell; names that need nothing of another cell are absent. */
export function givenCode(cell: GivingCell): GivenCode {
  const { sharedCode, references } = cell;
  if (sharedCode === null && references.length === 0) return NOTHING;
  const key = sharedCode ?? references;
  const before = known.get(key);
  if (before !== undefined) return before;
  const given = sharedCode === null ? passedOn(cell) : readGiven(sharedCode);
  known.set(key, given);
  return given;
}

/** Without definitions of its own a cell can only pass on what it reads. */
function passedOn({ defines, references, importedNames }: GivingCell): GivenCode {
  const values = defines.filter((name) => !importedNames.includes(name));
  return new Map(values.map((name) => [name, { isCode: false, late: [], early: references }]));
}

function readGiven(code: SharedCode): GivenCode {
  const facts = factsOf(code);
  const given = new Map<string, CodeReads>();
  for (const [name, kind] of facts.symbols) {
    if (CODE.has(kind) && !facts.given.has(name)) given.set(name, codeReads(facts, name));
  }
  for (const { names, reads } of valueGroups(code, facts)) {
    const late = new Set<string>();
    const early = new Set<string>();
    for (const read of reads) {
      const own = facts.keptNames.has(read) ? codeReads(facts, read) : null;
      if (own === null) early.add(read);
      for (const name of own?.late ?? []) late.add(name);
      for (const name of own?.early ?? []) early.add(name);
    }
    if (late.size + early.size === 0) continue;
    for (const name of names) given.set(name, { isCode: false, late: [...late], early: [...early] });
  }
  return given;
}

function codeReads(facts: Facts, name: string): CodeReads {
  const late = new Set<string>();
  const early = new Set<string>();
  const outside = (read: string): boolean => !facts.keptNames.has(read) && !facts.written.has(read);
  for (const reached of reach(facts, name)) {
    for (const { names } of definitionsOf(facts, reached)) {
      for (const read of names.lateReads) if (outside(read)) late.add(read);
      for (const read of names.earlyReads) if (outside(read)) early.add(read);
    }
  }
  return { isCode: true, late: [...late].sort(), early: [...early].sort() };
}

interface ValueGroup {
  readonly names: Set<string>;
  readonly reads: Set<string>;
}

/** Values that one statement binds, changes or reads together: whatever one of them holds, the others may hold. */
function valueGroups({ statements }: SharedCode, { given, symbols }: Facts): readonly ValueGroup[] {
  // A literal may be filled later: `all = []`, then `all.append(f)`.
  const isValue = (name: string): boolean => given.has(name) || symbols.get(name) === 'constant';
  const groups = new Map<string, ValueGroup>();
  for (const statement of statements) {
    if (KEPT.has(statement.kind)) continue;
    const reads = readsOf(statement);
    const touched = [...new Set([...boundBy(statement), ...reads])].filter(isValue);
    const whole: ValueGroup = { names: new Set(touched), reads };
    for (const name of touched) {
      const other = groups.get(name);
      for (const one of other?.names ?? []) whole.names.add(one);
      for (const one of other?.reads ?? []) whole.reads.add(one);
    }
    for (const name of whole.names) {
      whole.reads.delete(name);
      groups.set(name, whole);
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
