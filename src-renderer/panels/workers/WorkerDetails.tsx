/** The details of a worker in the Workers panel, for troubleshooting: latest checks, runs on it, its log. */

import { useState } from 'react';
import type { WorkerEntry } from '../../../src-shared/wire/workers.ts';
import { useTask } from '../../live/useTask.ts';
import { useSession, useViewSame } from '../../notebook/context.ts';
import { remoteRunWords } from '../../notebook/remoteRunWords.ts';
import { cellName } from '../../state/cellName.ts';
import type { NotebookModel } from '../../state/notebookModel.ts';
import { agoText } from '../../ui/ago.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useNow } from '../../ui/useNow.ts';
import { durationText } from '../../words/strings.ts';
import { WORKER_WORDS } from '../../words/workers.ts';

/** Details for troubleshooting: the latest checks of a worker, the runs on it, and its log. */
export function WorkerDetails(props: { readonly worker: WorkerEntry; readonly hasLog: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="worker-details" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{WORKER_WORDS.details}</summary>
      {open ? <Inside {...props} /> : null}
    </details>
  );
}

function Inside({ worker, hasLog }: { readonly worker: WorkerEntry; readonly hasLog: boolean }) {
  const { name, health_history: looks, reported } = worker;
  const now = useNow(true, 30_000);
  const runs = useViewSame(
    (view) => runsOn(view.model, name),
    (a, b) => a.join('\n') === b.join('\n'),
  );
  const { gpu_slots: gpus = null, free_gpu_slots: free = null } = reported ?? {};
  const facts = [
    reported?.version === undefined ? null : WORKER_WORDS.version(reported.version),
    reported?.uptime_seconds === undefined
      ? null
      : WORKER_WORDS.upFor(durationText(reported.uptime_seconds * 1_000)),
    gpus === null || free === null ? null : WORKER_WORDS.gpuSlots(free, gpus),
  ].filter((fact) => fact !== null);
  return (
    <>
      {facts.length === 0 ? null : <p className="panel-quiet">{facts.join(' · ')}</p>}
      <h4>{WORKER_WORDS.runs}</h4>
      {runs.length === 0 ? (
        <p className="panel-quiet">{WORKER_WORDS.noRuns}</p>
      ) : (
        <ul className="plain-list">
          {runs.map((run) => (
            <li key={run}>{run}</li>
          ))}
        </ul>
      )}
      <h4>{WORKER_WORDS.probes}</h4>
      <ul className="plain-list panel-quiet">
        {looks.slice(0, 4).map((look) => (
          <li key={look.checked_at}>
            {[
              WORKER_WORDS.health[look.health],
              agoText(look.checked_at, now),
              durationText(look.duration_ms),
              look.error,
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </li>
        ))}
      </ul>
      {hasLog ? <Log name={name} /> : <p className="panel-quiet">{WORKER_WORDS.logElsewhere}</p>}
    </>
  );
}

/** Cells of this notebook that run on a worker or wait for it, in the notebook's order. */
function runsOn(model: NotebookModel, name: string): readonly string[] {
  return model.order.flatMap((id) => {
    const cell = model.cells[id];
    if (cell === undefined || cell.cell.status !== 'running' || cell.cell.remote_worker !== name) return [];
    return [WORKER_WORDS.runsHere(cellName(model, id), remoteRunWords(cell) ?? '')];
  });
}

function Log({ name }: { readonly name: string }) {
  const { workers: acts } = useSession();
  const asking = useTask();
  const [text, setText] = useState<string | null>(null);
  const ask = (): void =>
    asking.run(async () => {
      setText(await acts.log(name));
    });
  return (
    <>
      <Button onClick={ask} disabled={asking.busy}>
        {WORKER_WORDS.log(name)}
      </Button>
      {asking.problem === null ? null : <Notice tone="error">{asking.problem}</Notice>}
      {text === null ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre className="worker-log" tabIndex={0}>
          {text === '' ? WORKER_WORDS.noLog : text}
        </pre>
      )}
    </>
  );
}
