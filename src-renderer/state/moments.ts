/** Entries of the timeline. */

import type { TimelineChange } from '../../src-shared/wire/routes/history.ts';

/** Changes close to each other are one entry of the timeline. */
const TOGETHER_MS = 60_000;

/** One entry of the notebook's timeline: the state after its newest change. */
export interface Moment {
  /** ISO UTC, of the newest change. */
  readonly at: string;
  readonly cells: readonly TimelineChange[];
  readonly authors: readonly string[];
  /** Cells that were deleted in it. */
  readonly deleted: number;
}

/** Entries of the timeline, newest first; each cell is in one once, with its newest change. @param changes newest first */
export function momentsOf(changes: readonly TimelineChange[]): readonly Moment[] {
  const groups: TimelineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const start = group?.[0];
    if (
      group === undefined ||
      start === undefined ||
      Date.parse(start.at) - Date.parse(change.at) >= TOGETHER_MS
    )
      groups.push([change]);
    else group.push(change);
  }
  return groups.map((group) => {
    const cells = group.filter(
      ({ cell_id }, place) => group.findIndex((one) => one.cell_id === cell_id) === place,
    );
    return {
      at: group[0]?.at ?? '',
      cells,
      authors: [...new Set(group.flatMap(({ author }) => author ?? []))],
      deleted: cells.filter(({ why }) => why === 'deleted').length,
    };
  });
}
