import { createHash } from 'node:crypto';
import type { Annotations, LoopAnnotation } from '../../src-shared/notebook/annotation.ts';
import { annotationDiagnostics } from '../../src-shared/notebook/annotationDiagnostics.ts';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { diagnose } from '../../src-shared/notebook/diagnostics.ts';
import { isIdentifier, readDirectives } from '../../src-shared/notebook/directives.ts';
import { loopOf } from '../../src-shared/notebook/loop.ts';
import type { Diagnostic, Language } from '../../src-shared/wire/cell.ts';
import { placeholderNames, tableNamesOf } from '../sql/text/placeholders.ts';
import { promptNames } from './prompt/template.ts';
import { loadPythonAnalyzer, type PythonAnalysis, type PythonAnalyzer } from './python/analyzer.ts';
import type { FileRead } from './python/fileReads.ts';
import type { SeedCall } from './python/seedCalls.ts';
import type { SharedCode } from './python/sharedCode.ts';
import { NOTHING_UNSEEN, type Unseen } from './python/unseen.ts';
import { NO_R_NAMES, type RNameReader } from './r/rNames.ts';
import { rTextsOf } from './r/rTexts.ts';
import type { WidgetCell } from './widget/controls.ts';
import { widgetDiagnostics } from './widget/readWidget.ts';

/** Everything the session needs to know about a cell's source; a pure function of source and language. */
export interface CellAnalysis {
  readonly language: Language;
  /** Sorted (analysis-and-graph 1.1). */
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
  /** SHA-256, lowercase hex (provenance-and-cache 1). */
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
  /** Uses of names and commands that the analysis cannot follow. */
  readonly unseen: Unseen;
  readonly annotations: Annotations;
  readonly diagnostics: readonly Diagnostic[];
  /** The controls of a widget cell; otherwise null. */
  readonly widget: WidgetCell | null;
  /** Only white space and comments. */
  readonly isEmpty: boolean;
}

export interface CellAnalyzer {
  readonly python: PythonAnalyzer;
  /** R's analysis of sources; absent: R is not used, and R cells have no names. */
  readonly r?: Pick<RNameReader, 'known'>;
}

/** Loads the parser; once per process. */
export async function createAnalyzer(r?: Pick<RNameReader, 'known'>): Promise<CellAnalyzer> {
  return { python: await loadPythonAnalyzer(), ...(r === undefined ? {} : { r }) };
}

/** Whether everything that the analysis needs is known. Only such an analysis may be cached. */
export function isAnalyzable(analyzer: CellAnalyzer, language: Language, source: string): boolean {
  const { r } = analyzer;
  return language !== 'r' || r === undefined || rTextsOf(source).every((text) => r.known(text) !== undefined);
}

