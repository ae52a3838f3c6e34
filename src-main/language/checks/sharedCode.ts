import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import type { CellAnalysis } from '../analyzeCell.ts';
import { blockedWords } from '../python/blockedWords.ts';
import { type JudgedCode, judgeSharedCode } from '../python/judgeSharedCode.ts';
import { type CheckedCell, type CheckedNotebook, NONE, type NotebookCheck } from './check.ts';

/** A function or class another cell reads and cannot have (analysis-and-graph 2): said before a run says it. */
export const checkSharedCode: NotebookCheck = (cell, { graph }) => {
  if (cell.analysis.sharedCode === null) return NONE;
  const consumed = graph.consumed.get(cell.id) ?? [];
  if (consumed.length === 0) return NONE;
  const { blocked, exports } = judgedCode(cell, graph);
  if (blocked.size === 0) return NONE;
  const constants = new Set(exports.filter(({ kind }) => kind === 'constant').map(({ name }) => name));
  return consumed.flatMap((name) => {
    const reasons = constants.has(name) ? undefined : blocked.get(name);
    return reasons === undefined
      ? []
      : [diagnose('module_export_blocked', blockedWords(name, reasons), null, name)];
  });
};

const judged = new WeakMap<CellAnalysis, { readonly wired: string; readonly code: JudgedCode }>();

const NOTHING: JudgedCode = { exports: [], blocked: new Map(), injects: new Map(), isModule: false };

/** What a cell gives as code, as it is wired now; kept while neither its text nor what it is handed changes. */
export function judgedCode(
  { id, analysis }: Pick<CheckedCell, 'id' | 'analysis'>,
  graph: CheckedNotebook['graph'],
): JudgedCode {
  if (analysis.sharedCode === null) return NOTHING;
  const names = [...(graph.wiring.get(id)?.keys() ?? []), ...(graph.bundles.get(id)?.keys() ?? [])];
  const below = [...(graph.below.get(id)?.keys() ?? [])];
  const wired = `${names.join(' ')};${below.join(' ')}`;
  const known = judged.get(analysis);
  if (known?.wired === wired) return known.code;
  const code = judgeSharedCode(analysis.sharedCode, new Set(names), new Set(below));
  judged.set(analysis, { wired, code });
  return code;
}
