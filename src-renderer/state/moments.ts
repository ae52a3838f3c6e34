/** Groups the stored changes of a notebook into the entries of the History panel's timeline. */

import type { TimelineChange } from '../../src-shared/wire/routes/history.ts';

/** Changes within this time before the newest one form one entry of the timeline, in ms. */
const TOGETHER_MS = 60_000;

/** One entry of the notebook's timeline: the state after its newest change. */
export interface Moment {
  /** The time of the newest change, ISO 8601 in UTC. */
  readonly at: string;
  readonly cells: readonly TimelineChange[];
  readonly authors: readonly string[];
  /** How many cells were deleted in it. */
  readonly deleted: number;
}

/**
 * The entries of the timeline, newest first. An entry contains each cell once, with its newest change.
 * @param changes newest first
 */
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
