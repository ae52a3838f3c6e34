/** Opens a folder and exports its notebook, for `svc export`. */

import { htmlExport } from '../../convert/export/htmlExport.ts';
import { jupyterExport } from '../../convert/export/jupyterExport.ts';
import { markdownExport } from '../../convert/export/markdownExport.ts';
import { snapshotExport } from '../../convert/export/snapshotExport.ts';
import type { ExportView } from '../../convert/exportView.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { composeApp } from '../composeApp.ts';
import { type ExportRequest, NoSuchCell } from './exportRequest.ts';

/**
 * Opens a notebook folder in this process and exports it; `write` gets the pieces while it is open.
 * @throws AppError, ConfigError if it cannot be opened; NoSuchCell; errors of `write`
 */
export async function exportFolder(
  dir: NotebookFolder,
  request: ExportRequest,
  write: (pieces: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<void> {
  const app = await composeApp({ grants: [dir], warmsForWorkOnly: true });
  try {
    const session = await app.sessions.open(dir);
    const view = await session.views.notebook.exported();
    await write(hidden(piecesOf(view, request), view, request.to));
  } finally {
    await app.close();
  }
}

/** @throws NoSuchCell */
function piecesOf(
  view: ExportView,
  { to, render, include, cells }: ExportRequest,
): AsyncIterable<Uint8Array> {
  if (to === 'markdown') return markdownExport(view, render);
  if (to === 'html') return htmlExport(view, render);
  if (to === 'ipynb') return jupyterExport(view, render);
  const cellIds = new Set(view.cells.map(({ cell }) => cell.id));
  const unknown = [...cells].filter((id) => !cellIds.has(id));
  if (unknown.length > 0) throw new NoSuchCell('bad_request', `No such cell: ${unknown.join(', ')}.`);
  return snapshotExport(view, { include, cells });
}

/** Text without the values of secrets; a snapshot hides them itself. */
async function* hidden(
  pieces: AsyncIterable<Uint8Array>,
  { redactor }: ExportView,
  to: ExportRequest['to'],
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
