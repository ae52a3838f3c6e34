/**
 * Finds the runs that stored what a cell shows. They are recorded with the shown results, so that after a crash it is
 * known whether the store is newer than the record: rows are stored first.
 */

import { runsOf } from '../../run/cache.ts';
import { replyRunsOf, storesReply } from '../keys/replies.ts';
import { type ResultKey, storedResultsOf } from '../keys/statuses.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** The runs of the current rows under this key; null if there are none. */
export function shownRunsOf(state: SessionState, cell: CellState, key: ResultKey): string | null {
  const results = storedResultsOf(state, cell, { depth: 'current', expected: key });
  if (results !== null) return runsOf(results);
  return storesReply(cell) ? replyRunsOf(cell) : null;
}
