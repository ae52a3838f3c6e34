/**
 * The part of the session's reducer for groups of variants, whose active member is stored in the notebook's file
 * (docs/spec/analysis-and-graph.md, 3.2).
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { withVariant } from '../../../src-shared/notebook/variantDirective.ts';
import { unusedCopyName, type VariantGroup } from '../../../src-shared/notebook/variants.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { DeletedVariant, VariantEdit } from '../../notebook/edits/variantEdits.ts';
import type { Reducer } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { reduction, refuse, refuseClosing, unchanged } from './reductions.ts';

function groupOf(state: SessionState, name: string): VariantGroup | undefined {
  return state.graph.groups.find(({ group }) => group === name);
}

function unknownGroup(group: string): AppError {
  return new AppError('not_found', `There is no variant group ${group}.`);
}

export const addVariant: Reducer<'add_variant'> = (state, event) => {
  if (state.closing) return refuseClosing(state, event);
  const group = groupOf(state, event.group);
  const active = group === undefined ? undefined : state.cells.get(group.activeCellId);
  const last = group?.members.at(-1);
  if (group === undefined || active === undefined || last === undefined) {
    return refuse(state, event, unknownGroup(event.group));
  }
  const name = unusedCopyName(group.activeName, new Set(group.members.map((member) => member.name)));
  const copy = {
    name,
    afterId: last.cellId,
    likeId: active.id,
    language: active.language,
    source: withVariant(active.source, { group: group.group, name }),
    // Every member of a swept group runs: there is no choice.
    setting: group.mode === 'sweep' ? null : { group: group.group, active: name, mode: null },
  };
  const change = { kind: 'add_variant', request: event, copy } as const;
  return reduction(state, [], [{ type: 'change_structure', ticket: event.ticket, change }]);
};

export const chooseVariant: Reducer<'choose_variant'> = (state, event) => {
  if (state.closing) return refuseClosing(state, event);
  const { ticket, active, mode, origin } = event;
  const group = groupOf(state, event.group);
  if (group === undefined) return refuse(state, event, unknownGroup(event.group));
  // Over the live protocol a swept group has no active member to choose (docs/spec/live-protocol.md, 4).
  if (origin.kind === 'socket' && group.mode === 'sweep' && mode === null) {
    const doneReply = { type: 'reply', ticket, reply: { kind: 'done' } } as const;
    return { ...unchanged(state), effects: [doneReply] };
  }
  const setting: VariantEdit = { group: event.group, active, mode };
  const change = { kind: 'choose_variant', request: event, setting } as const;
  return reduction(state, [], [{ type: 'change_structure', ticket, change }]);
};

/**
 * How deleting a cell changes its group's entry: if the file names the deleted cell, the first remaining one
 * is promoted; the last member removes the entry (docs/spec/analysis-and-graph.md, 3.2). Null: no change.
 */
export function deletedVariant(state: SessionState, id: CellId): DeletedVariant | null {
  const group = state.graph.groups.find(({ members }) => members.some(({ cellId }) => cellId === id));
  const entry = state.file.variantGroups.find((one) => one.group === group?.group);
  if (group === undefined || entry === undefined) return null;
  const survivors = group.members.filter(({ cellId }) => cellId !== id);
  const memberName = group.members.find(({ cellId }) => cellId === id)?.name;
  const isStillThere = survivors.some(({ name }) => name === entry.active);
  if (survivors.length > 0 && (entry.active !== memberName || isStillThere)) return null;
  const { active, mode } = entry;
  return { group: group.group, active, mode, promoted: survivors[0]?.name ?? null };
}
