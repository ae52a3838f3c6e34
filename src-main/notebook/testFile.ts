/**
 * Decides which text an edit of a cell's tests started from, and refuses an edit that conflicts with another program's.
 */

import type { CellId } from '../../src-shared/notebook/ids.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { type CellFile, PLAIN_STYLE } from './file/cellFile.ts';
import { testFileOf } from './file/cellFileNames.ts';

/**
 * The test file as its author last read it: the known one, or the text their edit started from (null: not
 * given), which may be older.
 */
export function readAs(file: CellFile, base: string | null): CellFile {
  if (base === null) return file;
  if (file.kind === 'text') return file.source === base ? file : { ...file, source: base };
  return base.trim() === '' ? file : { kind: 'text', source: base, style: PLAIN_STYLE };
}

/** The refusal when the same lines were changed externally: nothing was written, and it has all three texts. */
export function testsChanged(
  id: CellId,
  texts: { readonly source: string; readonly base: string | null; readonly disk: string },
): AppError {
  return new AppError(
    'source_changed_on_disk',
    `${testFileOf(id)} was changed outside Cellar in the same lines, and your text was not written over them. Take the file as it is, or save yours again as an edit of it.`,
    { cell_id: id, source: texts.source, disk_source: texts.disk, base_source: texts.base ?? '' },
  );
}
