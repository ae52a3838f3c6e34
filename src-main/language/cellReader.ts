/** The interface of a language's cell reader, which finds the names and annotations in the text of a cell. */

import type { Annotations } from '../../src-shared/notebook/annotation.ts';
import type { Diagnostic } from '../../src-shared/wire/cell.ts';
import type { CellAnalysis, CellAnalyzer } from './cellAnalysis.ts';
import { NO_UNTRACKED_USES } from './python/untrackedUses.ts';

/** What a reader finds in the text of a cell. */
export interface CellText
  extends Omit<
    CellAnalysis,
    'language' | 'sourceHash' | 'iterationHash' | 'annotations' | 'diagnostics' | 'isEmpty'
  > {
  /** The text in the normal form of the language, which is hashed; null: it has none. */
  readonly normalized: string | null;
  /** Faults of the text itself. */
  readonly faults: readonly Diagnostic[];
}

export type NamesRead = Pick<CellText, 'references' | 'builtinReferences'>;

/** How the loops of a language are read (docs/spec/analysis-and-graph.md, 3.5). */
interface LoopReader {
  /** The language in a message. */
  readonly name: string;
  /** Whether the expression is known to be invalid in the language. */
  readonly isInvalid: (until: string, analyzer: CellAnalyzer) => boolean;
  readonly namesOf: (until: string, analyzer: CellAnalyzer) => NamesRead;
  /** The part of the hashed text that one iteration runs. */
  readonly bodyOf: (text: string) => string;
}

/** How the cells of a language are read. */
export interface CellReader {
  /** Reads a text. Pure, and never throws: a text that cannot be read has no names. */
  readonly read: (source: string, annotations: Annotations, analyzer: CellAnalyzer) => CellText;
  /** Whether everything that `read` needs is known; absent: always. */
  readonly isReadable?: (source: string, analyzer: CellAnalyzer) => boolean;
  /** Absent: lines of white space and comments are empty. */
  readonly isEmpty?: (source: string) => boolean;
  /** Absent: its cells are never loops. */
  readonly loop?: LoopReader;
}

/** A text without names: a reader fills in what its language has. */
export const NOTHING_READ: CellText = {
  defines: [],
  references: [],
  mutationDefines: [],
  builtinReferences: [],
  maybeReferences: [],
  tableNames: [],
  maybeDefines: [],
  privateReferences: [],
  privateDefines: [],
  envKeys: [],
  imports: [],
  moduleNames: [],
  fileReads: [],
  seedCalls: [],
  importedNames: [],
  sharedCode: null,
  heldNames: new Map(),
  aliases: new Map(),
  unseen: NO_UNTRACKED_USES,
  widget: null,
  normalized: null,
  faults: [],
};
