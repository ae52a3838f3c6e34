import { Check, CircleDashed, Clock, Play, Users } from 'lucide-react';
import { environmentBusy } from '../live/runWishes.ts';
import { causeOf, sameCause } from '../state/cause.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { othersAt } from '../state/presence.ts';
import { Chip } from '../ui/Chip.tsx';
import { clockText, durationText, WORDS } from '../ui/strings.ts';
import { useNow } from '../ui/useNow.ts';
import { CARD_WORDS } from '../ui/words/cellCard.ts';
import { WORKBENCH } from '../ui/words/workbench.ts';
import { causeWords } from './causeWords.ts';
import { useCell, useCellParts, useView } from './context.ts';

/** The facts beside a cell's name: running, waiting, cached, how long, and why it is stale. */
export function CellChips({ id, model }: { id: string; model: CellModel }) {
  const { cell } = model;
  const cause = useCell(id, (view) => causeOf(view.model, cell), sameCause);
  const { place, asked, rewritten, others } = useCellParts(id, (view) => ({
    place: view.waiting.findIndex((wish) => wish.kind === 'cell' && wish.cellId === id),
    asked: view.asked[id] === true,
    rewritten: view.model.rewritten[id] === true,
    others: othersAt(view.model.presence, id)
      .map((one) => one.name ?? WORKBENCH.someoneElse)
      .join(', '),
  }));
  const waits = place !== -1;
  if (cell.status === 'running') return <RunningChip since={model.runningSince} stopping={model.stopping} />;
  const lastTime = cell.last_duration_ms ?? null;
  return (
    <>
      {others === '' ? null : (
        <Chip tone="accent" icon={<Users aria-hidden="true" />} title={CARD_WORDS.isHere(others)}>
          {others}
        </Chip>
      )}
      {rewritten ? (
        <Chip tone="accent" title={CARD_WORDS.rewrittenHint}>
          {CARD_WORDS.rewritten}
        </Chip>
      ) : null}
      {waits ? <WaitingChip place={place + 1} /> : null}
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

function WaitingChip({ place }: { place: number }) {
  const environment = useView((view) => environmentBusy(view.model));
  return (
    <Chip tone="run" icon={<Clock aria-hidden="true" />}>
      {environment ? WORDS.waitsForEnvironment : CARD_WORDS.queuedAt(place)}
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

function RunningChip({ since, stopping }: { since: number | null; stopping: CellModel['stopping'] }) {
  const now = useNow(since !== null, 1_000);
  return (
    <Chip tone={stopping === null ? 'run' : 'error'} icon={<Play aria-hidden="true" fill="currentColor" />}>
      {since === null ? WORDS.status.running : clockText(now - since)}
      {stopping === null ? '' : ` · ${CARD_WORDS.stopping[stopping]}`}
    </Chip>
  );
}
