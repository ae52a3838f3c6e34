/** An open notebook as the language services see it. */

import type { Language } from '../../../src-shared/wire/cell.ts';
/** What the language side needs of an open notebook: plain data, gathered at each request. */

export interface LanguageCell {
  readonly id: string;
  readonly language: Language;
  readonly source: string;
  readonly defines: readonly string[];
  /** Names it reads from other cells or from nowhere. */
  readonly references: readonly string[];
  readonly isSetup: boolean;
  /** False: a variant that is not chosen. */
  readonly active: boolean;
}

/** What the store knows of a value from the last run that made it. */
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
  /** Consumer → name → the cell it reads the name from. */
  readonly wiring: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Consumer → names it reads from several variants at once. */
  readonly bundled: ReadonlyMap<string, ReadonlySet<string>>;
  readonly values: readonly StoredValue[];
}
