/** The lists of an import report that say what became of something (export-and-import 3). */
export type FindingKind =
  | 'skipped_cells'
  | 'translated_magics'
  | 'dropped_magics'
  | 'dropped_shells'
  | 'captured_deps'
  | 'suppressed_outputs'
  | 'warnings';

/** What became of one thing of a cell; `cellId` is null where it is about the whole notebook. */
export interface Finding {
  readonly cellId: string | null;
  readonly kind: FindingKind;
  readonly text: string;
}

export type Note = (kind: FindingKind, text: string) => void;
