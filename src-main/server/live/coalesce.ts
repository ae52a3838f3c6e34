/** Decides which frames in the send queue of a slow client can be merged, dropped or reordered. */

import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';

/** A console frame with this many characters takes no more text, so that messages stay small. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * One frame with the text of both, if both are console text of the same stream; else null.
 * It keeps the first one's chunk number, which may clear the stream.
 */
export function mergedConsole(first: ServerFrame, second: ServerFrame): ServerFrame | null {
  if (first.type !== 'cell_console' || second.type !== 'cell_console') return null;
  const [one, two] = [first.payload, second.payload];
  const alike = one.cell_id === two.cell_id && one.stream === two.stream;
  // Chunk 0 clears the text before it (docs/spec/live-protocol.md, 5.2).
  if (!alike || two.chunk_seq === 0 || one.text.length + two.text.length > MAX_CHARACTERS) return null;
  return { type: 'cell_console', payload: { ...one, text: one.text + two.text } };
}

/**
 * Whether `old` can be dropped once `next` is queued: a presence frame, or a status of the same cell that is not
 * `running` (which would have cleared the console, docs/spec/live-protocol.md, 5.2).
 */
export function supersedes(next: ServerFrame, old: ServerFrame): boolean {
  if (next.type === 'presence') return old.type === 'presence';
  return (
    next.type === 'cell_status' &&
    old.type === 'cell_status' &&
    old.payload.cell_id === next.payload.cell_id &&
    old.payload.status !== 'running'
  );
}

/**
 * Whether console text may be sent after a frame that came later: yes for text of other cells or of the other stream.
 */
export function mayPass(text: ServerFrame, later: ServerFrame): boolean {
  if (text.type !== 'cell_console' || !('cell_id' in later.payload)) return false;
  if (later.payload.cell_id !== text.payload.cell_id) return true;
  return later.type === 'cell_console' && later.payload.stream !== text.payload.stream;
}
