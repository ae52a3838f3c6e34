import type { ReducerTools } from './events.ts';
import type { CellState, SessionState } from './state.ts';

/**
 * Why nobody knows the cell's text, in a sentence; null where it is known. What the disk refused to take is known: the
 * session has it.
 */
export function whyUnreadable(
  { unsaved }: Pick<SessionState, 'unsaved'>,
  { id, fileProblem }: Pick<CellState, 'id' | 'fileProblem'>,
): string | null {
  if (fileProblem === null || unsaved.has(id)) return null;
  return `Not run: ${fileProblem}. Repair the file or put it back, then run the cell again.`;
}

/**
 * A cell that opens without its text, with the names its last stored run had: what reads them must not run as if
 * nothing gave them.
 */
export function withStoredNames(cell: CellState, analyze: ReducerTools['analyze']): CellState {
  if (cell.fileProblem === null) return cell;
  const rows = Object.values(cell.artifacts).flatMap(([newest]) => newest ?? []);
  const last = rows.sort((a, b) => b.createdAt - a.createdAt)[0]?.params['source'];
  if (last === undefined) return cell;
  // What was wrong in that text is at places this one does not have.
  return { ...cell, analysis: { ...analyze(cell.language, last), diagnostics: [] } };
}
