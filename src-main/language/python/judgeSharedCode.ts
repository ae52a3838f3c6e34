import type { BlockReason } from '../../../src-shared/wire/harness.ts';
import { PYTHON_BUILTINS } from './builtins.ts';
import { CODE, KEPT, type SharedCode, type Statement, type SymbolKind } from './sharedCode.ts';

/** Every module has these, and every cell the last two. */
const ALWAYS: ReadonlySet<string> = new Set([
  ...['__name__', '__doc__', '__package__', '__loader__', '__spec__', '__builtins__', '__build_class__'],
  ...['__import__', '__debug__', 'display', 'Markdown'],
]);

export interface JudgedCode {
  /** What the cell gives as code or constant, sorted; none of it private. */
  readonly exports: readonly { readonly name: string; readonly kind: SymbolKind }[];
  /** Why a function, class or lambda may not leave; absent where it may. Constants leave as plain data then. */
  readonly blocked: ReadonlyMap<string, readonly BlockReason[]>;
  /** The values each symbol needs beside it, sorted. */
  readonly injects: ReadonlyMap<string, readonly string[]>;
  /** All of the cell's code is complete in itself: nothing blocked, no value and no name of a later cell needed. */
  readonly isModule: boolean;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * What may travel, given the names that other cells hand to this one.
 * @param below names that a later cell defines and none above: code may read them, its caller binds them
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
    const found = judgeSymbol(name, { facts, wired, below, atDefinition });
    if (found.isOpen) anyOpen = true;
    injects.set(name, [...found.injects].sort());
    if (found.reasons.length > 0) blocked.set(name, inOrder(found.reasons));
  }
  const hasCode = [...facts.symbols.values()].some((kind) => CODE.has(kind));
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

/** What a cell's statements amount to. */
export interface Facts {
  readonly kept: readonly Statement[];
  /** Name -> the kind of its last definition. */
  readonly symbols: ReadonlyMap<string, SymbolKind>;
  readonly lambdas: ReadonlySet<string>;
  readonly keptNames: ReadonlySet<string>;
  /** Bound by what is dropped: such a name can be handed over as a value only. */
  readonly given: ReadonlySet<string>;
  /** Assigned under `global` by what is kept. */
  readonly written: ReadonlySet<string>;
}

export function factsOf({ statements }: SharedCode): Facts {
  const kept = statements.filter(({ kind }) => KEPT.has(kind));
  const symbols = new Map<string, SymbolKind>();
  for (const { kind, symbols: names } of kept) {
    if (kind !== 'import' && kind !== 'lambda' && kind !== 'dropped')
      for (const name of names) symbols.set(name, kind);
  }
  return {
    kept,
    symbols,
    lambdas: new Set(statements.flatMap(({ kind, symbols: names }) => (kind === 'lambda' ? names : []))),
    keptNames: union(kept.map(({ names }) => names.bound)),
    given: union(statements.filter((one) => !kept.includes(one)).map(givenBy)),
    written: union(kept.map(({ names }) => names.globalWrites)),
  };
}

function givenBy({ names }: Statement): ReadonlySet<string> {
  return union([names.bound, names.changedInPlace, names.globalWrites]);
}

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const name of set) all.add(name);
  return all;
}

interface AtDefinition {
  /** What stands in the way of every symbol. */
  readonly reasons: readonly BlockReason[];
  /** Values that have to be there before the slice runs. */
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
  const givenBefore = new Set<string>();
  statements.forEach((one, at) => {
    if (!KEPT.has(one.kind)) {
      for (const name of givenBy(one)) givenBefore.add(name);
      return;
    }
    const within = one.symbols[0] ?? '';
    for (const name of one.names.earlyReads) {
      if (before.has(name)) continue;
      if (facts.given.has(name)) {
        const later = statements
          .slice(at + 1)
          .some((other) => !KEPT.has(other.kind) && givenBy(other).has(name));
        if (givenBefore.has(name) && !later) eager.add(name);
        else reasons.push({ code: 'changed_after', name, within });
      } else if (wired.has(name)) eager.add(name);
      else if (!isBuiltin(name)) reasons.push({ code: 'unknown_at_definition', name, within });
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
  known: {
    readonly facts: Facts;
    readonly wired: ReadonlySet<string>;
    readonly below: ReadonlySet<string>;
    readonly atDefinition: AtDefinition;
  },
): {
  readonly reasons: readonly BlockReason[];
  readonly injects: ReadonlySet<string>;
  /** Needs a name of a later cell. */
  readonly isOpen: boolean;
} {
  const { facts, wired, below, atDefinition } = known;
  let isOpen = false;
  const reasons = [...atDefinition.reasons];
  const injects = new Set(atDefinition.eager);
  if (!facts.symbols.has(name)) reasons.push({ code: 'lambda', name, within: name });
  else {
    for (const reached of reach(facts, name)) {
      if (facts.given.has(reached)) reasons.push({ code: 'rebound', name: reached, within: reached });
      for (const { names } of definitionsOf(facts, reached)) {
        for (const read of names.lateReads) {
          if (facts.keptNames.has(read)) continue;
          if (facts.given.has(read) || wired.has(read)) injects.add(read);
          else if (!facts.written.has(read) && !isBuiltin(read)) {
            if (below.has(read)) isOpen = true;
            else reasons.push({ code: 'unknown', name: read, within: reached });
          }
        }
      }
    }
  }
  for (const read of injects)
    if (facts.lambdas.has(read)) reasons.push({ code: 'lambda', name: read, within: name });
  return { reasons, injects, isOpen };
}

/** The kept statements that bind a name. */
export function definitionsOf({ kept }: Facts, name: string): readonly Statement[] {
  return kept.filter(({ names }) => names.bound.has(name));
}

/** `name` and every kept name its definitions lead to. */
export function reach(facts: Facts, name: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [name];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    for (const { names } of definitionsOf(facts, at)) {
      for (const read of [...names.earlyReads, ...names.lateReads])
        if (facts.keptNames.has(read)) open.push(read);
    }
  }
  return found;
}

const ORDER: readonly BlockReason['code'][] = [
  'star_import',
  'unknown_at_definition',
  'changed_after',
  'unknown',
  'rebound',
  'lambda',
];

/** Each once: what stands in the way of all first. */
function inOrder(reasons: readonly BlockReason[]): readonly BlockReason[] {
  const key = ({ code, name, within }: BlockReason) => `${ORDER.indexOf(code)}\0${within}\0${name}`;
  const found = new Map(reasons.map((reason) => [key(reason), reason]));
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reason]) => reason);
}
