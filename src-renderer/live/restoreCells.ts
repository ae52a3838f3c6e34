/** Restores earlier states of cells. */

import type { Change } from './history.ts';

/** What a cell is to be again; `past` null: not in the notebook. */
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
 * Makes cells what they were, and adds what it did to `changes`. Texts come first: a refusal in between leaves a cell
 * too many, never one too few. @throws RestError of the first refusal
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
