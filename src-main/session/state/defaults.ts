import type { NotebookFile } from '../../notebook/file/notebookFile.ts';

const known = new WeakMap<NotebookFile, string>();

/**
 * The notebook settings that apply to its cells, as text for comparison: the file is parsed again after every
 * write, mostly without a change.
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
