/** Describes changes of the notebook's cells as entries of the undo stack. */

import type { FileConnection } from '../../src-shared/notebook/dataFiles.ts';
import type { Language, VariantGroup } from '../../src-shared/wire/cell.ts';
import type { Change, UndoableAction } from './history.ts';

/** A cell to insert, for example from the clipboard. */
export interface CellText {
  readonly language: Language;
  readonly source: string;
  /** The connection to the database file that the cell queries; it is declared with the cell. */
  readonly connection?: FileConnection;
}

/** Where new cells go. */
export interface InsertPlace {
  /** The cell above them; null: they go to the end. */
  readonly afterId: string | null;
  /** True: before all other cells. */
  readonly atTop?: boolean;
  /** True: the new cells replace the cell above them if it is blank. */
  readonly replacesBlank?: boolean;
  readonly deed: UndoableAction;
}

/** The change of a variant group's choice, in a form that can be undone. */
export function variantChange(before: VariantGroup, after: VariantGroup): Change {
  return {
    kind: 'variant',
    group: before.group,
    before: { active: before.active_name, mode: before.mode },
    after: { active: after.active_name, mode: after.mode },
  };
}
