/** MCP tools that change cells. */

import * as z from 'zod';
import { type Cell, language, variantGroup } from '../../../src-shared/wire/cell.ts';
import { cellView } from '../../../src-shared/wire/cellView.ts';
import { MAX_SOURCE_CHARACTERS } from '../../../src-shared/wire/routes/params.ts';
import { cellNameOf } from '../../../src-shared/wire/toCellView.ts';
import { ToolRefusal } from '../mcpCaller.ts';
import {
  author,
  cellId,
  defineTool,
  note,
  notifyWindows,
  readCell,
  shownCell,
  sid,
  type Tool,
  type ToolCall,
} from '../tool.ts';
import { recordUndo } from '../undoEntries.ts';
import { cellsView } from './reading.ts';

const source = z.string().max(MAX_SOURCE_CHARACTERS).describe('The whole source of the cell.');

/** The common input of `add_cell` and `run_snippet`. */
export const addInput = z.object({
  session_id: sid,
  source,
  after: z.string().nullish().describe('Id of the cell to add it after. Default: at the end.'),
  language: language.default('python'),
  author,
});

/**
 * Adds a cell with its source; one undo reverts both.
 * @throws ToolRefusal; the cell is then removed again
 */
export async function addCell(call: ToolCall, input: z.output<typeof addInput>): Promise<Cell> {
  const { session_id, after, language: languageName } = input;
  const by = input.author === undefined || input.author === null ? {} : { author: input.author };
  const { caller } = call;
  const added = await caller.call('addCell', {
    params: { sid: session_id },
    body: { language: languageName, after_cell_id: after ?? null, ...by },
  });
  const params = { sid: session_id, cell_id: added.id };
  let cell = added;
  if (input.source !== '') {
    try {
      ({ cell } = await caller.call('editCell', { params, body: { source: input.source, ...by } }));
    } catch (error) {
      await caller.call('deleteCell', { params });
      throw error;
    }
  }
  await recordUndo(call, session_id, { deed: 'add', changes: [{ kind: 'added', cellId: added.id }] });
  return cell;
}

