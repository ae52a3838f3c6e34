/** What the analysis of a cell's source finds. */

import type { Annotations } from '../../src-shared/notebook/annotation.ts';
import type { Diagnostic, Language } from '../../src-shared/wire/cell.ts';
import type { Aliases } from './python/aliases.ts';
import type { PythonAnalyzer } from './python/analyzer.ts';
import type { FileRead } from './python/fileReads.ts';
import type { HeldNames } from './python/heldNames.ts';
import type { SeedCall } from './python/seedCalls.ts';
import type { SharedCode } from './python/sharedCode.ts';
import type { UntrackedUses } from './python/untrackedUses.ts';
import type { RNameReader } from './r/rNames.ts';
import type { WidgetCell } from './widget/controls.ts';

/** Everything the session needs to know about a cell's source; a pure function of source and language. */
export interface CellAnalysis {
  readonly language: Language;
  /** The names that the cell defines, sorted (docs/spec/analysis-and-graph.md, 1.1). */
  readonly defines: readonly string[];
  readonly references: readonly string[];
  readonly mutationDefines: readonly string[];
  readonly builtinReferences: readonly string[];
  /** Names it reads if an earlier cell defines them. */
  readonly maybeReferences: readonly string[];
  /** Names that a SQL cell uses as tables; they may be data frames of other cells. */
  readonly tableNames: readonly string[];
  /** The names in `defines` that the cell may not assign in every run. */
  readonly maybeDefines: readonly string[];
  /** Names with a leading `_`, which are never shared. References: read here and not bound here. */
  readonly privateReferences: readonly string[];
  readonly privateDefines: readonly string[];
  /** The hash of the source: SHA-256, lowercase hex (docs/spec/provenance-and-cache.md, 1). */
  readonly sourceHash: string;
  /**
   * The digest of what one iteration of a loop does, without the number of iterations and the start: iterations with
   * equal digests may answer for each other. Null if the cell is not a loop.
   */
  readonly iterationHash: string | null;
  /** Environment variables read by a literal name. */
  readonly envKeys: readonly string[];
  /** Top-level modules imported while the cell runs. */
  readonly imports: readonly string[];
  /** Dotted names of all modules the cell may import; those in the notebook's folder are part of its key. */
  readonly moduleNames: readonly string[];
  /** Files read by a literal name. */
  readonly fileReads: readonly FileRead[];
  /** Calls that seed a random number generator of the process. */
  readonly seedCalls: readonly SeedCall[];
  /** Names that imports bind. They are not part of a variant's contract. */
  readonly importedNames: readonly string[];
  /** Code that other cells could use; null if there is none. */
  readonly sharedCode: SharedCode | null;
  /** The names that the cell's values may hold, by name of the value. */
  readonly heldNames: ReadonlyMap<string, HeldNames>;
  /** The names that may be another name's object or look into its memory. */
  readonly aliases: Aliases;
  /** Uses of names and commands that the analysis cannot follow. */
  readonly unseen: UntrackedUses;
  readonly annotations: Annotations;
  readonly diagnostics: readonly Diagnostic[];
  /** The controls of a widget cell; otherwise null. */
  readonly widget: WidgetCell | null;
  /** Whether the source has only white space and comments. */
  readonly isEmpty: boolean;
}

export interface CellAnalyzer {
  readonly python: PythonAnalyzer;
  /** R's analysis of sources; absent: R is not used, and R cells have no names. */
  readonly r?: Pick<RNameReader, 'known'>;
}
