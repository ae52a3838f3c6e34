import type { CellState } from '../state/state.ts';
import { latest } from './expected.ts';

/** Cells whose result is the answer of a database or a model, which is stored whether or not a cell reads it. */
export function isAnswered({ language }: Pick<CellState, 'language'>): boolean {
  return language === 'sql' || language === 'prompt';
}

/** The runs that left what such a cell answered last, whatever key that is kept under; null where nothing is kept. */
export function answerRunsOf(cell: CellState): string | null {
  const runs = cell.analysis.defines.flatMap((name) => latest(cell, name)?.params['run'] ?? []);
  return runs.length === 0 ? null : [...new Set(runs)].join(' ');
}