/** Source that is hashed as text: line endings and trailing spaces do not count, comments do. */
function trimmedText(source: string): string {
  return source
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** @loop and @per_variant change what a run does, so the hash includes them as compact JSON with sorted keys. */
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

/** An until that is not an expression would fail the first iteration; this reports it before (annotations 1.3). */
function untilFaults(
  { python, r }: CellAnalyzer,
  cell: { readonly language: Language; readonly source: string; readonly annotations: Annotations },
): readonly Diagnostic[] {
  const until = cell.annotations.loop?.untilExpr ?? null;
  if (until === null || (cell.language !== 'python' && cell.language !== 'r')) return [];
  const isR = cell.language === 'r';
  // Without R it is unknown whether an R expression is valid.
  if (isR ? r?.known(until)?.broken !== true : python.isExpression(until)) return [];
  const directives = readDirectives(cell.source);
  const directive = directives.findLast(
    ({ key, argument }) => key === 'loop_until' || (key === 'loop' && argument.includes('until=')),
  );
  const words = `"${until}" is not a valid ${isR ? 'R' : 'Python'} expression`;
  return [diagnose('loop_until_syntax_error', words, directive?.line ?? null, until)];
}

/** R source without its @loop annotations, which are not part of what one iteration runs. */
function withoutLoop(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => !/^\s*(#|$)/.test(line));
  const top = lines.slice(0, Math.max(first, 0)).filter((line) => !/^\s*#\s*@loop(_until)?\b/i.test(line));
  return [...top, ...lines.slice(Math.max(first, 0))].join('\n');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

type NamesRead = Pick<CellAnalysis, 'references' | 'builtinReferences'>;
type LoopNames = NamesRead & Pick<CellAnalysis, 'defines'>;

function namesRead({ references, builtinReferences }: PythonAnalysis): NamesRead {
  return { references, builtinReferences };
}

/**
 * The names a loop reads: also the start value of its carry, unless that is another loop's iteration, and the names of
 * its until expression that the cell does not define (analysis-and-graph 3.1, 3.5).
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

function untilReads(
  { python, r }: CellAnalyzer,
  language: Language,
  { untilExpr }: LoopAnnotation,
): NamesRead | null {
  if (untilExpr === null) return null;
  if (language !== 'r') return namesRead(python.analyze(untilExpr.trim()));
  return { references: (r?.known(untilExpr) ?? NO_R_NAMES).references, builtinReferences: [] };
}

function isBlank(source: string): boolean {
  return source.split(/\r\n|\r|\n/).every((line) => /^\uFEFF?\s*(#.*)?$/.test(line));
}

/** The names that a cell of a language other than Python gives to the graph (analysis-and-graph 1.2). */
export interface CellNames {
  /** In the order that analysis-and-graph 1.2 specifies for the language. */
  readonly defines: readonly string[];
  readonly references: readonly string[];
}

/** Reads the names of a cell. Pure, and never throws: source that cannot be read has no names. */
export type NameReader = (source: string, annotations: Annotations) => CellNames;

/** Cells of a language without a reader have no edges in the graph. */
const NAME_READERS: Readonly<Partial<Record<Language, NameReader>>> = {
  sql: (source, { name }) => ({
    defines: [name !== null && isIdentifier(name) ? name : 'result'],
    references: placeholderNames(source),
  }),
  prompt: promptNames,
};

/** A widget cell defines its controls, in source order, and reads nothing. */
function namesOf({ controls }: WidgetCell): CellNames {
  return { defines: controls.map(({ name }) => name), references: [] };
}

const NO_NAMES: CellNames = { defines: [], references: [] };

/**
 * Analyses one cell. Python is parsed in full; Markdown defines and reads nothing; each other language has a reader
 * for its names.
 */
export function analyzeCell(
  analyzer: CellAnalyzer,
  { language, source }: { readonly language: Language; readonly source: string },
): CellAnalysis {
  const annotations = parseAnnotations(source, language);
  const python = language === 'python' ? analyzer.python.analyze(source) : null;
  const widget = language === 'widget' ? analyzer.python.readWidget(source) : null;
  const r = language === 'r' ? (analyzer.r?.known(source) ?? NO_R_NAMES) : null;
  const names =
    r ?? (widget === null ? (NAME_READERS[language]?.(source, annotations) ?? NO_NAMES) : namesOf(widget));
  const text = python?.parsed ? python.normalized : trimmedText(source);
  const loop = loopOf({ language, annotations });
  const defines = python?.defines ?? names.defines;
  const read = python === null ? { references: names.references, builtinReferences: [] } : namesRead(python);
  return {
    language,
    defines,
    mutationDefines: python?.mutationDefines ?? [],
    ...(loop === null ? read : loopReads({ ...read, defines }, untilReads(analyzer, language, loop), loop)),
    maybeReferences: python?.maybeReferences ?? [],
    tableNames: language === 'sql' ? tableNamesOf(source) : [],
    maybeDefines: python?.maybeDefines ?? [],
    privateReferences: python?.privateReferences ?? [],
    privateDefines: python?.privateDefines ?? [],
    sourceHash: sha256(text + hashSuffix(annotations)),
    iterationHash:
      loop === null
        ? null
        : sha256(
            `${python === null ? withoutLoop(text) : text}\0${JSON.stringify({ carry: loop.carry, until_expr: loop.untilExpr })}`,
          ),
    envKeys: python?.envKeys ?? r?.env ?? [],
    imports: python?.imports ?? [],
    moduleNames: python?.moduleNames ?? [],
    fileReads: python?.fileReads ?? [],
    seedCalls: python?.seedCalls ?? [],
    importedNames: python?.importedNames ?? [],
    sharedCode: python?.sharedCode ?? null,
    unseen: python?.unseen ?? NOTHING_UNSEEN,
    annotations,
    diagnostics: [
      ...annotationDiagnostics(source, language, annotations),
      ...untilFaults(analyzer, { language, source, annotations }),
      ...(widget === null ? [] : widgetDiagnostics(widget)),
    ],
    widget,
    isEmpty: language === 'markdown' ? source.trim() === '' : isBlank(source),
  };
}
