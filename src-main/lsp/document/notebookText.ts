/** An open notebook in the form that the language services use: plain data, collected for each request. */

import type { Language } from '../../../src-shared/wire/cell.ts';
export interface LanguageCell {
  readonly id: string;
  readonly language: Language;
  readonly source: string;
  readonly defines: readonly string[];
  /** Names that it reads from other cells, and undefined names. */
  readonly references: readonly string[];
  readonly isSetup: boolean;
  /** False for an inactive variant. */
  readonly active: boolean;
}

/** Information from the store about a value of the last run. */
export interface StoredValue {
  readonly name: string;
  readonly cellId: string;
  readonly contentType: string;
  readonly rows: number | null;
  readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
  readonly byteSize: number;
  readonly uri: string;
}

export interface NotebookText {
  /** In notebook order. */
  readonly cells: readonly LanguageCell[];
  readonly upstream: ReadonlyMap<string, readonly string[]>;
  readonly downstream: ReadonlyMap<string, readonly string[]>;
  /** The cell from which a cell reads a name, by the reading cell and the name. */
  readonly wiring: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The names that a cell reads from several variants, by the reading cell. */
  readonly bundled: ReadonlyMap<string, ReadonlySet<string>>;
  readonly values: readonly StoredValue[];
}