/** Tools that change cells. Each change can be undone in a window and is in the history of the cell. */
export const EDITING_TOOLS: Readonly<Record<string, Tool>> = {
  add_cell: defineTool({
    scope: 'notebook:write',
    title: 'Add a cell',
    description: 'Add a cell without running it.',
    input: addInput,
    output: cellView,
    async run(call, input) {
      const cell = await addCell(call, input);
      await notifyWindows(call, input.session_id, `added ${cellNameOf(cell)}`);
      return { result: shownCell(call, input.session_id, cell) };
    },
  }),
  edit_cell: defineTool({
    scope: 'notebook:write',
    title: 'Edit a cell',
    description:
      'Replace the source of a cell without running it. If the cell was changed since you last read it, the edit is refused: read it again first.',
    input: z.object({ session_id: sid, cell_id: cellId, source, author }),
    output: cellView,
    destructive: true,
    async run(call, { session_id, cell_id, source: text, author: by }) {
      const before = await readCell(call, session_id, cell_id);
      const lastSeenSource = call.seen.of(session_id, cell_id);
      if (lastSeenSource !== undefined && lastSeenSource !== before.source && text !== before.source) {
        throw new ToolRefusal(
          'The cell was changed since you last read it. Read it with get_cell, then edit its new source.',
          'cell_locked',
        );
      }
      const { cell } = await call.caller.call('editCell', {
        params: { sid: session_id, cell_id },
        // Text typed between the check above and the edit is not overwritten either.
        body: { source: text, base: before.source, ...(by == null ? {} : { author: by }) },
      });
      if (cell.source !== before.source) {
        const change = {
          kind: 'source',
          cellId: cell_id,
          before: before.source,
          after: cell.source,
        } as const;
        await recordUndo(call, session_id, { deed: 'edit', changes: [change] });
        await notifyWindows(call, session_id, `edited ${cellNameOf(cell)}`);
      }
      return { result: shownCell(call, session_id, cell) };
    },
  }),
  remove_cell: defineTool({
    scope: 'notebook:write',
    title: 'Delete a cell',
    description: 'Delete a cell. A person can undo it.',
    input: z.object({ session_id: sid, cell_id: cellId }),
    output: z.object({ removed: z.string() }),
    destructive: true,
    async run(call, { session_id, cell_id }) {
      const cell = await readCell(call, session_id, cell_id);
      await call.caller.call('deleteCell', { params: { sid: session_id, cell_id } });
      await recordUndo(call, session_id, { deed: 'delete', changes: [{ kind: 'deleted', cellId: cell_id }] });
      await notifyWindows(call, session_id, `deleted ${cellNameOf(cell)}`);
      return { result: { removed: cell_id } };
    },
  }),
  move_cell: defineTool({
    scope: 'notebook:write',
    title: 'Move a cell',
    description: 'Move a cell to a position among all cells; 0 is the first.',
    input: z.object({ session_id: sid, cell_id: cellId, index: z.int().min(0) }),
    output: cellsView,
    async run(call, { session_id, cell_id, index }) {
      const cell = await readCell(call, session_id, cell_id);
      const params = { sid: session_id };
      const before = (await call.caller.call('listCells', { params })).cells.map(({ id }) => id);
      const after = before.filter((id) => id !== cell_id).toSpliced(index, 0, cell_id);
      const { cells } = await call.caller.call('reorderCells', { params, body: { cell_ids: after } });
      if (after.join() !== before.join()) {
        await recordUndo(call, session_id, { deed: 'move', changes: [{ kind: 'order', before, after }] });
        await notifyWindows(call, session_id, `moved ${cellNameOf(cell)}`);
      }
      return { result: { cells: cells.map((one) => shownCell(call, session_id, one)) } };
    },
  }),
  set_variant: defineTool({
    scope: 'notebook:write',
    title: 'Choose a variant',
    description: 'Choose the active variant of a group, or whether one variant runs (switch) or all (sweep).',
    input: z.object({
      session_id: sid,
      group: z.string().describe('Name of the group.'),
      active: z.string().nullish().describe('Name of the variant to make active.'),
      mode: z.enum(['switch', 'sweep']).nullish(),
    }),
    output: z.object({ variant_groups: z.array(variantGroup), cells: z.array(cellView) }),
    async run(call, { session_id, group, active, mode }) {
      const before = chosenOf(call, session_id, group);
      const { variant_groups, cells } = await call.caller.call('chooseVariant', {
        params: { sid: session_id, group_id: group },
        body: { active: active ?? null, mode: mode ?? null },
      });
      const after = chosenOf(call, session_id, group);
      if (before !== null && after !== null && JSON.stringify(before) !== JSON.stringify(after)) {
        const change = { kind: 'variant', group, before, after } as const;
        await recordUndo(call, session_id, { deed: 'variant', changes: [change] });
      }
      await notifyWindows(call, session_id, `changed the variants of ${group}`);
      return {
        result: { variant_groups, cells: cells.map((one) => shownCell(call, session_id, one)) },
      };
    },
  }),
  note: defineTool({
    scope: 'notebook:write',
    title: 'Tell the person',
    description: 'Show a short message in the windows of the notebook. It is not stored.',
    input: z.object({ session_id: sid, message: z.string().max(2000) }),
    output: z.object({ ok: z.boolean() }),
    async run(call, { session_id, message }) {
      await note(call, session_id, { source: 'agent', text: message });
      return { result: { ok: true } };
    },
  }),
};

function chosenOf({ session }: ToolCall, sid: string, group: string) {
  const variantGroup = session(sid)
    .views.notebook.body()
    .variant_groups.find((one) => one.group === group);
  return variantGroup === undefined ? null : { active: variantGroup.active_name, mode: variantGroup.mode };
}
