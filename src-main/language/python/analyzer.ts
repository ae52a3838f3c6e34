/** Analyzes Python: loads the grammar, and reads the names, imports and shared code of a cell. */

import type { WidgetCell } from '../widget/controls.ts';
import { readWidget, UNREADABLE_WIDGET } from '../widget/readWidget.ts';
import { type Aliases, NO_ALIASES, readAliases } from './aliases.ts';
import { isPython3 } from './constructs.ts';
import { readEnvKeys } from './envKeys.ts';
import { isExpression } from './expression.ts';
import { type FileRead, readFileReads } from './fileReads.ts';
import { type HeldNames, readHeldNames } from './heldNames.ts';
import { readImportedNames, readImports } from './imports.ts';
import { readModuleNames } from './moduleNames.ts';
import { type CellNames, type MaybeNames, readNames } from './names.ts';
import { normalizeProgram } from './normalize.ts';
import { readSeedCalls, type SeedCall } from './seedCalls.ts';
import { readSharedCode, type SharedCode } from './sharedCode.ts';
import { loadPythonParser, type PythonParser } from './syntax.ts';
import { type ReadCode, readTextUses } from './textUses.ts';
import { NO_UNTRACKED_USES, readMagics, readUntrackedUses, type UntrackedUses } from './untrackedUses.ts';

/** The analysis of a Python cell's source. Everything is empty if the source is not a program. */
export interface PythonAnalysis extends CellNames, MaybeNames {
  readonly parsed: boolean;
  /** The program in a canonical style, for the source hash; `''` if it is empty. */
  readonly normalized: string;
  readonly envKeys: readonly string[];
  readonly imports: readonly string[];
  readonly moduleNames: readonly string[];
  readonly fileReads: readonly FileRead[];
  readonly seedCalls: readonly SeedCall[];
  /** The names in `defines` that imports bind. */
  readonly importedNames: readonly string[];
  /** Null if the top level contains no code that other cells could use. */
  readonly sharedCode: SharedCode | null;
  /** The names that the cell's values may hold, by name of the value. */
  readonly heldNames: ReadonlyMap<string, HeldNames>;
  readonly aliases: Aliases;
  /** Uses of names and commands that the analysis cannot follow. */
  readonly unseen: UntrackedUses;
}

export interface PythonAnalyzer {
  readonly analyze: (source: string) => PythonAnalysis;
  readonly isExpression: (text: string) => boolean;
  /** The controls of a widget cell, whose source is Python syntax too. */
  readonly readWidget: (source: string) => WidgetCell;
}

const UNPARSABLE: PythonAnalysis = {
  parsed: false,
  defines: [],
  references: [],
  mutationDefines: [],
  builtinReferences: [],
  maybeReferences: [],
  maybeDefines: [],
  privateReferences: [],
  privateDefines: [],
  normalized: '',
  envKeys: [],
  imports: [],
  moduleNames: [],
  fileReads: [],
  seedCalls: [],
  importedNames: [],
  sharedCode: null,
  heldNames: new Map(),
  aliases: NO_ALIASES,
  unseen: NO_UNTRACKED_USES,
};

/** Loads the grammar once. The returned functions are synchronous and do not throw for any source. */
export async function loadPythonAnalyzer(): Promise<PythonAnalyzer> {
  const parser = await loadPythonParser();
  return {
    analyze: (source) => analyzeWith(parser, source),
    isExpression: (text) => orElse(false, () => isExpression(parser.parse(text))),
    readWidget: (source) => orElse(UNREADABLE_WIDGET, () => readWidget(parser, source)),
  };
}

function analyzeWith(parser: PythonParser, source: string): PythonAnalysis {
  return orElse(UNPARSABLE, () => {
    const { text, root } = parser.parse(source);
    if (root === null || !isPython3({ text, root })) return unparsable(source);
    const program = { text, root };
    const texts = readTextUses(program, (code) => namesOfCode(parser, code));
    return {
      parsed: true,
      ...readNames(program, texts),
      normalized: normalizeProgram(program),
      envKeys: readEnvKeys(program),
      imports: readImports(program),
      moduleNames: readModuleNames(program),
      fileReads: readFileReads(program),
      seedCalls: readSeedCalls(program),
      importedNames: readImportedNames(program),
      sharedCode: readSharedCode(program),
      heldNames: readHeldNames(program),
      aliases: readAliases(program),
      unseen: readUntrackedUses(program, texts),
    };
  });
}

function unparsable(source: string): PythonAnalysis {
  const magics = readMagics(source);
  return magics.length === 0 ? UNPARSABLE : { ...UNPARSABLE, unseen: { ...NO_UNTRACKED_USES, magics } };
}

/** The names that code inside a string reads and binds. */
function namesOfCode(parser: PythonParser, code: string): ReturnType<ReadCode> {
  const { text, root } = parser.parse(code);
  if (root === null || !isPython3({ text, root })) return null;
  const { references, builtinReferences, maybeReferences, defines } = readNames({ text, root });
  return { references: [...references, ...builtinReferences, ...maybeReferences], defines };
}

/** Calls `read`; returns `unreadable` for a source nested too deeply for the stack, which Python refuses too. */
function orElse<T>(unreadable: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return unreadable;
    throw error;
  }
}
