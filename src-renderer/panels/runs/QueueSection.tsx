import { ArrowDown, ArrowUp, ChevronsUp, X } from 'lucide-react';
import { useSession, useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { RUNS_WORDS as W } from '../../words/runs.ts';
import { durationText, WORDS } from '../../words/strings.ts';

/** The section of the Runs panel with the queued runs of all windows, in order; each can be moved or removed. */
export function QueueSection() {
  const session = useSession();
  const queue = useView((view) => view.model.queue);
  return (
    <section className="panel-section" aria-label={W.queue}>
      <h3>{W.queue}</h3>
      {queue.length === 0 ? (
        <p className="panel-quiet">{W.queueEmpty}</p>
      ) : (
        <>
          <ol className="plain-list queue">
            {queue.map((run, at) => (
              <Waiting
                key={run.id}
                {...{ id: run.id, cellId: run.cell_id, mode: run.mode }}
                first={queue[0]?.id ?? run.id}
                above={queue[at - 1]?.id ?? null}
                below={queue[at + 1] === undefined ? null : { next: queue[at + 2]?.id ?? null }}
              />
            ))}
          </ol>
          {queue.length < 2 ? null : <Button onClick={() => session.runs.clearQueue()}>{W.clear}</Button>}
        </>
      )}
    </section>
  );
}

function Waiting(props: {
  id: string;
  cellId: string | null;
  mode: 'normal' | 'rerun' | 'force';
  first: string;
  above: string | null;
  /** Null for the last row. `next` is the id of the run that this one would precede after moving down. */
  below: { readonly next: string | null } | null;
}) {
  const { id, cellId, mode, first, above, below } = props;
  const session = useSession();
  const name = useView((view) => (cellId === null ? W.allCells : cellName(view.model, cellId)));
  const took = useView((view) =>
    cellId === null ? null : (view.model.cells[cellId]?.cell.last_duration_ms ?? null),
  );
  return (
    <li className="queue-row" data-queued={cellId ?? 'all'}>
      {cellId === null ? (
        <span className="queue-name">{name}</span>
      ) : (
        <button type="button" className="cell-link queue-name" onClick={() => session.focus(cellId)}>
          {name}
        </button>
      )}
      <span className="queue-facts">
        {[W.mode[mode], took === null ? WORDS.neverTimed : durationText(took)].filter(Boolean).join(' · ')}
      </span>
      <IconButton
        label={W.first(name)}
        disabled={above === null}
        onClick={() => session.runs.moveQueued(id, first)}
      >
        <ChevronsUp />
      </IconButton>
      <IconButton
        label={W.up(name)}
        disabled={above === null}
        onClick={() => session.runs.moveQueued(id, above)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        label={W.down(name)}
        disabled={below === null}
        onClick={() => session.runs.moveQueued(id, below?.next ?? null)}
      >
        <ArrowDown />
      </IconButton>
      <IconButton label={W.remove(name)} onClick={() => session.runs.removeQueued(id)}>
        <X />
      </IconButton>
    </li>
  );
}
