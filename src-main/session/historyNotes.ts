import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { CellHistory } from '../notebook/cellHistory.ts';
import type { CellSource } from '../notebook/cellSources.ts';

/** What others wrote, and what was there before it; cells they took away. */
export function noteFollowed(
  history: Pick<CellHistory, 'note'>,
  texts: {
    readonly before: ReadonlyMap<CellId, CellSource>;
    readonly after: ReadonlyMap<CellId, CellSource>;
    readonly rewritten: readonly CellId[];
  },
): void {
  const { before, after, rewritten } = texts;
  for (const id of rewritten) {
    const text = after.get(id)?.source ?? '';
    history.note(id, { text, why: 'outside', author: null, before: before.get(id)?.source ?? null });
  }
  for (const [id, last] of before) if (!after.has(id)) noteDeleted(history, id, last);
}

/** The last text of a cell that goes. */
export function noteDeleted(
  history: Pick<CellHistory, 'note'>,
  id: CellId,
  last: CellSource | undefined,
): void {
  // A cell that was never written in has nothing to come back for.
  if (last === undefined || last.source === '') return;
  history.note(id, { text: last.source, why: 'deleted', author: null, before: null });
}
