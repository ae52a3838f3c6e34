import { Check, CircleDashed, Clock, Play } from 'lucide-react';
import { environmentBusy } from '../live/runWishes.ts';
import { causeOf, sameCause } from '../state/cause.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { Chip } from '../ui/Chip.tsx';
import { clockText, durationText, WORDS } from '../ui/strings.ts';
import { useNow } from '../ui/useNow.ts';
import { causeWords } from './causeWords.ts';
import { useCell, useCellParts, useView } from './context.ts';

/** The facts beside a cell's name: running, waiting, cached, how long, and why it is stale. */
export function CellChips({ id, model }: { id: string; model: CellModel }) {
  const { cell } = model;
  const cause = useCell(id, (view) => causeOf(view.model, cell), sameCause);
  const { waits, asked } = useCellParts(id, (view) => ({
    waits: view.waiting.some((wish) => wish.kind === 'cell' && wish.cellId === id),
    asked: view.asked[id] === true,
  }));
  if (cell.status === 'running') return <RunningChip since={model.runningSince} />;
  const lastTime = cell.last_duration_ms ?? null;
  return (
    <>
      {waits ? <WaitingChip /> : null}
      {asked && !waits ? <Chip tone="run">{WORDS.starting}</Chip> : null}
      {cause === null ? null : (
        <Chip tone="stale" icon={<CircleDashed aria-hidden="true" />} title={causeWords(cause)}>
          {causeWords(cause)}
        </Chip>
      )}
      {cell.status !== 'ready' && lastTime !== null ? (
        <Chip>{WORDS.lastTime(durationText(lastTime))}</Chip>
      ) : null}
      {cell.status === 'ready' ? <DoneChip model={model} /> : null}
    </>
  );
}

function WaitingChip() {
  const environment = useView((view) => environmentBusy(view.model));
  return (
    <Chip tone="run" icon={<Clock aria-hidden="true" />}>
      {environment ? WORDS.waitsForEnvironment : WORDS.queued}
    </Chip>
  );
}

function DoneChip({ model }: { model: CellModel }) {
  const { cell, durationMs } = model;
  if (cell.cache_hit) {
    return (
      <Chip tone="cache" icon={<Check aria-hidden="true" />}>
        {durationMs === null ? WORDS.cached : `${WORDS.cached} · ${durationText(durationMs)}`}
      </Chip>
    );
  }
  const took = durationMs ?? cell.last_duration_ms ?? null;
  return took === null ? null : <Chip>{durationText(took)}</Chip>;
}

function RunningChip({ since }: { since: number | null }) {
  const now = useNow(since !== null, 1_000);
  return (
    <Chip tone="run" icon={<Play aria-hidden="true" fill="currentColor" />}>
      {since === null ? WORDS.status.running : clockText(now - since)}
    </Chip>
  );
}
