/** Something wrong on a line of a text: how the editor and the still text mark it. */
export interface EditorFault {
  /** From 1. */
  readonly line: number;
  readonly severity: 'error' | 'warn' | 'info';
  readonly message: string;
  /** Columns of its line's text that are marked: from 1, the end behind it. */
  readonly span: (text: string) => { readonly start: number; readonly end: number };
  /** The obvious way out of it, if there is one: what it does, and the text it leaves. */
  readonly fix?: (text: string) => { readonly title: string; readonly source: string } | null;
}

export const NO_FAULTS: readonly EditorFault[] = [];
