import { isDataFile, MAX_DATA_FILE_BYTES, readingCell } from '../../src-shared/notebook/dataFiles.ts';
import { toast } from '../ui/toastStore.ts';
import { DATA_FILE_WORDS as W } from '../words/dataFiles.ts';
import type { NotebookSession } from './notebookSession.ts';
import { callRoute, RestError, uploadRoute } from './rest.ts';

/**
 * Copies dropped data files into the notebook's folder, and adds a cell that reads each of them below the focused cell.
 * Adding is one undo step; the files stay in the folder. Files that cannot be used are reported in a message.
 */
export async function takeDataFiles(session: NotebookSession, files: readonly File[]): Promise<void> {
  const paths: string[] = [];
  for (const file of files) {
    if (!isDataFile(file.name)) {
      toast(W.noData(file.name), { tone: 'warn' });
    } else if (file.size > MAX_DATA_FILE_BYTES) {
      toast(W.tooLarge(file.name), { tone: 'error' });
    } else {
      const path = await copied(session, file);
      if (path !== null) paths.push(path);
    }
  }
  if (paths.length === 0) return;
  const { model, focusedId } = session.store.getState();
  const taken = new Set(Object.values(model.cells).flatMap(({ cell }) => cell.defines));
  const packages = await packagesOf(session.store.getState().sessionId);
  const cells = paths.flatMap((path) => {
    const source = readingCell(path, { taken, packages });
    if (source === null) return [];
    taken.add(source.slice(source.lastIndexOf('\n') + 1));
    return [{ language: 'python' as const, source }];
  });
  if (await session.shape.insertCells(cells, { afterId: focusedId, deed: 'add' }))
    toast(W.copied(paths), { tone: 'ok' });
}

/** What the notebook has installed, by its lock; nothing where that cannot be read now. */
async function packagesOf(sid: string): Promise<ReadonlySet<string>> {
  try {
    const { dependencies, resolved_dependencies } = await callRoute('environment', { params: { sid } });
    return new Set([...dependencies, ...resolved_dependencies].map(({ name }) => name.toLowerCase()));
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return new Set();
  }
}

/** The name that the file got in the folder; null if it was not copied, which is reported. */
async function copied(session: NotebookSession, file: File): Promise<string | null> {
  const form = new FormData();
  form.append('file', file);
  try {
    const { sessionId: sid } = session.store.getState();
    return (await uploadRoute('addFile', form, { params: { sid } })).path;
  } catch (error) {
    // A folder, or a file that went away between the drop and the reading, fails as it is sent.
    const message = error instanceof RestError ? error.message : W.unreadable;
    toast(W.notCopied(file.name, message), { tone: 'error' });
    return null;
  }
}
