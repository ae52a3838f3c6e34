import type { NotebookFile } from '../../notebook/file/notebookFile.ts';

const known = new WeakMap<NotebookFile, string>();

/**
 * What cells take over from their notebook, as text to compare: the file is read anew after every write, mostly
 * saying the same.
 */
export function defaultsOf(file: NotebookFile): string {
  const found = known.get(file);
  if (found !== undefined) return found;
  const text = JSON.stringify([
    file.worker,
    file.timeout,
    file.env,
    file.fetchedFrom,
    file.mounts,
    file.workers,
    file.ai,
  ]);
  known.set(file, text);
  return text;
}
