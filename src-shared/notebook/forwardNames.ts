/**
 * Forward names: names that a function or class reads when it is called, that no cell above its own defines
 * and a later cell does. As in a kernel they are looked up where the code is called: the caller binds each of
 * them to the nearest definer above itself, and the two definers get no edge between them.
 */

import type { CellId } from './ids.ts';

/** What a name that a cell provides needs from other cells when it is used. */
export interface CodeReads {
  /** Whether the name is a function or class, which travels as source; false: a value that may contain one. */
  readonly isCode: boolean;
  /** Names its functions read when they are called. */
  readonly late: readonly string[];
  /** Names read while the cell runs: their values may be part of it. */
  readonly early: readonly string[];
  /** Names of its own cell, which travel with it, that its functions read when they are called. */
  readonly own: readonly string[];
}

/** By name; names without needs are absent. */
export type GivenCode = ReadonlyMap<string, CodeReads>;

/** A name that provided code leaves to its callers to bind. */
export interface OpenName {
  readonly name: string;
  /**
   * The definer whose value was stored together with the provided value: readers need no other while it is
   * the nearest one. Null: every caller binds the name.
   */
  readonly pinnedTo: CellId | null;
}

export const NO_OPEN_NAMES: readonly OpenName[] = [];

/** The parts of the graph that forward names need while its cells are linked in order. */
interface Surroundings {
  /** The cells a name of this cell is bound to; none: no cell above provides it. */
  readonly giversOf: (name: string) => readonly CellId[];
  readonly defines: readonly string[];
  /** The open names of a name that a cell above provides. */
  readonly openOf: (giver: CellId, name: string) => readonly OpenName[];
  /** Whether a later cell defines the name. */
  readonly isBelow: (name: string) => boolean;
  /** The nearest cell above that defines the name. */
  readonly above: (name: string) => CellId | null;
}

/** The names that provided code leaves to its callers, by provided name. */
export function openNames(code: GivenCode, around: Surroundings): ReadonlyMap<string, readonly OpenName[]> {
  const open = new Map<string, readonly OpenName[]>();
  for (const [name, { isCode }] of code) {
    const reached = openNamesOf(name, code, around);
    const unbound = isCode ? reached : pinned(reached, around);
    if (unbound.length > 0) open.set(name, unbound);
  }
  return open;
}

function openNamesOf(name: string, all: GivenCode, around: Surroundings): readonly OpenName[] {
  const names = new Map<string, OpenName>();
  const add = (one: OpenName) => names.set(`${one.name} ${one.pinnedTo ?? ''}`, one);
  const own = new Set(around.defines);
  const visited = new Set<string>();
  const pending = [name];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (visited.has(at)) continue;
    visited.add(at);
    const reads = all.get(at);
    if (reads === undefined) continue;
    for (const name of [...reads.late, ...reads.early]) {
      const givers = around.giversOf(name);
      for (const giver of givers) for (const inner of around.openOf(giver, name)) add(inner);
      if (givers.length > 0) continue;
      if (own.has(name)) pending.push(name);
      else if (reads.late.includes(name) && around.isBelow(name)) add({ name: name, pinnedTo: null });
    }
  }
  return [...names.values()];
}

/** For a value: names defined above its cell are stored with it, and recursively what those need. */
function pinned(open: readonly OpenName[], { above, openOf, defines }: Surroundings): readonly OpenName[] {
  const names = new Map<string, OpenName>();
  const pending = open.map(({ name }) => name);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (names.has(name)) continue;
    const pinnedTo = defines.includes(name) ? null : above(name);
    names.set(name, { name, pinnedTo });
    if (pinnedTo !== null) for (const inner of openOf(pinnedTo, name)) pending.push(inner.name);
  }
  return [...names.values()];
}

/** The definers of each name, by their positions in the notebook. */
export class Definers {
  readonly #at = new Map<string, number[]>();
  readonly #ids: readonly CellId[];

  /** @param cells the active ones in order */
  constructor(cells: readonly { readonly id: CellId; readonly defines: readonly string[] }[]) {
    this.#ids = cells.map(({ id }) => id);
    cells.forEach(({ defines }, place) => {
      for (const name of defines) {
        const places = this.#at.get(name);
        if (places === undefined) this.#at.set(name, [place]);
        else places.push(place);
      }
    });
  }

  /** The first cell below a position that defines a name. */
  below(name: string, place: number): CellId | null {
    const at = this.#at.get(name)?.find((other) => other > place);
    return at === undefined ? null : (this.#ids[at] ?? null);
  }
}
