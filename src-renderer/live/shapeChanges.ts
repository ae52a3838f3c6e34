/** Changes of the notebook's cells as undo entries. */

import type { FileConnection } from '../../src-shared/notebook/dataFiles.ts';
import type { Language, VariantGroup } from '../../src-shared/wire/cell.ts';
import type { Change, UndoableAction } from './history.ts';

/** A cell to insert: the clipboard's data of one. */
export interface CellText {
  readonly language: Language;
  readonly source: string;
  /** The database of a file that it asks; declared with it. */
  readonly connection?: FileConnection;
}

/** Where new cells go. */
export interface InsertPlace {
  /** The cell above them; null: they go to the end. */
  readonly afterId: string | null;
  /** They go before all others. */
  readonly atTop?: boolean;
  /** They replace the cell above them if it was never used. */
  readonly replacesBlank?: boolean;
  readonly deed: UndoableAction;
}

/** A group of variants that shows another one, as a change to undo. */
export function variantChange(before: VariantGroup, after: VariantGroup): Change {
  return {
    kind: 'variant',
    group: before.group,
    before: { active: before.active_name, mode: before.mode },
    after: { active: after.active_name, mode: after.mode },
  };
}
