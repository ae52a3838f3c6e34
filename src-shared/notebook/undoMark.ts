import type { UndoMark } from '../wire/undo.ts';

/** Entries of a mark: as many as the record keeps. */
export const MOST_MARKED = 200;

/**
 * A place in the undo stack, to go back to later, also from another window.
 * @param done what is done, oldest first
 * @param forgotten how many entries of the record its limits have removed
 */
export function undoMarkOf(
  done: readonly { readonly id: string; readonly changes: readonly unknown[] }[],
  forgotten: number,
): UndoMark {
  return {
    done: done.slice(-MOST_MARKED).map(({ id, changes }) => ({ id, size: sizeOf(changes) })),
    forgotten,
  };
}

/** Changes of an entry that went on are longer or shorter than before. */
function sizeOf(changes: readonly unknown[]): number {
  return JSON.stringify(changes).length;
}

/**
 * What was done after a mark, oldest first. Null where that is not known: an entry from before it was undone or changed
 * since, or was forgotten.
 */
export function doneSince<E extends { readonly id: string; readonly changes: readonly unknown[] }>(
  mark: UndoMark,
  done: readonly E[],
  forgotten: number,
): readonly E[] | null {
  const last = mark.done.at(-1);
  const isComplete = mark.forgotten === forgotten;
  // Of what followed an empty stack nothing may be missing.
  if (last === undefined) return isComplete ? done : null;
  const at = done.findIndex(({ id }) => id === last.id);
  // An earlier one that is missing although none was forgotten has been undone.
  if (at === -1 || (isComplete && at < mark.done.length - 1)) return null;
  for (let back = 0; back <= Math.min(at, mark.done.length - 1); back += 1) {
    const [then, now] = [mark.done[mark.done.length - 1 - back], done[at - back]];
    if (then?.id !== now?.id || then?.size !== sizeOf(now?.changes ?? [])) return null;
  }
  return done.slice(at + 1);
}
