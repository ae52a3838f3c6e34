/** Lists the stored values that a cell reads, with the cells that produce them. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Bundle } from '../../../src-shared/notebook/producers.ts';
import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { SessionState } from '../state/state.ts';
import { storedOf } from './stored.ts';

/** One stored value a cell reads. */
export interface Read {
  readonly variable: string;
  readonly producerId: CellId;
  /** The label its producer stores it under: a fan-out has one result per variant. */
  readonly label: string;
  /** The variant the value belongs to; null if there is only one. */
  readonly variant: string | null;
}

/** A name a cell reads, with every stored value for it. */
export interface ReadName {
  readonly variable: string;
  readonly kind: 'value' | Bundle['kind'];
  /** The group of a bundle. */
  readonly group: string | null;
  /** False: an @after edge, which orders without binding a name. */
  readonly wired: boolean;
  /** The stored values for the name; several, sorted by variant, if the name has one value per variant. */
  readonly reads: readonly Read[];
}

function bundled(variable: string, { kind, group, variants }: Bundle, wired: boolean): ReadName {
  const reads = variants.map(
    ({ name, cellId }): Read => ({
      variable,
      producerId: cellId,
      label: kind === 'fanout' ? variantLabel(variable, name) : variable,
      variant: name,
    }),
  );
  return { variable, kind, group, wired, reads };
}

function single(variable: string, producerId: CellId, wired: boolean): ReadName {
  const onlyRead: Read = { variable, producerId, label: variable, variant: null };
  return { variable, kind: 'value', group: null, wired, reads: [onlyRead] };
}

/**
 * The names that a cell reads and their producers: the names wired to it, and for an @after edge without a
 * name everything its producer stores (docs/spec/analysis-and-graph.md, 3.1; docs/spec/provenance-and-cache.md, 1).
 */
export function readNamesOf(state: SessionState, id: CellId): readonly ReadName[] {
  const { graph } = state;
  const names: ReadName[] = [];
  const wired = new Set<CellId>();
  for (const [variable, producerId] of graph.wiring.get(id) ?? []) {
    names.push(single(variable, producerId, true));
    wired.add(producerId);
  }
  for (const [variable, bundle] of graph.bundles.get(id) ?? []) {
    names.push(bundled(variable, bundle, true));
    for (const giver of bundle.givers) wired.add(giver);
  }
  for (const producerId of graph.upstream.get(id) ?? []) {
    if (wired.has(producerId)) continue;
    const fanOut = graph.fanOuts.get(producerId);
    for (const variable of storedOf(state, producerId)) {
      if (fanOut === undefined) names.push(single(variable, producerId, false));
      else {
        const variants = fanOut.variants.map((name) => ({ name, cellId: producerId }));
        const { group } = fanOut;
        names.push(bundled(variable, { kind: 'fanout', group, variants, givers: [producerId] }, false));
      }
    }
  }
  return names;
}

/** Every stored value a cell reads, one by one. */
export function readsOf(state: SessionState, id: CellId): readonly Read[] {
  return readNamesOf(state, id).flatMap(({ reads }) => reads);
}
