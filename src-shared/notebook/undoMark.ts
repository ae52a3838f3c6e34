/** Marks a position in a notebook's undo stack, and finds the entries after it. */

import type { UndoMark } from '../wire/undo.ts';

/** Maximum entries of a mark: as many as the record stores. */
export const MAX_MARKED = 200;

/**
 * A position in the undo stack to return to later, also from another window.
 * @param done the done entries, oldest first
 * @param forgotten the number of entries that the record's limits have removed
 */
export function undoMarkOf(
  done: readonly { readonly id: string; readonly changes: readonly unknown[] }[],
  forgotten: number,
): UndoMark {
  return {
    done: done.slice(-MAX_MARKED).map(({ id, changes }) => ({ id, size: sizeOf(changes) })),
    forgotten,
  };
}

/** The size of an entry's changes, which shows whether the entry was continued later. */
function sizeOf(changes: readonly unknown[]): number {
  return JSON.stringify(changes).length;
}

/**
 * The entries done after a mark, oldest first. Null if unknown: an entry before the mark was undone, changed
 * or removed since.
 */
export function entriesSince<E extends { readonly id: string; readonly changes: readonly unknown[] }>(
  mark: UndoMark,
  done: readonly E[],
  forgotten: number,
): readonly E[] | null {
  const last = mark.done.at(-1);
  const isComplete = mark.forgotten === forgotten;
  // After the mark of an empty stack, no entry may be missing.
  if (last === undefined) return isComplete ? done : null;
  const at = done.findIndex(({ id }) => id === last.id);
  // If an earlier entry is missing although the limits removed none, it was undone.
  if (at === -1 || (isComplete && at < mark.done.length - 1)) return null;
  for (let back = 0; back <= Math.min(at, mark.done.length - 1); back += 1) {
    const [then, now] = [mark.done[mark.done.length - 1 - back], done[at - back]];
    if (then?.id !== now?.id || then?.size !== sizeOf(now?.changes ?? [])) return null;
  }
  return done.slice(at + 1);
}
