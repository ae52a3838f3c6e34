/** Decides which functions and classes of a cell other cells may share as code. */

import type { BlockReason } from '../../../src-shared/wire/harness.ts';
import { PYTHON_BUILTINS } from './builtins.ts';
import { CODE_KINDS, type SharedCode, SLICE_KINDS, type Statement, type SymbolKind } from './sharedCode.ts';

/** Names that every module has; the last two are names of every cell. */
const ALWAYS: ReadonlySet<string> = new Set([
  ...['__name__', '__doc__', '__package__', '__loader__', '__spec__', '__builtins__', '__build_class__'],
  ...['__import__', '__debug__', 'display', 'Markdown'],
]);

/** Cells have this name unless the notebook defines it: then it is a name like any other. */
const AMBIENT: ReadonlySet<string> = new Set(['svc']);

export interface JudgedCode {
  /** The functions, classes and constants that the cell shares, sorted, without private names. */
  readonly exports: readonly { readonly name: string; readonly kind: SymbolKind }[];
  /** Why a function, class or lambda cannot be shared; absent if it can. A blocked constant is shared as plain data. */
  readonly blocked: ReadonlyMap<string, readonly BlockReason[]>;
  /** The values that each symbol needs in addition, sorted. */
  readonly injects: ReadonlyMap<string, readonly string[]>;
  /** All code of the cell is self-contained: nothing is blocked, and no value and no name of a later cell is needed. */
  readonly isModule: boolean;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Which code of a cell can be shared, given the names that it reads from other cells.
 * @param below names that only a later cell defines: code may read them, its caller binds them
 */
export function judgeSharedCode(
  code: SharedCode,
  wired: ReadonlySet<string>,
  below: ReadonlySet<string> = NO_NAMES,
): JudgedCode {
  const facts = factsOf(code);
  const atDefinition = readAtDefinition(code, { facts, wired });
  const blocked = new Map<string, readonly BlockReason[]>();
  const injects = new Map<string, readonly string[]>();
  const names = [...new Set([...facts.symbols.keys(), ...facts.lambdas])].sort();
  let anyOpen = false;
  for (const name of names) {
    const judgement = judgeSymbol(name, { facts, wired, below, atDefinition });
    if (judgement.isOpen) anyOpen = true;
    injects.set(name, [...judgement.injects].sort());
    if (judgement.reasons.length > 0) blocked.set(name, inOrder(judgement.reasons));
  }
  const hasCode = [...facts.symbols.values()].some((kind) => CODE_KINDS.has(kind));
  const exports = [...facts.symbols]
    .filter(([name]) => !name.startsWith('_'))
    .map(([name, kind]) => ({ name, kind }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    exports,
    blocked,
    injects,
    isModule:
      hasCode &&
      !anyOpen &&
      blocked.size === 0 &&
      [...facts.symbols.keys()].every((name) => (injects.get(name) ?? []).length === 0),
  };
}

/** A summary of a cell's statements. */
export interface Facts {
  readonly sliceStatements: readonly Statement[];
  /** Name -> the kind of its last definition. */
  readonly symbols: ReadonlyMap<string, SymbolKind>;
  readonly lambdas: ReadonlySet<string>;
  readonly sliceNames: ReadonlySet<string>;
  /** Names bound by statements outside the slice: such a name can be shared only as a value. */
  readonly valueNames: ReadonlySet<string>;
  /** Names assigned under `global` by statements of the slice. */
  readonly written: ReadonlySet<string>;
}

/** Summarizes the statements of a cell. */
export function factsOf({ statements }: SharedCode): Facts {
  const sliceStatements = statements.filter(({ kind }) => SLICE_KINDS.has(kind));
  const symbols = new Map<string, SymbolKind>();
  for (const { kind, symbols: names } of sliceStatements) {
    if (kind !== 'import' && kind !== 'lambda' && kind !== 'dropped')
      for (const name of names) symbols.set(name, kind);
  }
  return {
    sliceStatements,
    symbols,
    lambdas: new Set(statements.flatMap(({ kind, symbols: names }) => (kind === 'lambda' ? names : []))),
    sliceNames: union(sliceStatements.map(({ names }) => names.bound)),
    valueNames: union(statements.filter((one) => !sliceStatements.includes(one)).map(changedBy)),
    written: union(sliceStatements.map(({ names }) => names.globalWrites)),
  };
}

function changedBy({ names }: Statement): ReadonlySet<string> {
  return union([names.bound, names.changedInPlace, names.globalWrites]);
}

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const name of set) all.add(name);
  return all;
}

