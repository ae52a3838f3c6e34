/** Restores earlier states of cells: their texts, and cells that were deleted or added since. */

import type { Change } from './history.ts';

/** The earlier state of a cell that is to be restored; `past` null: the cell was not in the notebook. */
export interface PastCell {
  readonly cellId: string;
  readonly past: string | null;
}

interface RestoreTools {
  readonly isThere: (cellId: string) => boolean;
  readonly remove: (cellId: string) => Promise<void>;
  readonly restore: (cellId: string) => Promise<void>;
  readonly write: (cellId: string, text: string) => void;
}

/**
 * Restores earlier states of cells and adds the changes it made to `changes`. Cells are deleted last: after a refusal
 * in between there may be a cell too many, never one too few. @throws RestError of the first refusal
 */
export async function restoreCells(
  cells: readonly PastCell[],
  changes: Change[],
  tools: RestoreTools,
): Promise<void> {
  for (const { cellId, past } of cells) {
    if (past === null) continue;
    if (!tools.isThere(cellId)) {
      await tools.restore(cellId);
      changes.push({ kind: 'added', cellId });
    }
    tools.write(cellId, past);
  }
  for (const { cellId, past } of cells) {
    if (past !== null) continue;
    await tools.remove(cellId);
    changes.push({ kind: 'deleted', cellId });
  }
}
