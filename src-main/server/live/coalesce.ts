import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';

/** A console frame of more characters takes no further text: what one message brings stays small. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * The one frame that says what two say one after the other, where both are console text of one stream; else null.
 * It keeps the first one's chunk number, which may clear the stream.
 */
export function mergedConsole(first: ServerFrame, second: ServerFrame): ServerFrame | null {
  if (first.type !== 'cell_console' || second.type !== 'cell_console') return null;
  const [one, two] = [first.payload, second.payload];
  const alike = one.cell_id === two.cell_id && one.stream === two.stream;
  // Chunk 0 clears what came before it (live-protocol 5.2).
  if (!alike || two.chunk_seq === 0 || one.text.length + two.text.length > MOST_CHARACTERS) return null;
  return { type: 'cell_console', payload: { ...one, text: one.text + two.text } };
}

/**
 * Whether nobody misses `old` once `next` is on its way: a status of the same cell that is not `running`, which would
 * have cleared the console (live-protocol 5.2), and who is here.
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

/** Whether console text may be told after a frame that came later than it: text of other cells or the other stream. */
export function mayPass(text: ServerFrame, later: ServerFrame): boolean {
  if (text.type !== 'cell_console' || !('cell_id' in later.payload)) return false;
  if (later.payload.cell_id !== text.payload.cell_id) return true;
  return later.type === 'cell_console' && later.payload.stream !== text.payload.stream;
}
