/** Analyzes the source of a cell in any language: names, annotations, diagnostics. The session caches the result. */

import { createHash } from 'node:crypto';
import type { Annotations, LoopAnnotation } from '../../src-shared/notebook/annotation.ts';
import { annotationDiagnostics } from '../../src-shared/notebook/annotationDiagnostics.ts';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { diagnose } from '../../src-shared/notebook/diagnostics.ts';
import { readDirectives } from '../../src-shared/notebook/directives.ts';
import { loopOf } from '../../src-shared/notebook/loop.ts';
import type { Diagnostic, Language } from '../../src-shared/wire/cell.ts';
import type { CellAnalysis, CellAnalyzer } from './cellAnalysis.ts';
import type { NamesRead } from './cellReader.ts';
import { loadPythonAnalyzer } from './python/analyzer.ts';
import type { RNameReader } from './r/rNames.ts';
import { READERS } from './readers.ts';

/** Loads the parser; once per process. */
export async function createAnalyzer(r?: Pick<RNameReader, 'known'>): Promise<CellAnalyzer> {
  return { python: await loadPythonAnalyzer(), ...(r === undefined ? {} : { r }) };
}

/** Whether everything that the analysis needs is known. Only such an analysis may be cached. */
export function isAnalyzable(analyzer: CellAnalyzer, language: Language, source: string): boolean {
  return READERS[language].isReadable?.(source, analyzer) ?? true;
}

/** The text of a source that is hashed as text: line endings and trailing spaces do not count, comments do. */
function trimmedText(source: string): string {
  return source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/**
 * The part of the hashed text for @loop and @per_variant, which change what a run does: compact JSON with sorted keys.
 */
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

/**
 * Reports an `until` that is not an expression, which would fail the first iteration (docs/spec/annotations.md, 1.3).
 */
function untilFaults(
  analyzer: CellAnalyzer,
  cell: { readonly language: Language; readonly source: string; readonly annotations: Annotations },
): readonly Diagnostic[] {
  const until = cell.annotations.loop?.untilExpr ?? null;
  const reader = READERS[cell.language].loop;
  if (until === null || reader === undefined || !reader.isInvalid(until, analyzer)) return [];
  const directives = readDirectives(cell.source);
  const directive = directives.findLast(
    ({ key, argument }) => key === 'loop_until' || (key === 'loop' && argument.includes('until=')),
  );
  const words = `"${until}" is not a valid ${reader.name} expression`;
  return [diagnose('loop_until_syntax_error', words, directive?.line ?? null, until)];
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

type LoopNames = NamesRead & Pick<CellAnalysis, 'defines'>;

/**
 * The names a loop reads: also the start value of its carry, unless that is another loop's iteration, and the names of
 * its until expression that the cell does not define (docs/spec/analysis-and-graph.md, 3.1, 3.5).
 */
function loopReads(body: LoopNames, until: NamesRead | null, loop: LoopAnnotation): NamesRead {
  const own = new Set(body.defines);
  const seed = loop.startFromCell === null && !loop.carry.startsWith('_') ? [loop.carry] : [];
  const merged = (names: readonly string[], ofUntil: readonly string[] = []): readonly string[] =>
    [...new Set([...names, ...ofUntil.filter((name) => !own.has(name))])].sort();
  return {
    references: merged([...body.references, ...seed], until?.references),
    builtinReferences: merged(body.builtinReferences, until?.builtinReferences),
  };
}

function isBlank(source: string): boolean {
  return source.split(/\r\n|\r|\n/).every((line) => /^\uFEFF?\s*(#.*)?$/.test(line));
}

/** Analyses one cell: what the reader of its language finds, and the annotations that every language has. */
export function analyzeCell(
  analyzer: CellAnalyzer,
  { language, source }: { readonly language: Language; readonly source: string },
): CellAnalysis {
  const annotations = parseAnnotations(source, language);
  const reader = READERS[language];
  const { normalized, faults, ...readFacts } = reader.read(source, annotations, analyzer);
  const text = normalized ?? trimmedText(source);
  return {
    ...readFacts,
    ...loopPart(analyzer, { language, annotations, read: readFacts, text }),
    language,
    sourceHash: sha256(text + hashSuffix(annotations)),
    annotations,
    diagnostics: [
      ...annotationDiagnostics(source, language, annotations),
      ...untilFaults(analyzer, { language, source, annotations }),
      ...faults,
    ],
    isEmpty: (reader.isEmpty ?? isBlank)(source),
  };
}

/** What a loop reads besides its body, and the digest of one iteration; no names and null for every other cell. */
function loopPart(
  analyzer: CellAnalyzer,
  cell: {
    readonly language: Language;
    readonly annotations: Annotations;
    readonly read: LoopNames;
    readonly text: string;
  },
): Pick<CellAnalysis, 'iterationHash'> & Partial<NamesRead> {
  const reader = READERS[cell.language].loop;
  const loop = loopOf(cell);
  if (reader === undefined || loop === null) return { iterationHash: null };
  const { carry, untilExpr } = loop;
  const untilNames = untilExpr === null ? null : reader.namesOf(untilExpr, analyzer);
  const body = reader.bodyOf(cell.text);
  return {
    ...loopReads(cell.read, untilNames, loop),
    iterationHash: sha256(`${body}\0${JSON.stringify({ carry, until_expr: untilExpr })}`),
  };
}
