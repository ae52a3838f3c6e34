/** The MCP tool that saves an output of a cell to a file. */

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolderAt, moveTo, removeFile } from '../../lib/guardedFolder/names.ts';
import { pathOf } from '../../lib/guardedFolder/place.ts';
import { streamTo } from '../../lib/guardedFolder/replace.ts';
import { ownPlace } from '../../notebook/folder/ownPlaces.ts';
import type { Session } from '../../session/api.ts';
import { HELD_MESSAGE } from '../../session/state/holds.ts';
import { ToolRefusal } from '../mcpCaller.ts';
import { readCell, type ToolCall, type ToolResult } from '../tool.ts';

/** File extensions by content type; any other output is `.bin`. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/markdown': 'md',
  'text/html': 'html',
  'text/plain': 'txt',
  'json/object': 'json',
  'application/json': 'json',
  'arrow/ipc': 'arrow',
  'pickle/object': 'pickle',
};

interface Saved {
  cell_id: string;
  index: number;
  path: string;
  content_type: string;
  bytes: number;
}

/** Writes one output of a cell to `.svc/outputs/<cell>-<i>.<ext>` of the notebook's folder. */
export async function saveOutput(
  call: ToolCall,
  {
    session_id,
    cell_id,
    index,
  }: { readonly session_id: string; readonly cell_id: string; readonly index: number },
): Promise<ToolResult<Saved>> {
  const session = call.session(session_id);
  const cell = await readCell(call, session_id, cell_id);
  refuseUnwritable(session);
  const blob = await call.caller.call('outputBlob', { params: { sid: session_id, cell_id, index } });
  const at = Number(blob.headers['X-Svc-Output-Index'] ?? index);
  const name = `${cell.id}-${at}.${EXTENSIONS[blob.contentType] ?? 'bin'}`;
  const target = ownPlace(session.path, 'outputs', name);
  makeFolderAt(ownPlace(session.path, 'outputs'));
  // Written atomically: a program that watches the folder never reads a partial figure.
  const temp = ownPlace(session.path, 'outputs', `.${randomUUID()}.tmp`);
  let bytes = 0;
  try {
    const pieces = await blob.pieces();
    await pipeline(
      Readable.from(pieces),
      countInto((length) => (bytes += length)),
      streamTo(temp),
    );
    moveTo(temp, target);
  } catch (error) {
    removeFile(temp);
    throw error;
  }
  return { result: { cell_id, index: at, path: pathOf(target), content_type: blob.contentType, bytes } };
}

/**
 * Refuses to write into a folder before it is trusted, and during a hold.
 * @throws ToolRefusal
 */
function refuseUnwritable(session: Session): void {
  const { untrusted, folder_problem } = session.views.notebook.body();
  const why =
    folder_problem ?? untrusted ?? (session.views.notebook.hold === 'held' ? HELD_MESSAGE : undefined);
  if (why !== undefined) throw new ToolRefusal(why);
}

function countInto(add: (length: number) => void) {
  return async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      add(piece.byteLength);
      yield piece;
    }
  };
}
