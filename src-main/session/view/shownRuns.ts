import { runsOf } from '../../run/cache.ts';
import { answerRunsOf, isAnswered } from '../keys/answered.ts';
import { type ResultKey, storedResultsOf } from '../keys/statuses.ts';
import type { CellState, SessionState } from '../state/state.ts';

/**
 * Which runs left the rows that a cell shows the results of. Recorded with what is shown, it tells after a crash
 * whether the store is ahead of the record: rows are kept before the record is.
 */

/** Of the current rows under this key; null where there are none. */
export function shownRunsOf(state: SessionState, cell: CellState, key: ResultKey): string | null {
  const results = storedResultsOf(state, cell, { depth: 'current', expected: key });
  if (results !== null) return runsOf(results);
  return isAnswered(cell) ? answerRunsOf(cell) : null;
}
