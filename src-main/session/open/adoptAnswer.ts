/**
 * Accepts, from a snapshot that another program wrote, the stored reply of a prompt or SQL cell as the cell's result.
 */

import { dataOf } from '../keys/data.ts';
import { newestVersion } from '../keys/expected.ts';
import { identityOf } from '../keys/reopened.ts';
import { sqlUseOf } from '../keys/sqlCells.ts';
import type { CellState, SessionState } from '../state/state.ts';
import type { Adoption } from './adoption.ts';
import { recordUnder } from './adoptResult.ts';

/**
 * Whether the notebook itself contains everything the reply depends on: the other server may have had another
 * model.
 */
function isDecidedHere(state: SessionState, cell: CellState): boolean {
  const use = sqlUseOf(state, cell);
  if (use !== null) return use.policy.kind === 'forever';
  return (cell.analysis.annotations.prompt.model ?? state.file.ai.model ?? null) !== null;
}

/**
 * Adopts the last reply of a prompt whose model the notebook names, or of a SQL cell with `@cache forever`:
 * such a reply is stored under its own key, so only the request needs to be compared. Every other SQL cell
 * checks its data first, as after reopening.
 */
export function adoptAnswer({ state, cell, expected }: Adoption): CellState | null {
  if (!isDecidedHere(state, cell)) return null;
  if (dataOf(state, cell).length > 0) return null;
  if (!cell.analysis.defines.every((name) => newestVersion(cell, name) !== null)) return null;
  const reopenIdentity = identityOf(state, cell, Date.now());
  if (reopenIdentity === null) return null;
  return {
    ...cell,
    record: { ...recordUnder(expected), reopenIdentity },
    readyProvenance: expected.provenanceHash,
  };
}
