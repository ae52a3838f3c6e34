/** Cells whose source file cannot be read: the reason that the user sees, and the names that they keep meanwhile. */

import type { ReducerTools } from './events.ts';
import type { CellState, SessionState } from './state.ts';

/**
 * Why the cell's text is unknown, as a sentence; null if it is known. A text that the disk refused is known:
 * the session has it.
 */
export function whyUnreadable(
  { unsaved }: Pick<SessionState, 'unsaved'>,
  { id, fileProblem }: Pick<CellState, 'id' | 'fileProblem'>,
): string | null {
  if (fileProblem === null || unsaved.has(id)) return null;
  return `Not run: ${fileProblem}. Repair the file or put it back, then run the cell again.`;
}

/**
 * A cell that opens without its text, with the names of its last stored run: its readers must not run as if
 * the names were missing.
 */
export function withStoredNames(cell: CellState, analyze: ReducerTools['analyze']): CellState {
  if (cell.fileProblem === null) return cell;
  const rows = Object.values(cell.artifacts).flatMap(([newest]) => newest ?? []);
  const last = rows.sort((a, b) => b.createdAt - a.createdAt)[0]?.params['source'];
  if (last === undefined) return cell;
  // The diagnostics of that text have positions that this text lacks.
  return { ...cell, analysis: { ...analyze(cell.language, last), diagnostics: [] } };
}
