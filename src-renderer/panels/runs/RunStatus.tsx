/** The part of the status bar about runs: estimated remaining time, and the mode of automatic runs. */

import { Zap } from 'lucide-react';
import { autoRunOf } from '../../live/autoRun.ts';
import { useView } from '../../notebook/context.ts';
import { cellName } from '../../state/cellName.ts';
import { remainingTime } from '../../state/remainingTime.ts';
import { useNow } from '../../ui/useNow.ts';
import { RUNS_WORDS as W } from '../../words/runs.ts';
import { durationText } from '../../words/strings.ts';
import { layoutActions } from '../useLayout.ts';

const SECOND_MS = 1_000;

/** The estimated remaining time of running and queued cells, and the mode of automatic runs. */
export function RunStatus() {
  return (
    <>
      <Rest />
      <AutoRunStatus />
    </>
  );
}

function Rest() {
  const model = useView((view) => view.model);
  const isRunning = model.rest !== null || model.queue.length > 0;
  const rest = remainingTime(model, useNow(isRunning, SECOND_MS));
  if (rest === null || (rest.remainingMs === 0 && rest.place === null)) return null;
  const { remainingMs, untimed, place } = rest;
  const time = durationText(Math.ceil(remainingMs / SECOND_MS) * SECOND_MS).replace('.0 s', ' s');
  const remainingText = remainingMs === 0 ? '' : untimed > 0 ? W.leftAtLeast(time) : W.left(time);
  const where = place === null ? '' : W.progress(place.current, place.total);
  return (
    <span data-rest title={W.leftHint(untimed)}>
      {[where, remainingText].filter(Boolean).join(' · ')}
    </span>
  );
}

/** Renders nothing while automatic runs are off. */
function AutoRunStatus() {
  const { mode } = useView(autoRunOf);
  const skipped = useView((view) =>
    (view.model.autoReport?.skipped ?? [])
      .filter(({ cell_id }) => {
        const status = view.model.cells[cell_id]?.cell.status;
        return status !== undefined && status !== 'ready' && status !== 'running';
      })
      .map(({ cell_id, message }) => `${cellName(view.model, cell_id)}: ${message}`)
      .join('\n'),
  );
  if (mode === 'off') return null;
  const lines = skipped.split('\n').filter(Boolean);
  const words = W.autoStatus(W.autoMode[mode].toLowerCase());
  return (
    <button
      type="button"
      className={`status-item${lines.length > 0 ? ' status-unsaved' : ''}`}
      title={lines.length === 0 ? W.autoHint[mode] : skipped}
      data-auto-run={mode}
      onClick={() => layoutActions().showPanel('runs')}
    >
      <Zap aria-hidden="true" />
      <span>{mode === 'live' && lines.length > 0 ? `${words} · ${W.autoSkipped(lines.length)}` : words}</span>
    </button>
  );
}
