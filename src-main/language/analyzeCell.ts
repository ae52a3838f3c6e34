import { createHash } from 'node:crypto';
import type { Annotations } from '../../src-shared/notebook/annotation.ts';
import { annotationDiagnostics } from '../../src-shared/notebook/annotationDiagnostics.ts';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import type { Diagnostic, Language } from '../../src-shared/wire/cell.ts';
import { loadPythonAnalyzer, type PythonAnalyzer } from './python/analyzer.ts';

/** Everything the session needs to know of a cell's text; a pure function of text and language. */
export interface CellAnalysis {
  readonly language: Language;
  /** Names, sorted; see semantics 2.1. */
  readonly defines: readonly string[];
  readonly references: readonly string[];
  readonly mutationDefines: readonly string[];
  readonly builtinReferences: readonly string[];
  /** SHA-256, lowercase hex (semantics 4.1). */
  readonly sourceHash: string;
  /** Environment variables the text reads by a literal name. */
  readonly envKeys: readonly string[];
  /** Top-level modules imported while the cell runs. */
  readonly imports: readonly string[];
  readonly annotations: Annotations;
  readonly diagnostics: readonly Diagnostic[];
  /** Nothing but white space and comments. */
  readonly isEmpty: boolean;
}

export interface CellAnalyzer {
  readonly python: PythonAnalyzer;
}

/** Loads what the analysis needs; once per process. */
export async function createAnalyzer(): Promise<CellAnalyzer> {
  return { python: await loadPythonAnalyzer() };
}

/** Text that is hashed as text: ends of lines do not count, comments do. */
function trimmedText(source: string): string {
  return source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** @loop and @per_variant change what a run does, so they join the hash as compact JSON with sorted keys. */
function hashSuffix({ loop, perVariant }: Annotations): string {
  if (loop === null && perVariant === null) return '';
  const facts = {
    ...(loop === null
      ? {}
      : {
          loop: {
            carry: loop.carry,
            max_iter: loop.maxIter,
            start_from_cell: loop.startFromCell,
            start_from_iter: loop.startFromIter,
            until_expr: loop.untilExpr,
          },
        }),
    ...(perVariant === null ? {} : { per_variant: perVariant.group ?? '' }),
  };
  return `\0${JSON.stringify(facts)}`;
}

function isBlank(source: string): boolean {
  return source.split(/\r\n|\r|\n/).every((line) => /^\uFEFF?\s*(#.*)?$/.test(line));
}

/**
 * Analyses one cell. Python is read in full; Markdown defines and reads nothing. The names of SQL, R,
 * prompt and widget cells come from analysers of their own; without one such a cell stands alone in the
 * graph.
 */
export function analyzeCell(
  analyzer: CellAnalyzer,
  { language, source }: { readonly language: Language; readonly source: string },
): CellAnalysis {
  const annotations = parseAnnotations(source, language);
  const python = language === 'python' ? analyzer.python.analyze(source) : null;
  const text = python?.parsed ? python.normalized : trimmedText(source);
  return {
    language,
    defines: python?.defines ?? [],
    references: python?.references ?? [],
    mutationDefines: python?.mutationDefines ?? [],
    builtinReferences: python?.builtinReferences ?? [],
    sourceHash: createHash('sha256')
      .update(text + hashSuffix(annotations))
      .digest('hex'),
    envKeys: python?.envKeys ?? [],
    imports: python?.imports ?? [],
    annotations,
    diagnostics: annotationDiagnostics(source, language),
    isEmpty: language === 'markdown' ? source.trim() === '' : isBlank(source),
  };
}
