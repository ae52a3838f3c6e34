/** Makes the timeline of a notebook, the latest changes of all its cells, from the history of each cell. */

import type { CellThenView, TimelineChange } from '../../../src-shared/wire/routes/history.ts';
import { changesOf, stateAt } from '../../notebook/history/stateAt.ts';
import type { Session } from '../../session/api.ts';

/** Characters of a cell's first line that are its title in a list. */
const TITLE_CHARACTERS = 80;
/** Older changes are found in the history of their cell. */
const MAX_CHANGES = 500;

/** The first line of a text that is not blank, cut to the length of a title. */
export function titleOf(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').slice(0, TITLE_CHARACTERS);
}

/** The latest changes of all cells, newest first. */
export async function timelineOf(session: Session): Promise<TimelineChange[]> {
  const changes: { readonly atMs: number; readonly change: TimelineChange }[] = [];
  for (const { id, text } of await session.views.editor.history.cells()) {
    const { versions } = await session.views.editor.history.list(id, 'source');
    const cell = { cell_id: id, title: titleOf(text), present: session.views.cells.one(id) !== null };
    for (const { atMs, why, author } of changesOf(versions)) {
      changes.push({ atMs, change: { ...cell, at: new Date(atMs).toISOString(), why, author } });
    }
  }
  return changes
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, MAX_CHANGES)
    .map(({ change }) => change);
}

/**
 * The cells whose text was different at a point in time: those of the notebook in its order, then deleted
 * ones.
 */
export async function differencesAt(session: Session, atMs: number): Promise<CellThenView[]> {
  const differences: CellThenView[] = [];
  for (const { id, text } of await session.views.editor.history.cells()) {
    const { versions } = await session.views.editor.history.list(id, 'source');
    const now = session.views.cells.one(id)?.source ?? null;
    const state = stateAt(versions, { atMs, present: now !== null });
    if (state.kind === 'unchanged') continue;
    let past: string | null = null;
    if (state.kind === 'version') {
      const version = await session.views.editor.history.read(id, state.version.id, 'source');
      // Pruned since the list was read: nothing is known of the cell at that time.
      if (version === null) continue;
      past = version.text;
    }
    if (past !== now) differences.push({ cell_id: id, title: titleOf(now ?? text), past, now });
  }
  const placeOf = new Map(session.views.cells.all().map(({ id }, place) => [id, place]));
  const last = placeOf.size;
  return differences.toSorted((a, b) => (placeOf.get(a.cell_id) ?? last) - (placeOf.get(b.cell_id) ?? last));
}
