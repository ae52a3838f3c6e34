/** Groups the cells of a notebook that are variants of each other, and chooses the active ones. */

import type { CellId } from './ids.ts';

/**
 * The settings of a group of variants in notebook.toml; a group without an entry is switched, its first
 * member active.
 */
export interface VariantSetting {
  readonly group: string;
  /** Empty: the first member in cell order. */
  readonly active: string;
  readonly mode: 'switch' | 'sweep';
}

interface VariantMember {
  readonly cellId: CellId;
  readonly name: string;
  /** In the graph: the active member of a switched group, every member of a swept one. */
  readonly isActive: boolean;
}

/** Alternative cells: one of them is in the notebook (switch), or all of them are (sweep). */
export interface VariantGroup {
  readonly group: string;
  readonly mode: 'switch' | 'sweep';
  readonly activeName: string;
  readonly activeCellId: CellId;
  /** In cell order. */
  readonly members: readonly VariantMember[];
}

/** The groups of a notebook, by their first member. */
export interface Variants {
  readonly groups: readonly VariantGroup[];
  /**
   * Members of switched groups that are not active: they have no edges and never run (docs/spec/analysis-and-graph.md,
   * 3.2).
   */
  readonly inactive: ReadonlySet<CellId>;
}

export const NO_VARIANTS: Variants = { groups: [], inactive: new Set() };

interface Cell {
  readonly id: CellId;
  readonly variant: { readonly group: string; readonly name: string } | null;
}

/** The file's selection if it names a member, else the first member (docs/spec/analysis-and-graph.md, 3.2). */
export function groupVariants(cells: readonly Cell[], settings: readonly VariantSetting[]): Variants {
  const byGroup = new Map<string, { readonly cellId: CellId; readonly name: string }[]>();
  for (const { id, variant } of cells) {
    if (variant === null) continue;
    const members = byGroup.get(variant.group) ?? [];
    byGroup.set(variant.group, members);
    members.push({ cellId: id, name: variant.name });
  }
  if (byGroup.size === 0) return NO_VARIANTS;
  const groups = Array.from(byGroup, ([group, members]): VariantGroup => {
    const setting = settings.find((one) => one.group === group);
    const mode = setting?.mode ?? 'switch';
    const active = members.find(({ name }) => name === setting?.active) ?? members[0];
    if (active === undefined) throw new Error(`the variant group ${group} has no member`);
    return {
      group,
      mode,
      activeName: active.name,
      activeCellId: active.cellId,
      members: members.map((one) => ({ ...one, isActive: mode === 'sweep' || one === active })),
    };
  });
  const idle = groups.flatMap(({ members }) => members.filter(({ isActive }) => !isActive));
  return { groups, inactive: new Set(idle.map(({ cellId }) => cellId)) };
}

/**
 * A message with the first name that two members of one group share; such a notebook has no graph
 * (docs/spec/analysis-and-graph.md, 3.1).
 */
export function duplicateVariant(
  groups: readonly VariantGroup[],
): { readonly cells: readonly CellId[]; readonly message: string } | null {
  for (const { group, members } of groups) {
    for (const [at, { name }] of members.entries()) {
      const twins = members.slice(at).filter((other) => other.name === name);
      if (twins.length < 2) continue;
      const cells = twins.map(({ cellId }) => cellId);
      return {
        cells,
        message: `two cells are the variant "${name}" of "${group}": ${cells.join(', ')}. Rename one of them`,
      };
    }
  }
  return null;
}

/** `<active>_copy`, `<active>_copy2`, …: the first unused one (docs/spec/analysis-and-graph.md, 3.2). */
export function unusedCopyName(active: string, usedNames: ReadonlySet<string>): string {
  for (let at = 1; ; at += 1) {
    const name = `${active}_copy${at === 1 ? '' : at}`;
    if (!usedNames.has(name)) return name;
  }
}

const SUFFIX = '@variant=';

/**
 * The label of a fan-out's variable: one result per variant (docs/spec/analysis-and-graph.md, 3.4;
 * docs/spec/provenance-and-cache.md, 2).
 */
export function variantLabel(name: string, variant: string | null): string {
  return variant === null ? name : `${name}${SUFFIX}${variant}`;
}

/** Parses such a label; a plain one has no variant. */
export function readVariantLabel(label: string): { readonly name: string; readonly variant: string | null } {
  const at = label.indexOf(SUFFIX);
  return at === -1
    ? { name: label, variant: null }
    : { name: label.slice(0, at), variant: label.slice(at + SUFFIX.length) };
}
