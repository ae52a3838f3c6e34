/** Plans which cells run automatically after an edit. */

import { descendantsOf } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { AUTO_RUN_OFF } from '../../../src-shared/wire/autoRun.ts';
import { planUpstreams } from '../../run/plan.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { estimateMs } from './impact.ts';
import { willBeReady } from './runQueue.ts';
import { nameOf } from './statuses.ts';
import { remoteWorkerOf } from './workers.ts';

/** What runs after an edit in a notebook whose automatic runs are live. */
interface AutoPlan {
  /** In notebook order. */
  readonly run: readonly CellId[];
  /** Every cell that these runs may include, with its present source: a run of other text is not this plan. */
  readonly sources: ReadonlyMap<CellId, string>;
  readonly skipped: readonly { readonly cellId: CellId; readonly message: string }[];
}

/** The cells above this one that have to run before it. */
export function neededBy(state: SessionState, id: CellId): readonly CellId[] {
  const isReady = (above: CellId) => state.cells.get(above)?.status === 'ready';
  return planUpstreams(id, { upstream: state.graph.upstream, isReady });
}

/** Why a cell is never run automatically, whatever else runs; null if it may be. */
function whyNotAuto(state: SessionState, cell: CellState): string | null {
  const { limit_seconds: limit, except } = state.autoRun;
  if (except.includes(cell.id)) return 'Automatic runs are turned off for this cell.';
  if (LANGUAGES[cell.language].asksModel) return 'It asks a model, which may cost money.';
  const worker = remoteWorkerOf(state, cell)?.name ?? cell.remote?.worker ?? null;
  if (worker !== null) return `It runs on the worker \`${worker}\`.`;
  const tookMs = Math.max(cell.lastTookMs ?? estimateMs(cell), cell.stoppedMs ?? 0);
  if (tookMs <= limit * 1_000) return null;
  return `Its last run took ${seconds(tookMs)}, and the limit for automatic runs is ${seconds(limit * 1_000)}.`;
}

/**
 * Plans the runs after an edit: the edited cells and those below them that are not up to date. A cell is left
 * out together with everything that needs it.
 */
export function autoPlan(state: SessionState, edited: readonly CellId[]): AutoPlan {
  const affected = new Set<CellId>(edited);
  for (const id of edited) for (const below of descendantsOf(state.graph, id)) affected.add(below);
  // Runs that a user requested happen anyway. Earlier automatic runs are planned again with this one.
  const coming = willBeReady({ ...state, queue: state.queue.filter(({ auto }) => auto === null) });
  const run: CellId[] = [];
  const sources = new Map<CellId, string>();
  const skipped: { cellId: CellId; message: string }[] = [];
  for (const cell of state.cells.values()) {
    if (!affected.has(cell.id) || coming.has(cell.id) || !mayNeedRun(state, cell)) continue;
    const above = neededBy(state, cell.id).filter((id) => !coming.has(id));
    const cells = [...above, cell.id].flatMap((id) => state.cells.get(id) ?? []);
    const message = whyLeftOut(state, cells, cell);
    if (message !== null) {
      skipped.push({ cellId: cell.id, message });
      continue;
    }
    run.push(cell.id);
    for (const one of cells) sources.set(one.id, one.source);
  }
  return { run, sources, skipped };
}

function mayNeedRun(state: SessionState, cell: CellState): boolean {
  if (!LANGUAGES[cell.language].runs || cell.status === 'ready') return false;
  return !cell.analysis.isEmpty && !state.graph.inactive.has(cell.id);
}

/** @param cells what would run, the target last */
function whyLeftOut(state: SessionState, cells: readonly CellState[], target: CellState): string | null {
  const own = whyNotAuto(state, target);
  if (own !== null) return own;
  const blocker = cells.find((one) => whyNotAuto(state, one) !== null);
  return blocker === undefined ? null : `It needs \`${nameOf(blocker)}\`, which is not run automatically.`;
}

/** Whether a queued automatic run is still what was planned: same text, and nothing more to run than then. */
export function isStillPlanned(
  state: SessionState,
  cellId: CellId,
  sources: ReadonlyMap<CellId, string>,
): boolean {
  if (state.autoRun.mode !== 'live') return false;
  return [...neededBy(state, cellId), cellId].every((id) => {
    const cell = state.cells.get(id);
    return cell !== undefined && sources.get(id) === cell.source && whyNotAuto(state, cell) === null;
  });
}

/** The setting's part of a notebook_state: absent while it has its default value. */
export function autoRunPart({ autoRun }: SessionState): { auto_run?: SessionState['autoRun'] } {
  const { mode, limit_seconds, except } = autoRun;
  const isDefault =
    mode === AUTO_RUN_OFF.mode && limit_seconds === AUTO_RUN_OFF.limit_seconds && except.length === 0;
  return isDefault ? {} : { auto_run: autoRun };
}

function seconds(ms: number): string {
  return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 1 : 0))} s`;
}
