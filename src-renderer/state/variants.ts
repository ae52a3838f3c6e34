/** Determines which cells the notebook's column shows, in which order: one member of each variant group. */

import type { VariantGroup } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';
import type { NotebookView } from './notebookStore.ts';
import { hiddenBySections } from './sections.ts';

/** The parts of a view that determine which member of each variant group the column shows. */
type Showing = Pick<NotebookView, 'shownVariants'> & {
  readonly model: Pick<NotebookModel, 'order' | 'meta'>;
};

export function groupsOf(view: Showing): readonly VariantGroup[] {
  return view.model.meta?.variant_groups ?? [];
}

/** The group a cell is a variant of. */
export function groupOf(view: Showing, cellId: string): VariantGroup | null {
  return groupsOf(view).find(({ members }) => members.some((one) => one.cell_id === cellId)) ?? null;
}

/** The visible member of a group: the one selected in this window, else the active one. */
function shownMember(view: Showing, group: VariantGroup): string {
  const selectedId = Object.hasOwn(view.shownVariants, group.group)
    ? view.shownVariants[group.group]
    : undefined;
  return group.members.some(({ cell_id }) => cell_id === selectedId)
    ? (selectedId ?? '')
    : group.active_cell_id;
}

/**
 * The visible cells, top to bottom: one of each variant group, without cells that are being deleted or are in a folded
 * section.
 */
export function shownOrder(
  view: Showing &
    Pick<NotebookView, 'leaving' | 'foldedSections'> & { readonly model: Pick<NotebookModel, 'cells'> },
): readonly string[] {
  const { leaving } = view;
  const { order } = view.model;
  const groups = groupsOf(view);
  const folded = hiddenBySections(view);
  if (groups.length === 0 && Object.keys(leaving).length === 0 && folded.size === 0) return order;
  const isSame =
    last?.order === order && last.groups === groups && last.leaving === leaving && last.folded === folded;
  if (last !== null && isSame && last.shown === view.shownVariants) return last.cells;
  const hidden = new Set(
    groups.flatMap((group) =>
      group.members.map(({ cell_id }) => cell_id).filter((id) => id !== shownMember(view, group)),
    ),
  );
  const cells = order.filter((id) => !hidden.has(id) && !folded.has(id) && leaving[id] === undefined);
  last = { order, groups, leaving, folded, shown: view.shownVariants, cells };
  return cells;
}

let last: {
  readonly order: readonly string[];
  readonly groups: readonly VariantGroup[];
  readonly leaving: NotebookView['leaving'];
  readonly folded: ReadonlySet<string>;
  readonly shown: NotebookView['shownVariants'];
  readonly cells: readonly string[];
} | null = null;

/** These cells and all other variants of their groups, in notebook order, which move together. */
export function withSiblings(view: Showing, cellIds: readonly string[]): readonly string[] {
  const memberIds = new Set(cellIds);
  for (const id of cellIds) {
    for (const member of groupOf(view, id)?.members ?? []) memberIds.add(member.cell_id);
  }
  return view.model.order.filter((id) => memberIds.has(id));
}

/** The focused cell, or the visible member of its group. */
export function focusedShown(view: Showing & Pick<NotebookView, 'focusedId'>): string | null {
  const group = view.focusedId === null ? null : groupOf(view, view.focusedId);
  return group === null ? view.focusedId : shownMember(view, group);
}

/**
 * The visible variants after a cell gets the focus: its group shows this cell. Returns the same record if nothing
 * changes.
 */
export function variantsToShow(view: Showing, cellId: string | null): NotebookView['shownVariants'] {
  const group = cellId === null ? null : groupOf(view, cellId);
  if (cellId === null || group === null || shownMember(view, group) === cellId) return view.shownVariants;
  return { ...view.shownVariants, [group.group]: cellId };
}

/** The visible variants after the groups changed: a selection ends when another member becomes active. */
export function afterGroups(
  shownVariants: NotebookView['shownVariants'],
  before: readonly VariantGroup[],
  after: readonly VariantGroup[],
): NotebookView['shownVariants'] {
  if (before === after) return shownVariants;
  const remaining = Object.entries(shownVariants).filter(([name]) => {
    const now = after.find(({ group }) => group === name);
    const was = before.find(({ group }) => group === name);
    return now !== undefined && now.active_cell_id === was?.active_cell_id && now.mode === was.mode;
  });
  return remaining.length === Object.keys(shownVariants).length
    ? shownVariants
    : Object.fromEntries(remaining);
}
