/** The assistant's tools that change cells: each first makes a plan, which the user may have to confirm. */

import { structuredPatch } from 'diff';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { HIDDEN } from '../../lib/redactor.ts';
import { newCellId } from '../../notebook/edits/newCellId.ts';
import {
  dispatch,
  errorOutcome,
  findCell,
  idOf,
  labelOf,
  type Plan,
  refusalOf,
  staleAfter,
  successOutcome,
  type ToolContext,
  type ToolOutcome,
  unknownCell,
} from './toolContext.ts';
import type { ArgumentsOf } from './toolSpecs.ts';

/** A plan, or the reason why there is none. */
export type PlanOrRefusal = { readonly plan: Plan } | { readonly outcome: ToolOutcome };

/** Adds a cell together with its text, in one step. */
export function planCreate(context: ToolContext, args: ArgumentsOf<'create_cell'>): PlanOrRefusal {
  const name = args.after_variable ?? null;
  const after = name === null ? null : findCell(context, name);
  if (name !== null && after === null) return { outcome: unknownCell(name) };
  const { source, language } = args;
  return {
    plan: {
      summary: `Add a ${language} cell${after === null ? '' : ` after ${labelOf(after)}`}`,
      preview: async () => ({ kind: 'create', language, source, after_cell_id: after?.id ?? null }),
      async apply() {
        const afterId = after === null ? null : idOf(after);
        const cellId = newCellId();
        let refused: ToolOutcome | null = null;
        await context.change({ kind: 'added', cellId }, async () => {
          const reply = await dispatch(context, { type: 'add_cell', cellId, afterId, language, source });
          if (reply.kind === 'cell') return { kind: 'added', cellId: reply.cellId };
          refused = refusalOf(reply) ?? errorOutcome('The cell was not added.');
          return null;
        });
        if (refused !== null) return refused;
        const added = context.notebook.views.cells.one(cellId);
        context.seen.set(cellId, added?.source ?? source);
        const names = added?.defines.join(', ') || 'no names';
        return successOutcome(`Added cell ${cellId}, which defines ${names}.`);
      },
    },
  };
}

/** Replaces a text that the model has read; a text that has changed since is never overwritten. */
export function planEdit(context: ToolContext, args: ArgumentsOf<'edit_cell'>): PlanOrRefusal {
  const cell = findCell(context, args.variable_name);
  if (cell === null) return { outcome: unknownCell(args.variable_name) };
  const unread = whyUnread(context, cell);
  if (unread !== null) return { outcome: unread };
  const before = cell.source;
  const after = args.new_source;
  if (before === after) return { outcome: successOutcome('The cell has this source already.') };
  if (after.includes(HIDDEN) && !before.includes(HIDDEN)) {
    const words =
      'The new source contains [hidden], which replaces a secret value that you cannot see: the edit would destroy it. ' +
      'Leave the lines with [hidden] to the person.';
    return { outcome: errorOutcome(words) };
  }
  return {
    plan: {
      summary: `Change cell ${labelOf(cell)}`,
      preview: async () => ({
        kind: 'edit',
        cell_id: cell.id,
        before,
        after,
        diff: diffOf(before, after),
        stale: [...staleAfter(context, cell)],
      }),
      async apply() {
        const cellId = idOf(cell);
        const request = { type: 'edit_source', cellId, source: after, force: false, base: before } as const;
        let outcome = errorOutcome('The cell was not changed.');
        await context.change({ kind: 'source', cellId, before, after }, async () => {
          const reply = await dispatch(context, request);
          const now = context.notebook.views.cells.one(cellId)?.source ?? null;
          // A text that the disk refused is in the session and is written again.
          const isMade = reply.kind === 'done' || (reply.kind === 'refused' && now === after);
          outcome = refusalOf(reply) ?? (isMade && now !== null ? successOutcome('Changed.') : outcome);
          if (!isMade || now === null) return null;
          context.seen.set(cellId, now);
          return { kind: 'source', cellId, before, after: now };
        });
        return outcome;
      },
    },
  };
}

