/** Warns about files that a cell reads by a literal name, because their content is not part of the cell's key. */

import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { placeOf } from '../../../src-shared/notebook/mountUri.ts';
import { type CheckedCell, type CheckedNotebook, NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/** A path normalized for comparison: forward slashes, no leading `./`, no trailing `/`. */
function plain(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '');
}

/** The local paths of the cell's mounts: files below them are tracked, whatever name they are read by. */
function localMounts({ analysis, entry }: CheckedCell, { file }: CheckedNotebook): readonly string[] {
  const mounts = [...analysis.annotations.mounts, ...entry.mounts, ...file.mounts];
  return mounts.flatMap(({ uri }) => {
    const place = placeOf(uri);
    return place.kind === 'local' ? [plain(place.path)] : [];
  });
}

/**
 * Reports a file read by a literal name. A change to it is noticed on the machine the cell ran on (docs/soundness.md),
 * but its content is not part of the key. A cell that runs every time gets no diagnostic. Cellar's own check
 * (docs/extensions.md).
 */
export const checkReads: NotebookCheck = (cell, notebook) => {
  const { fileReads, annotations } = cell.analysis;
  if (fileReads.length === 0 || annotations.nocache) return NO_DIAGNOSTICS;
  const mounts = localMounts(cell, notebook);
  const untracked = fileReads.filter(({ path }) => {
    const name = plain(path);
    return !mounts.some((mount) => name === mount || name.startsWith(`${mount}/`));
  });
  return untracked.map(({ path, line }) => {
    const words = `"${path}" is tracked on this machine only. Make it a mount so that changes to it are noticed everywhere.`;
    return diagnose('untracked_read', words, line, path);
  });
};
