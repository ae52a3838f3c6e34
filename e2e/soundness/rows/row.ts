/** A change of the notebook, made after everything ran. Cells are named by their index. */
export type Step =
  /** Through the server, as a person types it. */
  | { readonly edit: readonly [cell: number, source: string] }
  /** In the cell's file, as another program does it. */
  | { readonly editFile: readonly [cell: number, source: string] }
  /** Writes a file of the notebook's folder; a run follows at once. */
  | { readonly file: readonly [path: string, text: string] }
  /** The same, and no run follows. */
  | { readonly writeOnly: readonly [path: string, text: string] }
  | { readonly remove: string }
  /** Replaces the notebook's variables. */
  | { readonly env: Readonly<Record<string, string>> }
  /** Replaces the notebook's mounts: name to a path of the folder. */
  | { readonly mounts: Readonly<Record<string, string>> }
  | { readonly rerun: number }
  | { readonly force: number }
  /** Runs one cell and what it needs, and nothing after that. */
  | { readonly runOnly: number }
  | 'reopen';

/**
 * How a row may differ from the plain interpreter: not at all; if a warning, a diagnostic or a refusal reports it; or only
 * by a refusal (the cell fails and says why).
 */
export type Allowed = 'same' | 'words' | 'refused';

/** A notebook, what happens to it, and what it may show. The right value is what a plain interpreter prints. */
export interface Row {
  readonly name: string;
  readonly cells: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly mounts?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  /** Default: same. */
  readonly allow?: Allowed;
  /** Where every run gives another value: the variable about which all cells must agree. */
  readonly agree?: string;
  /** A module without which the row cannot run. */
  readonly needs?: string;
}

export interface RowsOfKind {
  readonly kind: string;
  readonly rows: readonly Row[];
}
