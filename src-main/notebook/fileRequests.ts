import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { Language } from '../../src-shared/wire/cell.ts';
import type { DeletedVariant, VariantEdit } from './edits/variantEdits.ts';
import type { DeletedCell } from './keptCell.ts';

/** What the files of a notebook are asked to do, and what they answer. */

export interface WriteOptions {
  /** Who edits; null when nobody named themselves. */
  readonly author: string | null;
  /** Overwrite the text of the file that an edit was last refused with. */
  readonly force: boolean;
}

/**
 * `merged`: somebody else had changed other lines, and the file has both sides' changes now (`text`). `conflict`:
 * they changed the same lines and nothing was written; `baseSource` is the last text both sides had.
 */
export type SourceWrite =
  | { readonly kind: 'written' }
  | { readonly kind: 'merged'; readonly text: string; readonly diskSource: string }
  | { readonly kind: 'conflict'; readonly diskSource: string; readonly baseSource: string };

export interface NotebookReload {
  readonly fileChanged: boolean;
  /** Cells present before and after whose source, tests or problem are different now. */
  readonly changedCells: readonly CellId[];
}

/** A cell to add; an id and a source are given when it is put back after a deletion. */
export interface CellToAdd {
  /** Null: no anchor, the cell counts as appended. */
  readonly afterId: CellId | null;
  readonly language: Language;
  readonly author: string | null;
  readonly source?: string;
  readonly id?: CellId;
  /** Another cell whose settings in notebook.toml the new one takes over. */
  readonly likeId?: CellId;
  /** Written together with the cell. */
  readonly setting?: VariantEdit | null;
}

export interface DeleteOptions {
  /** Gets what the cell was before anything goes; its failure keeps the cell. */
  readonly keep?: (deleted: DeletedCell) => Promise<void>;
  readonly variant?: DeletedVariant;
}
