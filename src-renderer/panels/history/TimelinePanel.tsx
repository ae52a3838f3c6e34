/** The History panel: when the notebook changed and what; an entry opens the notebook as it was then. */

import './history.css';
import { useMemo, useRef, useState } from 'react';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView, useViewSame } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { type Moment, momentsOf } from '../../state/moments.ts';
import type { NotebookModel } from '../../state/notebookModel.ts';
import { agoText } from '../../ui/ago.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useNow } from '../../ui/useNow.ts';
import { HISTORY_WORDS as W } from '../../words/history.ts';
import { listText } from '../../words/strings.ts';
import { CommitChanges } from './CommitChanges.tsx';
import { StateDialog } from './StateDialog.tsx';

/** The most cell names shown in an entry; the dialog shows all. */
const FEW = 4;

/** When the notebook changed and what; an entry opens the notebook as it was then, to restore it. */
export function TimelinePanel() {
  const sessionId = useView((view) => view.sessionId);
  const key = useSavedCount();
  const now = useNow(true, 60_000);
  const [shownState, show] = useState<string | null>(null);
  const ask = { subject: sessionId, key };
  const { value, problem } = useAnswer('notebookTimeline', { params: { sid: sessionId } }, ask);
  const moments = useMemo(() => momentsOf(value?.changes ?? []), [value]);
  const names = useViewSame((view) => moments.map((moment) => namesOf(moment, view.model)), sameList);
  if (problem !== null) return <Notice tone="error">{problem}</Notice>;
  if (value === null) return <Spinner label={W.loading} />;
  const commit = <CommitChanges sid={sessionId} contentKey={key} now={now} />;
  if (moments.length === 0)
    return (
      <>
        {commit}
        <p className="panel-quiet">{W.timelineEmpty}</p>
      </>
    );
  return (
    <>
      {commit}
      <p className="panel-quiet">{W.timelineHint}</p>
      <ol className="history-timeline" aria-label={W.versions}>
        {moments.map((moment, place) => (
          <li key={moment.at}>
            <button
              type="button"
              className="history-version"
              title={new Date(moment.at).toLocaleString()}
              onClick={() => show(moment.at)}
            >
              {names[place]}
              <small>{factsOf(moment, now)}</small>
            </button>
          </li>
        ))}
      </ol>
      <StateDialog at={shownState} onClose={() => show(null)} />
    </>
  );
}

function namesOf({ cells }: Moment, model: NotebookModel): string {
  const names = cells.map(({ cell_id, title }) =>
    model.cells[cell_id] === undefined ? W.deletedCell(title) : cellName(model, cell_id),
  );
  return names.length <= FEW ? listText(names) : `${names.slice(0, FEW).join(', ')} +${names.length - FEW}`;
}

function factsOf({ at, cells, authors }: Moment, now: number): string {
  const kinds = [...new Set(cells.map(({ why }) => W.why[why]))];
  const by = authors.length === 0 ? [] : [W.by(listText([...authors]))];
  return [agoText(Date.parse(at), now), ...kinds, ...by].join(' · ');
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

/** A value that changes with every save, so that the timeline is loaded again. */
function useSavedCount(): string {
  const sources = useViewSame(
    (view) => view.model.order.map((id) => view.model.cells[id]?.cell.source),
    sameList,
  );
  const lastSaved = useRef({ sources, count: 0 });
  if (lastSaved.current.sources !== sources)
    lastSaved.current = { sources, count: lastSaved.current.count + 1 };
  return String(lastSaved.current.count);
}