interface AtDefinition {
  /** Reasons that block every symbol. */
  readonly reasons: readonly BlockReason[];
  /** Values that the slice needs before it runs. */
  readonly eager: ReadonlySet<string>;
}

/** Decorators, defaults, bases, annotations and class bodies are evaluated when the slice is run. */
function readAtDefinition(
  { statements, stars }: SharedCode,
  { facts, wired }: { readonly facts: Facts; readonly wired: ReadonlySet<string> },
): AtDefinition {
  const reasons: BlockReason[] = stars.map((name) => ({ code: 'star_import', name, within: '' }));
  const eager = new Set<string>();
  const before = new Set<string>();
  const changedBefore = new Set<string>();
  statements.forEach((one, at) => {
    if (!SLICE_KINDS.has(one.kind)) {
      for (const name of changedBy(one)) changedBefore.add(name);
      return;
    }
    const within = one.symbols[0] ?? '';
    for (const name of one.names.earlyReads) {
      if (before.has(name)) continue;
      if (facts.valueNames.has(name)) {
        const later = statements
          .slice(at + 1)
          .some((other) => !SLICE_KINDS.has(other.kind) && changedBy(other).has(name));
        if (changedBefore.has(name) && !later) eager.add(name);
        else reasons.push({ code: 'changed_after', name, within });
      } else if (wired.has(name)) eager.add(name);
      else if (!isBuiltin(name) && !AMBIENT.has(name))
        reasons.push({ code: 'unknown_at_definition', name, within });
    }
    for (const name of one.names.bound) before.add(name);
  });
  return { reasons, eager };
}

function isBuiltin(name: string): boolean {
  return PYTHON_BUILTINS.has(name) || ALWAYS.has(name);
}

function judgeSymbol(
  name: string,
  context: {
    readonly facts: Facts;
    readonly wired: ReadonlySet<string>;
    readonly below: ReadonlySet<string>;
    readonly atDefinition: AtDefinition;
  },
): {
  readonly reasons: readonly BlockReason[];
  readonly injects: ReadonlySet<string>;
  /** Whether it needs a name of a later cell. */
  readonly isOpen: boolean;
} {
  const { facts, wired, below, atDefinition } = context;
  let isOpen = false;
  const reasons = [...atDefinition.reasons];
  const injects = new Set(atDefinition.eager);
  if (!facts.symbols.has(name)) reasons.push({ code: 'lambda', name, within: name });
  else {
    for (const symbol of reachableNames(facts, name)) {
      if (facts.valueNames.has(symbol)) reasons.push({ code: 'rebound', name: symbol, within: symbol });
      for (const { names } of definitionsOf(facts, symbol)) {
        for (const name of names.lateReads) {
          if (facts.sliceNames.has(name)) continue;
          if (facts.valueNames.has(name) || wired.has(name)) injects.add(name);
          else if (!facts.written.has(name) && !isBuiltin(name)) {
            if (below.has(name)) isOpen = true;
            else if (!AMBIENT.has(name)) reasons.push({ code: 'unknown', name: name, within: symbol });
          }
        }
      }
    }
  }
  for (const injectedName of injects)
    if (facts.lambdas.has(injectedName)) reasons.push({ code: 'lambda', name: injectedName, within: name });
  return { reasons, injects, isOpen };
}

/** The statements of the slice that bind a name. */
export function definitionsOf({ sliceStatements }: Facts, name: string): readonly Statement[] {
  return sliceStatements.filter(({ names }) => names.bound.has(name));
}

/** `name` and every name of the slice that its definitions use, directly or not. */
export function reachableNames(facts: Facts, name: string): ReadonlySet<string> {
  const reachable = new Set<string>();
  const pending = [name];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (reachable.has(current)) continue;
    reachable.add(current);
    for (const { names } of definitionsOf(facts, current)) {
      for (const name of [...names.earlyReads, ...names.lateReads])
        if (facts.sliceNames.has(name)) pending.push(name);
    }
  }
  return reachable;
}

const ORDER: readonly BlockReason['code'][] = [
  'star_import',
  'unknown_at_definition',
  'changed_after',
  'unknown',
  'rebound',
  'lambda',
];

/** Each reason once; reasons that block every symbol come first. */
function inOrder(reasons: readonly BlockReason[]): readonly BlockReason[] {
  const key = ({ code, name, within }: BlockReason) => `${ORDER.indexOf(code)}\0${within}\0${name}`;
  const byKey = new Map(reasons.map((reason) => [key(reason), reason]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reason]) => reason);
}
