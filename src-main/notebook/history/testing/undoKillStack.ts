/** The undo stacks that the crash test stores and expects to read again. */

import type { UndoStack } from '../../../../src-shared/wire/undo.ts';

/** Long enough that a kill often happens during the write. */
const CHARACTERS = 300_000;

/** The stack after the nth action, each with one cell, so that a lost one would show. */
export function stackOf(n: number): UndoStack {
  const text = (at: number) => `${at} `.repeat(CHARACTERS / 4);
  const entry = (at: number): UndoStack['done'][number] => ({
    id: `e${at}`,
    deed: 'edit',
    changes: [{ kind: 'source', cellId: `cell${at}`, before: text(at), after: `${text(at)}!` }],
  });
  return { done: [entry(n - 1), entry(n)], undone: [entry(n + 1)] };
}
