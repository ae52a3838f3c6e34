import { randomUUID } from 'node:crypto';
import type { UndoEntry } from '../../src-shared/wire/undo.ts';
import type { ToolCall } from './tool.ts';

/**
 * Adds a change that an agent made by an MCP tool to the notebook's undo record and to the stacks of open windows, so
 * that a user can undo it like their own changes. If the record cannot be written, that is only logged.
 */
export async function recordUndo(
  call: ToolCall,
  sid: string,
  { deed, changes }: Pick<UndoEntry, 'deed' | 'changes'>,
): Promise<void> {
  const session = call.session(sid);
  const origin = { by: call.client.slice(0, 128), at: new Date().toISOString() };
  const entry: UndoEntry = { id: `mcp-${randomUUID()}`, deed, changes, origin };
  const identity = call.caller.identity(undefined);
  await session.dispatch({ type: 'broadcast_undo_entry', entry }, { kind: 'caller', identity });
  try {
    await session.views.editor.undoRecord.keep({ done: [entry], undone: [], gone: [] });
  } catch (error) {
    call.warn(error, "an agent's change was not added to the undo record");
  }
}
