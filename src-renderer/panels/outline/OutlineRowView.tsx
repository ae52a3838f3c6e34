import { memo } from 'react';
import { causeWords } from '../../notebook/causeWords.ts';
import { useCellParts, useSession } from '../../notebook/context.ts';
import { causeOf } from '../../state/cause.ts';
import { cellName } from '../../state/cellName.ts';
import type { OutlineRow } from '../../state/outline.ts';
import { othersAt } from '../../state/presence.ts';
import { StatusMark } from '../../ui/StatusMark.tsx';
import { clockText, WORDS } from '../../ui/strings.ts';
import { useNow } from '../../ui/useNow.ts';
import { WORKBENCH } from '../../ui/words/workbench.ts';

/** One line of the outline: the mark of the cell's state, its name, and its state in a word. */
export const OutlineRowView = memo(function OutlineRowView(props: {
  row: OutlineRow;
  top: number;
  place: number;
  total: number;
  selected: boolean;
  /** The first line of its cell. */
  first: boolean;
}) {
  const { row, top, place, total, selected, first } = props;
  const session = useSession();
  const { model, name, waits, others } = useCellParts(row.cellId, (view) => ({
    model: view.model.cells[row.cellId],
    name: cellName(view.model, row.cellId),
    waits: view.waiting.some((wish) => wish.kind === 'cell' && wish.cellId === row.cellId),
    others: othersAt(view.model.presence, row.cellId).length,
  }));
  if (model === undefined) return null;
  const { cell } = model;
  const cause = row.heading === null ? causeOf(session.store.getState().model, cell) : null;
  return (
    // The list takes the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={first ? `outline-${row.cellId}` : undefined}
      className={`outline-row${selected ? ' selected' : ''}${row.heading === null ? '' : ' outline-heading'}`}
      role="option"
      aria-selected={selected}
      aria-posinset={place}
      aria-setsize={total}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 6 + row.depth * 12 }}
      title={cause === null ? undefined : causeWords(cause)}
      data-outline={row.cellId}
      onClick={() => session.focus(row.cellId)}
    >
      <StatusMark kind={row.heading === null ? cell.status : 'text'} />
      <span className="outline-name">{row.heading ?? name}</span>
      {others > 0 && first ? <span className="outline-other" title={WORKBENCH.someoneElse} /> : null}
      {row.heading !== null ? null : cell.status === 'running' ? (
        <Elapsed since={model.runningSince} />
      ) : (
        <span className={`outline-state outline-${cell.status}`}>
          {waits
            ? WORDS.queued
            : cell.status === 'ready' && cell.cache_hit
              ? WORKBENCH.rowCached
              : WORKBENCH.rowStatus[cell.status]}
        </span>
      )}
    </div>
  );
});

function Elapsed({ since }: { since: number | null }) {
  const now = useNow(since !== null, 1_000);
  return (
    <span className="outline-state outline-running">
      {since === null ? WORKBENCH.rowStatus.running : clockText(now - since)}
    </span>
  );
}
