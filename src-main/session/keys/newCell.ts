/** Makes the state of a cell that has not run, from its files and their analysis. */

import type { Language } from '../../../src-shared/wire/cell.ts';
import type { CellAnalysis } from '../../language/cellAnalysis.ts';
import type { CellEntry } from '../../notebook/file/notebookFile.ts';
import type { CellState } from '../state/state.ts';

/** A cell as its files describe it. */
interface CellText {
  readonly source: string;
  readonly testSource: string;
  readonly problem: string | null;
}

/** The texts of these cells with what the analysis needs. */
export function textsOf(
  entries: readonly CellEntry[],
  sources: ReadonlyMap<string, CellText>,
): readonly { readonly language: Language; readonly source: string }[] {
  return entries.map(({ id, language }) => ({ language, source: sources.get(id)?.source ?? '' }));
}

/** A cell without any run: its files and its analysis, before the status walk. */
export function newCell(
  entry: CellEntry,
  options: {
    readonly text: CellText | undefined;
    readonly analyze: (language: Language, source: string) => CellAnalysis;
  },
): CellState {
  const { text, analyze } = options;
  const source = text?.source ?? '';
  const analysis = analyze(entry.language, source);
  return {
    id: entry.id,
    language: entry.language,
    entry,
    source,
    testSource: text?.testSource ?? '',
    fileProblem: text?.problem ?? null,
    analysis,
    diagnostics: analysis.diagnostics,
    artifacts: {},
    record: null,
    lastError: null,
    displays: [],
    console: { stdout: '', stderr: '' },
    logRun: null,
    shownRuns: null,
    resultConsole: null,
    imported: null,
    lastRun: null,
    stoppedMs: null,
    lastTookMs: null,
    cacheHit: false,
    method: null,
    remote: null,
    samples: [],
    readyProvenance: null,
    blocked: false,
    testResult: null,
    testsStale: false,
    widgetValues: new Map(),
    status: 'idle',
    reasons: [],
    causality: null,
  };
}