export function planDelete(context: ToolContext, args: ArgumentsOf<'delete_cell'>): PlanOrRefusal {
  const cell = findCell(context, args.variable_name);
  if (cell === null) return { outcome: unknownCell(args.variable_name) };
  const unread = whyUnread(context, cell);
  if (unread !== null) return { outcome: unread };
  return {
    plan: {
      summary: `Delete cell ${labelOf(cell)}`,
      preview: async () => ({
        kind: 'delete',
        cell_id: cell.id,
        source: cell.source,
        stale: [...staleAfter(context, cell)],
        lost: [...lostNames(context, cell)],
      }),
      async apply() {
        const cellId = idOf(cell);
        // Exactly the confirmed text is deleted.
        if (context.notebook.views.cells.one(cellId)?.source !== cell.source) {
          return errorOutcome(
            'The cell was changed in the meantime, so it was not deleted. Read the notebook’s state.',
          );
        }
        const refused = await putBack(context, cell);
        if (refused !== null) return refused;
        let outcome = errorOutcome('The cell was not deleted.');
        await context.change({ kind: 'deleted', cellId }, async () => {
          const reply = await dispatch(context, { type: 'delete_cell', cellId });
          outcome = refusalOf(reply) ?? outcome;
          if (reply.kind !== 'done' || context.notebook.views.cells.one(cellId) !== null) return null;
          context.seen.delete(cellId);
          outcome = successOutcome('Deleted.');
          return { kind: 'deleted', cellId };
        });
        return outcome;
      },
    },
  };
}

/**
 * Restores the earlier text of a cell that this job changed, before the cell is deleted, so that undoing the
 * deletion restores exactly that text.
 * @returns the refusal, or null
 */
async function putBack(context: ToolContext, cell: Cell): Promise<ToolOutcome | null> {
  const text = context.textBefore(cell.id);
  if (text === null) return null;
  const cellId = idOf(cell);
  const request = { type: 'edit_source', cellId, source: text, force: false, base: cell.source } as const;
  const change = { kind: 'source', cellId, before: cell.source, after: text } as const;
  let refused: ToolOutcome | null = null;
  await context.change(change, async () => {
    const reply = await dispatch(context, request);
    if (reply.kind === 'done') return change;
    refused = refusalOf(reply) ?? errorOutcome('The cell was not deleted.');
    return null;
  });
  return refused;
}

/** Names of this cell that other cells read and no other cell defines. */
function lostNames(context: ToolContext, cell: Cell): readonly string[] {
  const others = context.notebook.views.cells.all().filter(({ id }) => id !== cell.id);
  const isRead = (name: string) => others.some(({ references }) => references.includes(name));
  const isDefined = (name: string) => others.some(({ defines }) => defines.includes(name));
  return cell.defines.filter((name) => isRead(name) && !isDefined(name));
}

/** The model has not read the current text of the cell: it gets the text, and decides again. */
function whyUnread(context: ToolContext, cell: Cell): ToolOutcome | null {
  if (context.seen.get(cell.id) === cell.source) return null;
  const wasRead = context.seen.has(cell.id);
  context.seen.set(cell.id, cell.source);
  const redactedSource = context.notebook.views.notebook.redactor().text(cell.source);
  const words = wasRead ? 'This cell was changed since you read it.' : 'You have not read this cell yet.';
  return errorOutcome(
    `${words} Nothing was done. Decide again:\n${context.fence.wrap(`the source of cell ${cell.id}`, redactedSource)}`,
  );
}

/** For more edits than this a diff is not readable: both texts are shown instead. */
const MAX_EDITS = 2_000;

function diffOf(before: string, after: string): string {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: MAX_EDITS });
  return (patch?.hunks ?? [])
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n');
}
