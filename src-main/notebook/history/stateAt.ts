/** Finds the text that a cell had at a point in time, for the history of the whole notebook. */

import type { CellVersion } from './cellVersions.ts';

/** The state of a cell at a point in time: as it is now, one of its versions, or not in the notebook. */
type CellThen =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'version'; readonly version: CellVersion }
  | { readonly kind: 'absent' };

/**
 * The state of a cell at a point in time, from its versions.
 * @param versions newest first
 */
export function stateAt(
  versions: readonly CellVersion[],
  { atMs, present }: { readonly atMs: number; readonly present: boolean },
): CellThen {
  const last = versions.findIndex((one) => one.atMs <= atMs);
  // Nothing happened since. A cell that was deleted and brought back has its deletion as the newest version.
  if (last === 0 || versions.length === 0) return present ? { kind: 'unchanged' } : { kind: 'absent' };
  const version = versions[last];
  if (version !== undefined) {
    return version.why === 'deleted' ? { kind: 'absent' } : { kind: 'version', version };
  }
  // The text a cell had before its first change is stored with that change; a new cell had none.
  const first = versions.at(-1);
  return first === undefined || first.lines === 0 ? { kind: 'absent' } : { kind: 'version', version: first };
}

/** The versions a user would call a change: a new cell is empty before its first text. */
export function changesOf(versions: readonly CellVersion[]): readonly CellVersion[] {
  return versions.filter(({ lines }, at) => lines > 0 || at < versions.length - 1);
}
