import { isPython3 } from './constructs.ts';
import { readEnvKeys } from './envKeys.ts';
import { readImports } from './imports.ts';
import { type CellNames, readNames } from './names.ts';
import { normalizeProgram } from './normalize.ts';
import { loadPythonParser, type PythonParser } from './syntax.ts';

/** What a Python cell's text says. Everything is empty where it is no program. */
export interface PythonAnalysis extends CellNames {
  readonly parsed: boolean;
  /** The program in one style, for the source hash; `''` for an empty one. */
  readonly normalized: string;
  readonly envKeys: readonly string[];
  readonly imports: readonly string[];
}

export interface PythonAnalyzer {
  readonly analyze: (source: string) => PythonAnalysis;
}

const UNPARSABLE: PythonAnalysis = {
  parsed: false,
  defines: [],
  references: [],
  mutationDefines: [],
  builtinReferences: [],
  normalized: '',
  envKeys: [],
  imports: [],
};

/** Loads the grammar once; `analyze` is synchronous and never throws for a text. */
export async function loadPythonAnalyzer(): Promise<PythonAnalyzer> {
  const parser = await loadPythonParser();
  return { analyze: (source) => analyzeWith(parser, source) };
}

function analyzeWith(parser: PythonParser, source: string): PythonAnalysis {
  try {
    const { text, root } = parser.parse(source);
    if (root === null || !isPython3({ text, root })) return UNPARSABLE;
    const program = { text, root };
    return {
      parsed: true,
      ...readNames(program),
      normalized: normalizeProgram(program),
      envKeys: readEnvKeys(program),
      imports: readImports(program),
    };
  } catch (error) {
    // Nested deeper than the stack: Python refuses such a text too.
    if (error instanceof RangeError) return UNPARSABLE;
    throw error;
  }
}
