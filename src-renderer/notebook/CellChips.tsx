/** The chips beside a cell's name: running, queued, from cache, duration, worker, and why the cell is stale. */

import { Braces, Check, CircleDashed, CircleStop, Clock, Cloud, Play, Settings2, Users } from 'lucide-react';
import { environmentBusy } from '../live/requestedRuns.ts';
import { causeOf, sameCause } from '../state/cause.ts';
import { loopOfCell, loopRemainingMs } from '../state/loop.ts';
import type { CellModel } from '../state/notebookModel.ts';
import { othersAt } from '../state/presence.ts';
import { placeInQueue } from '../state/runQueue.ts';
import { isSetupCell } from '../state/setupCell.ts';
import { sharedNames } from '../state/sharedNames.ts';
import { agoText } from '../ui/ago.ts';
import { Chip } from '../ui/Chip.tsx';
import { useNow } from '../ui/useNow.ts';
import { CARD_WORDS } from '../words/cellCard.ts';
import { LOOP_WORDS } from '../words/loop.ts';
import { SETUP_WORDS } from '../words/setup.ts';
import { clockText, durationText, listText, WORDS } from '../words/strings.ts';
import { VARIANT_WORDS } from '../words/variants.ts';
import { WORKBENCH } from '../words/workbench.ts';
import { WORKER_WORDS } from '../words/workers.ts';
import { causeWords } from './causeWords.ts';
import { useCell, useCellParts, useView } from './context.ts';
import { FaultChip } from './Faults.tsx';
import { remoteRunWords } from './remoteRunWords.ts';

/** Chips beside a cell's name: running, queued, from cache, duration, and why it is stale. */
export function CellChips({ id, model }: { id: string; model: CellModel }) {
  const { cell } = model;
  const cause = useCell(id, (view) => causeOf(view.model, cell), sameCause);
  const { place, asked, rewritten, others } = useCellParts(id, (view) => ({
    place: placeInQueue(view.model, id),
    asked: view.asked[id] === true,
    rewritten: view.model.rewritten[id] === true,
    others: namesText(othersAt(view.model.presence, id).map((one) => one.name ?? WORKBENCH.someoneElse)),
  }));
  const waits = place !== -1;
  if (cell.status === 'running') return <RunningChip model={model} />;
  const lastTime = cell.last_duration_ms ?? null;
  return (
    <>
      <FaultChip cell={cell} />
      {isSetupCell(cell) ? (
        <Chip tone="accent" icon={<Settings2 aria-hidden="true" />} title={SETUP_WORDS.badgeHint}>
          {SETUP_WORDS.badge}
        </Chip>
      ) : null}
      <SharedChip cell={cell} />
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
      {cell.fan_out === undefined ? null : (
        <Chip title={VARIANT_WORDS.runsPerHint(listText(cell.fan_out.variants))}>
          {VARIANT_WORDS.runsPer(cell.fan_out.group)}
        </Chip>
      )}
      {waits ? <WaitingChip place={place + 1} /> : null}
      {asked && !waits ? <Chip tone="run">{WORDS.starting}</Chip> : null}
      {cause === null ? null : (
        <Chip tone="stale" icon={<CircleDashed aria-hidden="true" />} title={causeWords(cause)}>
          {causeWords(cause)}
        </Chip>
      )}
      {cell.status === 'ready' || cell.stopped_ms === undefined ? null : (
        <Chip whole icon={<CircleStop aria-hidden="true" />} title={CARD_WORDS.stoppedHint}>
          {CARD_WORDS.stopped(cell.stopped_ms < 1_000 ? '' : clockText(cell.stopped_ms))}
        </Chip>
      )}
      {cell.status !== 'ready' && lastTime !== null ? (
        <Chip whole>{WORDS.lastTime(durationText(lastTime))}</Chip>
      ) : null}
      <RemoteChip cell={cell} />
      {cell.status === 'ready' ? <DoneChip model={model} /> : null}
      {cell.status === 'ready' ? <TeamChip cell={cell} /> : null}
    </>
  );
}

/** Each name once, with its number: `Another window × 9`. */
function namesText(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} × ${count}`)).join(', ');
}

/** The most names shown; the inspector lists all. */
const FEW_NAMES = 3;

/** The functions and classes that a module cell shares. */
function SharedChip({ cell }: { cell: CellModel['cell'] }) {
  const names = sharedNames(cell);
  if (names.length === 0) return null;
  return (
    <Chip icon={<Braces aria-hidden="true" />} title={CARD_WORDS.sharesHint}>
      {CARD_WORDS.shares(names.slice(0, FEW_NAMES), names.length - FEW_NAMES)}
    </Chip>
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
      <Chip whole tone="cache" icon={<Check aria-hidden="true" />}>
        {durationMs === null ? WORDS.cached : `${WORDS.cached} · ${durationText(durationMs)}`}
      </Chip>
    );
  }
  const took = durationMs ?? cell.last_duration_ms ?? null;
  return took === null ? null : <Chip whole>{durationText(took)}</Chip>;
}

/** The origin and time of a result that came from the team's cache. */
function TeamChip({ cell }: { cell: CellModel['cell'] }) {
  const now = useNow(cell.team_cache !== undefined, 60_000);
  if (cell.team_cache === undefined) return null;
  const { principal, created_at, saved_ms } = cell.team_cache;
  const saved = durationText(saved_ms);
  return (
    <Chip icon={<Users aria-hidden="true" />} title={CARD_WORDS.teamHint(principal, saved)}>
      {CARD_WORDS.team(principal, agoText(created_at * 1000, now))}
    </Chip>
  );
}

/** The worker of the last run, and why it failed there. */
function RemoteChip({ cell }: { cell: CellModel['cell'] }) {
  const { remote_worker: worker, remote_error_code: code } = cell;
  if (worker === null) return null;
  const title = WORKER_WORDS.lastRun(worker, cell.remote_transport, cell.remote_build_id);
  return (
    <Chip {...(code === null ? {} : { tone: 'error' })} icon={<Cloud aria-hidden="true" />} title={title}>
      {code === null ? worker : `${worker} · ${code}`}
    </Chip>
  );
}

function RunningChip({ model }: { model: CellModel }) {
  const { runningSince: since, stopping, loop } = model;
  const now = useNow(since !== null, 1_000);
  const hasUntil = loop !== null && (loopOfCell(model.cell)?.untilExpr ?? null) !== null;
  const leftMs = loop === null ? null : loopRemainingMs(loop);
  const away = remoteRunWords(model);
  const hint = stopping === null ? '' : CARD_WORDS.stopHint[stopping];
  return (
    <Chip tone={stopping === null ? 'run' : 'error'} icon={<Play aria-hidden="true" fill="currentColor" />}>
      {loop === null ? '' : `${LOOP_WORDS.done(loop.finished, loop.maxIter, hasUntil)} · `}
      {away === null ? '' : `${away} · `}
      {since === null ? WORDS.status.running : clockText(now - since)}
      {leftMs === null || leftMs < 1_000 ? '' : ` · ${LOOP_WORDS.left(leftMs, hasUntil)}`}
      {stopping === null ? '' : ` · ${CARD_WORDS.stopping[stopping]}`}
      {hint === '' ? '' : ` ${hint}`}
    </Chip>
  );
}
