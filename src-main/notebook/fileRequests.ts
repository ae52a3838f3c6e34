/** Types of the requests to a notebook's files (notebookFiles.ts), and of their results. */

import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { Language } from '../../src-shared/wire/cell.ts';
import type { DeletedCell } from './edits/restoreDeletedCell.ts';
import type { DeletedVariant, VariantEdit } from './edits/variantEdits.ts';

export interface WriteOptions {
  /** The author; null for a client without a name. */
  readonly author: string | null;
  /** Overwrite the text with which an edit was last refused. */
  readonly force: boolean;
}

/**
 * The result of writing a source. `merged`: other lines had been changed externally, and the file now has both changes
 * (`text`). `conflict`: the same lines were changed and nothing was written; `baseSource` is the last common text.
 */
export type SourceWrite =
  | { readonly kind: 'written' }
  | { readonly kind: 'merged'; readonly text: string; readonly diskSource: string }
  | { readonly kind: 'conflict'; readonly diskSource: string; readonly baseSource: string };

export interface NotebookReload {
  readonly fileChanged: boolean;
  /** Cells present before and after whose source, tests or problem changed. */
  readonly changedCells: readonly CellId[];
}

/** A cell to add; with an id and a source when it is restored after a deletion. */
export interface CellToAdd {
  /** The cell after which it is placed; null: at the end. */
  readonly afterId: CellId | null;
  readonly language: Language;
  readonly author: string | null;
  readonly source?: string;
  readonly id?: CellId;
  /** Another cell whose settings in notebook.toml are copied. */
  readonly likeId?: CellId;
  /** Written together with the cell. */
  readonly setting?: VariantEdit | null;
}

export interface DeleteOptions {
  /** Called with the deleted cell before anything is removed; if it fails, the cell is not deleted. */
  readonly keep?: (deleted: DeletedCell) => Promise<void>;
  readonly variant?: DeletedVariant;
}
