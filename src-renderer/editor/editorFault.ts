/** The form in which the editor and the static text of a cell mark a fault (a problem found in the code). */

/** A fault on a line of a text, in the form in which the editor and the static text mark it. */
export interface EditorFault {
  /** From 1. */
  readonly line: number;
  readonly severity: 'error' | 'warn' | 'info';
  readonly message: string;
  /** The columns to mark in the text of the line, from 1; the end is exclusive. */
  readonly span: (text: string) => { readonly start: number; readonly end: number };
  /** The obvious fix, if there is one: its title and the text after it. */
  readonly fix?: (text: string) => { readonly title: string; readonly source: string } | null;
}

export const NO_FAULTS: readonly EditorFault[] = [];
