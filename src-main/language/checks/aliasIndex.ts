/**
 * Finds which values of a notebook are the same object under several names, and which cell reads each value last. Made
 * once per check run.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { AliasKind } from '../python/aliases.ts';
import type { CheckedNotebook } from './check.ts';

/** A name, and the cell whose value a reader gets. */
export interface Value {
  readonly name: string;
  readonly giver: CellId;
}

type Taken = Value & { readonly kind: AliasKind };

/** A value as it is read. `last`: the position of its last reader in the notebook. */
type Read = Value & { readonly last: number };

export interface AliasIndex {
  readonly hasOtherNames: (value: Value) => boolean;
  /** The values that this one was assigned from. */
  readonly sourcesOf: (value: Value) => readonly Taken[];
  /** The values that were assigned from this one. */
  readonly takenFrom: (value: Value) => readonly Taken[];
  /** The reads of this value, under any name by which it is read, unchanged or changed in place. */
  readonly readsOf: (value: Value) => readonly Read[];
  readonly positionOf: (cell: CellId) => number;
}

const indexes = new WeakMap<CheckedNotebook, AliasIndex>();

export function aliasIndexOf(notebook: CheckedNotebook): AliasIndex {
  let index = indexes.get(notebook);
  if (index === undefined) {
    index = build(notebook);
    indexes.set(notebook, index);
  }
  return index;
}

function keyOf({ name, giver }: Value): string {
  return `${giver} ${name}`;
}

function build({ cells, graph }: CheckedNotebook): AliasIndex {
  const roots = new Map<string, Value>();
  /** A change in place keeps the object: the value is that of the first cell of such a chain. */
  const rootOf = (value: Value): Value => {
    const chain: string[] = [];
    let at = value;
    for (;;) {
      const earlier = roots.get(keyOf(at));
      if (earlier !== undefined) {
        at = earlier;
        break;
      }
      chain.push(keyOf(at));
      const analysis = cells.get(at.giver)?.analysis;
      const above = graph.wiring.get(at.giver)?.get(at.name);
      const isChangedOnly =
        analysis?.mutationDefines.includes(at.name) === true && !analysis.aliases.has(at.name);
      if (!isChangedOnly || above === undefined || chain.includes(`${above} ${at.name}`)) break;
      at = { name: at.name, giver: above };
    }
    for (const key of chain) roots.set(key, at);
    return at;
  };
  const byValue = new Map<string, Taken[]>();
  const byOrigin = new Map<string, Taken[]>();
  for (const [id, { analysis }] of cells) {
    const wiring = graph.wiring.get(id);
    for (const [name, byName] of analysis.aliases) {
      const value = rootOf({ name, giver: id });
      for (const [source, kind] of byName) {
        const giver = analysis.defines.includes(source) ? id : wiring?.get(source);
        if (giver === undefined) continue;
        const from = rootOf({ name: source, giver });
        add(byValue, keyOf(value), { ...from, kind });
        add(byOrigin, keyOf(from), { ...value, kind });
      }
    }
  }
  const positions = new Map([...cells.keys()].map((id, i) => [id, i]));
  let reads: Map<string, Read[]> | null = null;
  const rootKey = (value: Value): string => keyOf(rootOf(value));
  return {
    hasOtherNames: (value) => byValue.has(rootKey(value)) || byOrigin.has(rootKey(value)),
    sourcesOf: (value) => byValue.get(rootKey(value)) ?? [],
    takenFrom: (value) => byOrigin.get(rootKey(value)) ?? [],
    readsOf: (value) => {
      reads ??= readsByRoot({ cells, graph }, rootKey);
      return reads.get(rootKey(value)) ?? [];
    },
    positionOf: (cell) => positions.get(cell) ?? -1,
  };
}

function readsByRoot(
  { cells, graph }: Pick<CheckedNotebook, 'cells' | 'graph'>,
  rootKey: (value: Value) => string,
): Map<string, Read[]> {
  const last = new Map<string, Read>();
  let position = -1;
  for (const id of cells.keys()) {
    position += 1;
    if (graph.inactive.has(id)) continue;
    for (const [name, giver] of graph.wiring.get(id) ?? [])
      last.set(keyOf({ name, giver }), { name, giver, last: position });
  }
  const reads = new Map<string, Read[]>();
  for (const read of last.values()) add(reads, rootKey(read), read);
  return reads;
}

function add<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
