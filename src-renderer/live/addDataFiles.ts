/** Copies dropped files into the notebook and adds cells that read them. */

import {
  cellOfFile,
  type FileCell,
  fileUse,
  MAX_DATA_FILE_BYTES,
  MAX_PICTURE_BYTES,
  type NotebookFacts,
} from '../../src-shared/notebook/dataFiles.ts';
import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { requestMount } from '../state/mountRequest.ts';
import { toast } from '../ui/toastStore.ts';
import { DATA_FILE_WORDS as W } from '../words/dataFiles.ts';
import type { NotebookSession } from './notebookSession.ts';
import { callRoute, RestError, uploadRoute } from './rest.ts';

/** A file or folder that was dropped or pasted. */
interface Arrived {
  readonly file: File;
  readonly isFolder: boolean;
}

/**
 * Copies files into the notebook's folder, and adds a cell for each of them below the focused cell: one that reads a
 * table, asks a database or shows a picture. Adding is one undo step; the files stay in the folder. A folder, or a file
 * that is too large to copy, is offered as a mount. What cannot be used is reported in a message.
 */
export async function addDataFiles(session: NotebookSession, files: readonly Arrived[]): Promise<void> {
  const paths: string[] = [];
  for (const { file, isFolder } of files) {
    const problem = isFolder ? null : (problemOf(file) ?? whyNoConnection(session, file.name));
    if (isFolder || (problem === null && file.size > MAX_DATA_FILE_BYTES)) offerMount(file.name, isFolder);
    else if (problem !== null) toast(problem, { tone: 'warn' });
    else {
      const path = await copyToFolder(session, file);
      if (path !== null) paths.push(path);
    }
  }
  if (paths.length === 0) return;
  const cells = await cellsFor(session, paths);
  const { focusedId } = session.store.getState();
  if (await session.shape.insertCells(cells, { afterId: focusedId, replacesBlank: true, deed: 'add' }))
    toast(W.copied(paths), { tone: 'ok' });
}

/** Adds a cell that reads a file of the notebook's folder, below the focused cell. */
export async function addCellFor(session: NotebookSession, path: string): Promise<void> {
  const problem = whyNoConnection(session, path);
  if (problem !== null) return void toast(problem, { tone: 'warn' });
  const cells = await cellsFor(session, [path]);
  const { focusedId } = session.store.getState();
  await session.shape.insertCells(cells, { afterId: focusedId, replacesBlank: true, deed: 'add' });
}

/** What the notebook already has: names, packages and connections. */
export async function notebookFactsOf(session: NotebookSession): Promise<NotebookFacts> {
  const { model, sessionId } = session.store.getState();
  return {
    taken: new Set(Object.values(model.cells).flatMap(({ cell }) => cell.defines)),
    packages: await packagesOf(sessionId),
    connections: model.meta?.connections ?? [],
  };
}

async function cellsFor(session: NotebookSession, paths: readonly string[]): Promise<readonly FileCell[]> {
  const before = await notebookFactsOf(session);
  const usedNames = new Set(before.taken);
  const connections = [...before.connections];
  return paths.flatMap((path) => {
    const cell = cellOfFile(path, { ...before, taken: usedNames, connections });
    if (cell === null) return [];
    if (LANGUAGES[cell.language].endsWithValue)
      usedNames.add(cell.source.slice(cell.source.lastIndexOf('\n') + 1));
    if (cell.connection !== undefined) connections.push({ ...cell.connection });
    return [cell];
  });
}

/** Why a file cannot be used at all; null if it can. */
function problemOf({ name, size }: File): string | null {
  const use = fileUse(name);
  if (use === null) return W.noData(name);
  if (size === 0) return W.empty(name);
  return use === 'picture' && size > MAX_PICTURE_BYTES ? W.largePicture(name) : null;
}

/**
 * Why no connection can be declared for a database file; null if one can. Declaring a connection writes the list again,
 * which would lose entries that could not be read.
 */
function whyNoConnection(session: NotebookSession, name: string): string | null {
  const [malformed] = session.store.getState().model.meta?.malformed_connections ?? [];
  return malformed === undefined || fileUse(name) !== 'database' ? null : W.malformed(name, malformed.name);
}

function offerMount(fileName: string, isFolder: boolean): void {
  toast(isFolder ? W.folder(fileName) : W.tooLarge(fileName), {
    tone: 'warn',
    action: { label: W.addMount, run: () => requestMount({ fileName, isFolder }) },
  });
}

/** The packages installed according to the lock; empty if the lock cannot be read now. */
async function packagesOf(sid: string): Promise<ReadonlySet<string>> {
  try {
    const { dependencies, resolved_dependencies } = await callRoute('environment', { params: { sid } });
    return new Set([...dependencies, ...resolved_dependencies].map(({ name }) => name.toLowerCase()));
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return new Set();
  }
}

/** Copies a file into the folder. @returns its path there; null if it was not copied, which is then reported */
export async function copyToFolder(session: NotebookSession, file: File): Promise<string | null> {
  const form = new FormData();
  form.append('file', file);
  try {
    const { sessionId: sid } = session.store.getState();
    return (await uploadRoute('addFile', form, { params: { sid } })).path;
  } catch (error) {
    // A file that was removed after the drop fails while it is sent.
    const message = error instanceof RestError ? error.message : W.unreadable;
    toast(W.notCopied(file.name, message), { tone: 'error' });
    return null;
  }
}
