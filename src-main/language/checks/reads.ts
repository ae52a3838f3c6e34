import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import { placeOf } from '../../../src-shared/notebook/mountUri.ts';
import { type CheckedCell, type CheckedNotebook, NONE, type NotebookCheck } from './check.ts';

/** Paths as they compare: forward slashes, no `./` before them, no `/` behind. */
function plain(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '');
}

/** The places the cell's mounts lead to on this machine: what lies there is followed, whatever name it is read by. */
function followed({ analysis, entry }: CheckedCell, { file }: CheckedNotebook): readonly string[] {
  const mounts = [...analysis.annotations.mounts, ...entry.mounts, ...file.mounts];
  return mounts.flatMap(({ uri }) => {
    const place = placeOf(uri);
    return place.kind === 'local' ? [plain(place.path)] : [];
  });
}

/**
 * A file read under a literal name. A change of it is noticed on the machine the cell ran on (docs/soundness.md), but
 * its content is not part of the key. Ours (docs/extensions.md); not said of a cell that runs every time.
 */
export const checkReads: NotebookCheck = (cell, notebook) => {
  const { fileReads, annotations } = cell.analysis;
  if (fileReads.length === 0 || annotations.nocache) return NONE;
  const places = followed(cell, notebook);
  const open = fileReads.filter(({ path }) => {
    const name = plain(path);
    return !places.some((place) => name === place || name.startsWith(`${place}/`));
  });
  return open.map(({ path, line }) => {
    const words = `"${path}" is tracked on this machine only. Make it a mount so that changes to it are noticed everywhere.`;
    return diagnose('untracked_read', words, line, path);
  });
};
