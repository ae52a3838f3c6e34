/** The type of a row of the soundness test: a notebook, changes of it, and how it may differ from plain Python. */

/** A change of the notebook, made after everything ran. Cells are named by their index. */
export type Step =
  /** Edits a cell through the server, like a user. */
  | { readonly edit: readonly [cell: number, source: string] }
  /** Writes the file of a cell, like another program. */
  | { readonly editFile: readonly [cell: number, source: string] }
  /** Writes a file of the notebook's folder; a run follows. */
  | { readonly file: readonly [path: string, text: string] }
  /** Writes a file of the notebook's folder; no run follows. */
  | { readonly writeOnly: readonly [path: string, text: string] }
  | { readonly remove: string }
  /** Replaces the notebook's variables. */
  | { readonly env: Readonly<Record<string, string>> }
  /** Replaces the notebook's mounts: name to a path of the folder. */
  | { readonly mounts: Readonly<Record<string, string>> }
  | { readonly rerun: number }
  | { readonly force: number }
  /** Runs one cell with the cells it needs, and nothing else. */
  | { readonly runOnly: number }
  | 'reopen';

/**
 * How a row may differ from the plain interpreter: `same`, not at all; `message`, if a warning, a diagnostic or a
 * refusal reports the difference; `refused`, only if the cell fails with the reason.
 */
export type Allowed = 'same' | 'message' | 'refused';

/** A notebook, the changes made to it, and how it may differ from what a plain interpreter prints. */
export interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly mounts?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  /** By default `same`. */
  readonly allow?: Allowed;
  /** If every run gives another value: the variable whose value all cells must agree on. */
  readonly agree?: string;
  /** A module that the row needs to run. */
  readonly needs?: string;
}

export interface RowsOfKind {
  readonly kind: string;
  readonly rows: readonly Row[];
}
