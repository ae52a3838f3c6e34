import { UNRECORDED } from '../../notebook/kept/runtimeState.ts';
import { reopenIdentity } from '../../run/reopenIdentity.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { aiOf } from './ai.ts';
import { answerRunsOf, isAnswered } from './answered.ts';
import { envOf } from './expected.ts';
import { sqlUseOf } from './sqlCells.ts';

/**
 * The cells of a notebook that was just opened: of the answered ones, those whose identity is what it was when they
 * ran are believed as they were in that session (staleness-and-runs 1).
 */
export function reopenedCells(state: SessionState, nowMs: number): SessionState['cells'] {
  return new Map(
    Array.from(state.cells, ([id, cell]) => {
      const { record } = cell;
      const isBelieved =
        isAnswered(cell) &&
        record !== null &&
        record.reopenIdentity !== null &&
        record.reopenIdentity === identityOf(state, cell, nowMs) &&
        // Readers get the newest answer: it must be the one the record is of.
        (cell.shownRuns === UNRECORDED || cell.shownRuns === answerRunsOf(cell));
      return [id, isBelieved ? { ...cell, readyProvenance: record.provenanceHash } : cell];
    }),
  );
}

/** What a session compares before it believes what a SQL or prompt cell answered in another one. */
export function identityOf(state: SessionState, cell: CellState, nowMs: number): string | null {
  const ai = cell.language === 'prompt' ? aiOf(state, envOf(state, cell)) : null;
  return reopenIdentity({ source: cell.source, widget: null, ai, sql: sqlUseOf(state, cell) }, nowMs);
}
