/** Decides which SQL and prompt cells of a reopened notebook keep the status of the session that ran them. */

import { UNRECORDED } from '../../notebook/stored/runtimeState.ts';
import { reopenIdentity } from '../../run/reopenIdentity.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { aiOf } from './ai.ts';
import { envOf } from './expected.ts';
import { replyRunsOf, storesReply } from './replies.ts';
import { sqlUse } from './sqlCells.ts';

/**
 * The cells of a notebook that was just opened: SQL and prompt cells whose identity is the same as when they ran keep
 * their status from that session (docs/spec/staleness-and-runs.md, 1).
 */
export function reopenedCells(state: SessionState, nowMs: number): SessionState['cells'] {
  return new Map(
    Array.from(state.cells, ([id, cell]) => {
      const { record } = cell;
      const isBelieved =
        storesReply(cell) &&
        record !== null &&
        record.reopenIdentity !== null &&
        record.reopenIdentity === identityOf(state, cell, nowMs) &&
        // Readers get the newest reply: it must be the one that the record describes.
        (cell.shownRuns === UNRECORDED || cell.shownRuns === replyRunsOf(cell));
      return [id, isBelieved ? { ...cell, readyProvenance: record.provenanceHash } : cell];
    }),
  );
}

/**
 * The identity that must match before a session accepts the reply of a SQL or prompt cell from another
 * session.
 */
export function identityOf(state: SessionState, cell: CellState, nowMs: number): string | null {
  const { language, source } = cell;
  switch (language) {
    case 'prompt':
      return reopenIdentity({ language, source, ai: aiOf(state, envOf(state, cell)) }, nowMs);
    case 'sql':
      return reopenIdentity({ language, sql: sqlUse(state, cell) }, nowMs);
    default:
      return null;
  }
}
