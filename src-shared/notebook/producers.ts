/** Finds, along the cells of a notebook, which cell or group of variants provides a name to the next cell. */

import type { CellId } from './ids.ts';

/**
 * One variable from several runs: a reader gets `{variant: value}`, a fan-out over the group gets one value per run.
 */
export interface Bundle {
  /** From the members of a swept group, or from one cell that runs once per variant of it. */
  readonly kind: 'sweep' | 'fanout';
  readonly group: string;
  /** Sorted by name. */
  readonly variants: readonly { readonly name: string; readonly cellId: CellId }[];
  /** The cells that make it, in cell order, without duplicates. */
  readonly givers: readonly CellId[];
}

/** A cell that runs once per variant of a group it reads (docs/spec/analysis-and-graph.md, 3.4). */
export interface FanOut {
  readonly group: string;
  /** Sorted. */
  readonly variants: readonly string[];
}

interface Definer {
  readonly id: CellId;
  /** The cell's membership in a swept group. */
  readonly member: { readonly group: string; readonly name: string } | null;
  readonly fanOut: FanOut | null;
}

interface Single {
  readonly kind: 'cell';
  readonly id: CellId;
}

export type Producer = Single | Bundle;

/** The provider of a name, and the earlier provider that the members of a swept group replace. */
interface GivenName {
  readonly producer: Producer;
  readonly beneath: GivenName | null;
}

/** A cell as provider of its names; null for a member of a swept group, see {@link Producers.join}. */
export function producerOf({ id, member, fanOut }: Definer): GivenName | null {
  if (member !== null) return null;
  return { producer: fanOut === null ? { kind: 'cell', id } : fanned(id, fanOut), beneath: null };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The current provider of each name while the cells are walked in order: the nearest earlier definer. */
export class Producers {
  readonly #given = new Map<string, GivenName>();

  /**
   * @param group the reader's own swept group, whose members do not see each other (docs/spec/analysis-and-graph.md,
   * 3.3)
   */
  find(name: string, group: string | null): Producer | null {
    return this.#besides(name, group)?.producer ?? null;
  }

  /** Adds a definition; returns a warning if it replaces another one, or null. */
  define(name: string, own: GivenName): string | null {
    const before = this.#given.get(name) ?? null;
    this.#given.set(name, own);
    return before === null ? null : nameOf(before.producer);
  }

  /** Makes a member of a swept group a provider of the name, together with its siblings. */
  join(name: string, { id, member }: Definer): string | null {
    if (member === null) return null;
    const before = this.#given.get(name) ?? null;
    const beneath = this.#besides(name, member.group);
    const siblings = before === beneath ? null : before;
    this.#given.set(name, { producer: swept(siblings, { id, ...member }), beneath });
    return beneath === null ? null : nameOf(beneath.producer);
  }

  labels(): ReadonlyMap<string, string> {
    const labels = new Map<string, string>();
    for (const [name, { producer }] of this.#given) {
      labels.set(name, producer.kind === 'cell' ? producer.id : `${producer.kind}:${producer.group}`);
    }
    return labels;
  }

  #besides(name: string, group: string | null): GivenName | null {
    const before = this.#given.get(name) ?? null;
    const own = group !== null && before?.producer.kind === 'sweep' && before.producer.group === group;
    return own ? before.beneath : before;
  }
}

/** `known`: the providers of other members of the same group. */
function swept(
  earlier: GivenName | null,
  member: { readonly id: CellId; readonly group: string; readonly name: string },
): Bundle {
  const before = earlier === null || earlier.producer.kind === 'cell' ? null : earlier.producer;
  const { id, group, name } = member;
  return {
    kind: 'sweep',
    group,
    variants: [...(before?.variants ?? []), { name, cellId: id }].sort(byName),
    givers: [...(before?.givers ?? []), id],
  };
}

function fanned(id: CellId, { group, variants }: FanOut): Bundle {
  return { kind: 'fanout', group, variants: variants.map((name) => ({ name, cellId: id })), givers: [id] };
}

function nameOf(producer: Producer): string {
  if (producer.kind === 'sweep') return `group ${producer.group}`;
  return `cell ${(producer.kind === 'cell' ? producer.id : (producer.givers[0] ?? '')).slice(0, 8)}`;
}

/**
 * The group a fan-out runs over: the one it names, or the only one it reads. Null if there is none or more than one:
 * the cell is then an ordinary one (docs/spec/analysis-and-graph.md, 3.4). The variants of all its variables count.
 */
export function fanOutOf(explicit: string | null, bundles: ReadonlyMap<string, Bundle>): FanOut | null {
  const groups = new Set([...bundles.values()].map(({ group }) => group));
  const group = explicit ?? (groups.size === 1 ? [...groups][0] : undefined);
  if (group === undefined || !groups.has(group)) return null;
  const variants = [...bundles.values()].filter((bundle) => bundle.group === group);
  const names = new Set(variants.flatMap((bundle) => bundle.variants.map(({ name }) => name)));
  return { group, variants: [...names].sort() };
}
