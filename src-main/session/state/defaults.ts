/** The settings of a notebook that its cells inherit, as one text by which changes are detected. */

import type { NotebookFile } from '../../notebook/file/notebookFile.ts';

const cache = new WeakMap<NotebookFile, string>();

/**
 * The text is cached for each parsed file: the file is parsed again after every write, mostly without a change.
 */
export function defaultsOf(file: NotebookFile): string {
  const cached = cache.get(file);
  if (cached !== undefined) return cached;
  const text = JSON.stringify([
    file.worker,
    file.timeout,
    file.env,
    file.fetchedFrom,
    file.mounts,
    file.workers,
    file.ai,
  ]);
  cache.set(file, text);
  return text;
}
