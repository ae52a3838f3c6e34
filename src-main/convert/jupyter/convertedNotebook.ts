/** Types of a converted Jupyter notebook, which `importJupyter` writes to a new folder. */

import type { Language } from '../../../src-shared/wire/cell.ts';
import type { ImportedCell } from '../../notebook/stored/importedOutputs.ts';
import type { Finding } from './findings.ts';

export interface ConvertedCell {
  readonly id: string;
  readonly language: Language;
  readonly source: string;
}

export interface ConvertedNotebook {
  readonly cells: readonly ConvertedCell[];
  /** Requirements (PEP 508) in the order of the file, each package once. */
  readonly dependencies: readonly string[];
  /** The requirements with a URL, a path or a repository: they are not installed before the user allows it. */
  readonly waiting: readonly string[];
  readonly findings: readonly Finding[];
  /** The cells' outputs in the file, by id. */
  readonly outputs: ReadonlyMap<string, ImportedCell>;
  /** The cell that became the set-up cell; null: none. */
  readonly setup: string | null;
}
