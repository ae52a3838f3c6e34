import { htmlExport } from '../../convert/export/htmlExport.ts';
import { markdownExport } from '../../convert/export/markdownExport.ts';
import { snapshotExport } from '../../convert/export/snapshotExport.ts';
import type { ExportView } from '../../convert/exportView.ts';
import { composeApp } from '../composeApp.ts';
import { NoSuchCell, type Wanted } from './exportWanted.ts';

/**
 * Exports a notebook folder that this process opens for it; `write` takes the pieces while it is open.
 * @throws AppError, ConfigError where it cannot be opened; NoSuchCell; whatever `write` throws
 */
export async function exportFolder(
  dir: string,
  wanted: Wanted,
  write: (pieces: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<void> {
  const app = await composeApp({ grants: [dir], warmsForWorkOnly: true });
  try {
    const session = await app.sessions.open(dir);
    const view = await session.exported();
    await write(hidden(piecesOf(view, wanted), view, wanted.to));
  } finally {
    await app.close();
  }
}

/** @throws NoSuchCell */
function piecesOf(view: ExportView, { to, render, include, cells }: Wanted): AsyncIterable<Uint8Array> {
  if (to === 'markdown') return markdownExport(view, render);
  if (to === 'html') return htmlExport(view, render);
  const known = new Set(view.cells.map(({ cell }) => cell.id));
  const unknown = [...cells].filter((id) => !known.has(id));
  if (unknown.length > 0) throw new NoSuchCell('bad_request', `No such cell: ${unknown.join(', ')}.`);
  return snapshotExport(view, { include, cells });
}

/** Text without the values of secrets; a snapshot sees to its own. */
async function* hidden(
  pieces: AsyncIterable<Uint8Array>,
  { redactor }: ExportView,
  to: Wanted['to'],
): AsyncGenerator<Uint8Array> {
  if (redactor.isIdle || to === 'snapshot') {
    yield* pieces;
    return;
  }
  const decoder = new TextDecoder();
  const stream = redactor.stream();
  for await (const piece of pieces) yield Buffer.from(stream.push(decoder.decode(piece, { stream: true })));
  yield Buffer.from(stream.push(decoder.decode()) + stream.end());
}
