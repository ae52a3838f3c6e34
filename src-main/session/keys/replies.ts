/** Finds the stored replies of SQL and prompt cells: results that a database or a model returned. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { CellState } from '../state/state.ts';
import { newestVersion } from './expected.ts';

/** Whether a cell's result is the reply of a database or a model, which is stored whether or not a cell reads it. */
export function storesReply({ language }: Pick<CellState, 'language'>): boolean {
  return LANGUAGES[language].storesReply;
}

/** The runs that stored the last reply of such a cell, under any key; null if nothing is stored. */
export function replyRunsOf(cell: CellState): string | null {
  const runs = cell.analysis.defines.flatMap((name) => newestVersion(cell, name)?.params['run'] ?? []);
  return runs.length === 0 ? null : [...new Set(runs)].join(' ');
}
