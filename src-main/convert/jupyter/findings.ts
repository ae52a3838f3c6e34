/** The lists of findings in the report on a Jupyter import (docs/spec/export-and-import.md, 3). */
export type FindingKind =
  | 'skipped_cells'
  | 'translated_magics'
  | 'dropped_magics'
  | 'dropped_shells'
  | 'captured_deps'
  | 'suppressed_outputs'
  | 'warnings';

/** One finding about a cell; `cellId` is null for one about the whole notebook. */
export interface Finding {
  readonly cellId: string | null;
  readonly kind: FindingKind;
  readonly text: string;
}

export type Note = (kind: FindingKind, text: string) => void;
