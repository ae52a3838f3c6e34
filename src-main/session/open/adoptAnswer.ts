import { dataOf } from '../keys/data.ts';
import { latest } from '../keys/expected.ts';
import { identityOf } from '../keys/reopened.ts';
import { sqlUseOf } from '../keys/sqlCells.ts';
import type { CellState, SessionState } from '../state/state.ts';
import type { Adoption } from './adoptedRuns.ts';
import { recordUnder } from './adoptResult.ts';

/** Whether the notebook itself says all that decides the answer: the other server may have had another model. */
function isDecidedHere(state: SessionState, cell: CellState): boolean {
  if (cell.language === 'sql') return sqlUseOf(state, cell)?.policy.kind === 'forever';
  return (cell.analysis.annotations.prompt.model ?? state.file.ai.model ?? null) !== null;
}

/**
 * A prompt whose model the notebook names, or a SQL cell that never looks again, with its last answer: that is stored under a key of its own, so that
 * what it is asked with is all there is to compare. Every other SQL cell looks at its data first, as after reopening.
 */
export function adoptAnswer({ state, cell, expected }: Adoption): CellState | null {
  if (!isDecidedHere(state, cell)) return null;
  if (dataOf(state, cell).length > 0) return null;
  if (!cell.analysis.defines.every((name) => latest(cell, name) !== null)) return null;
  const reopenIdentity = identityOf(state, cell, Date.now());
  if (reopenIdentity === null) return null;
  return {
    ...cell,
    record: { ...recordUnder(expected), reopenIdentity },
    readyProvenance: expected.provenanceHash,
  };
}
