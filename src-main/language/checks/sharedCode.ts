/** Reports functions and classes that other cells read but that cannot be shared between cells. */

import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import type { CellAnalysis } from '../cellAnalysis.ts';
import { blockedWords } from '../python/blockedWords.ts';
import { type JudgedCode, judgeSharedCode } from '../python/judgeSharedCode.ts';
import { type CheckedCell, type CheckedNotebook, NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/**
 * Reports a function or class that another cell reads but that cannot be shared (docs/spec/analysis-and-graph.md, 2),
 * before a run fails.
 */
export const checkSharedCode: NotebookCheck = (cell, { graph }) => {
  if (cell.analysis.sharedCode === null) return NO_DIAGNOSTICS;
  const consumed = graph.consumed.get(cell.id) ?? [];
  if (consumed.length === 0) return NO_DIAGNOSTICS;
  const { blocked, exports } = judgedCode(cell, graph);
  if (blocked.size === 0) return NO_DIAGNOSTICS;
  const constants = new Set(exports.filter(({ kind }) => kind === 'constant').map(({ name }) => name));
  return consumed.flatMap((name) => {
    const reasons = constants.has(name) ? undefined : blocked.get(name);
    return reasons === undefined
      ? []
      : [diagnose('module_export_blocked', blockedWords(name, reasons), null, name)];
  });
};

const judgments = new WeakMap<CellAnalysis, { readonly wired: string; readonly code: JudgedCode }>();

const NOTHING: JudgedCode = { exports: [], blocked: new Map(), injects: new Map(), isModule: false };

/** The code a cell shares under its current wiring; cached while neither its text nor its wiring changes. */
export function judgedCode(
  { id, analysis }: Pick<CheckedCell, 'id' | 'analysis'>,
  graph: CheckedNotebook['graph'],
): JudgedCode {
  if (analysis.sharedCode === null) return NOTHING;
  const names = [...(graph.wiring.get(id)?.keys() ?? []), ...(graph.bundles.get(id)?.keys() ?? [])];
  const below = [...(graph.below.get(id)?.keys() ?? [])];
  const wired = `${names.join(' ')};${below.join(' ')}`;
  const cached = judgments.get(analysis);
  if (cached?.wired === wired) return cached.code;
  const code = judgeSharedCode(analysis.sharedCode, new Set(names), new Set(below));
  judgments.set(analysis, { wired, code });
  return code;
}
