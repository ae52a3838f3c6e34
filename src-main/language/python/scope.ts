/** Python's scopes, for names.ts: which names a cell binds, and which it needs from other cells. */

import { Flow } from './flow.ts';

/**
 * Python's scopes, as far as they decide which names a cell binds at module level and which it needs from outside.
 * Names at module level, in class bodies and in comprehensions are resolved at once, in the order they run. Names of a
 * function are resolved when its body is closed, because a name bound anywhere in it is local everywhere in it.
 */
export interface Scope {
  /** `inner`: a comprehension or the type parameters of a definition. */
  readonly kind: 'module' | 'function' | 'class' | 'inner';
  readonly parent: Scope | null;
  readonly bound: Set<string>;
  readonly globals: Set<string>;
  readonly nonlocals: Set<string>;
  /** Names annotated without a value in a class body. */
  readonly declared: Set<string>;
  /** Reads of an open function, and those reads of an open class body that precede a binding of the name in it. */
  readonly pending: Set<string>;
  /** True for type parameters, which see the surrounding class; comprehensions do not. */
  readonly seesClass: boolean;
}

/** The module's names; filled during the walk over the tree. */
export interface ModuleNames {
  /** Names bound by a statement that runs with the cell. */
  readonly bound: Set<string>;
  /** Names assigned under `global` in a function or class. */
  readonly globalWrites: Set<string>;
  /** Roots of `df["a"] = ..`, `o.x = ..`, `o.m(inplace=True)`. */
  readonly changedInPlace: Set<string>;
  /** Names read while the cell runs, before they were bound. */
  readonly earlyReads: Set<string>;
  /** Names read in a function body, which may run after the cell. */
  readonly lateReads: Set<string>;
  /** Names read while the cell runs, whether bound before or not. */
  readonly anyReads: Set<string>;
  /** Names read while the cell runs, where they may not be bound yet, as after `if c: x = 1`. */
  readonly unsureReads: Set<string>;
  /** Names looked up through a string in a function body. */
  readonly textReads: Set<string>;
  /** Which names are certainly bound. */
  readonly flow: Flow;
}

/** The names of a module before the walk. */
export function emptyModuleNames(): ModuleNames {
  return {
    bound: new Set(),
    globalWrites: new Set(),
    changedInPlace: new Set(),
    earlyReads: new Set(),
    lateReads: new Set(),
    anyReads: new Set(),
    unsureReads: new Set(),
    textReads: new Set(),
    flow: new Flow(),
  };
}

/** A new scope without names. */
export function openScope(kind: Scope['kind'], parent: Scope | null, seesClass = false): Scope {
  return {
    kind,
    parent,
    bound: new Set(),
    globals: new Set(),
    nonlocals: new Set(),
    declared: new Set(),
    pending: new Set(),
    seesClass,
  };
}

function readModule(module: ModuleNames, name: string, late: boolean): void {
  if (late) {
    module.lateReads.add(name);
    module.flow.readLate(name);
    return;
  }
  module.anyReads.add(name);
  if (!module.bound.has(name)) module.earlyReads.add(name);
  else if (!module.flow.isSure(name)) module.unsureReads.add(name);
}

/** The scope where an unresolved name is looked up next: code inside a class body does not see the class's names. */
function outsideOf(scope: Scope): Scope | null {
  let outer = scope.parent;
  if (scope.kind === 'inner' && scope.seesClass) return outer;
  while (outer?.kind === 'class') outer = outer.parent;
  return outer;
}

/** Resolves a read from `scope` outwards. @param late whether the read came out of a function body */
export function readName(module: ModuleNames, scope: Scope, name: string, late = false): void {
  let at: Scope | null = scope;
  while (at !== null && at.kind !== 'module') {
    if (at.kind === 'inner' && !at.bound.has(name)) {
      at = outsideOf(at);
      continue;
    }
    if (at.kind === 'function' || (at.kind === 'class' && !at.bound.has(name))) at.pending.add(name);
    return;
  }
  readModule(module, name, late || insideFunction(scope));
}

function insideFunction(scope: Scope): boolean {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    if (at.kind === 'function') return true;
  }
  return false;
}

/**
 * Reads a name that is a reference only if an earlier cell defines it: one that a string contains, which may be
 * anything else, or the module that an import adds to.
 */
export function readIfDefinedAbove(module: ModuleNames, scope: Scope, name: string): void {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    if (at.kind !== 'module' && at.bound.has(name) && !at.globals.has(name)) return;
  }
  if (insideFunction(scope)) module.textReads.add(name);
  else if (!module.flow.isSure(name)) module.unsureReads.add(name);
}

/** Binds a name where Python would: `:=` in a comprehension binds in the surrounding scope. */
export function bindName(module: ModuleNames, scope: Scope, name: string): void {
  let at = scope;
  while (at.kind === 'inner' && at.parent !== null) at = at.parent;
  if (at.kind === 'module') {
    module.bound.add(name);
    module.flow.bind(name);
  } else if (at.globals.has(name)) module.globalWrites.add(name);
  else if (!at.nonlocals.has(name)) at.bound.add(name);
}

/** Resolves the reads of a function body, once all its local names are known. */
export function closeFunction(module: ModuleNames, scope: Scope): void {
  const outer = outsideOf(scope);
  for (const name of scope.pending) {
    if (scope.globals.has(name)) readModule(module, name, true);
    else if (!scope.bound.has(name) && outer !== null) readName(module, outer, name, true);
  }
}

/**
 * Resolves names that a class body read before it bound them: a name that the class also binds is looked up at module
 * level, past any function in between; any other name is looked up outwards as usual.
 */
export function closeClass(module: ModuleNames, scope: Scope): void {
  const outer = outsideOf(scope);
  for (const name of scope.pending) {
    const own = scope.bound.has(name) || scope.declared.has(name) || scope.globals.has(name);
    if (own) readModule(module, name, insideFunction(scope));
    else if (outer !== null) readName(module, outer, name);
  }
}
