/** The part of the session's reducer that ends a run: it computes statuses and replies to the callers that waited. */

import { descendantsOf } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { factsOf } from '../../../src-shared/notebook/languages/languages.ts';
import { type IncompleteCells, queueAfterIncomplete } from '../keys/runQueue.ts';
import { NO_REASONS, walkStatuses } from '../keys/statuses.ts';
import type { Effect, Reduction } from '../state/events.ts';
import type { AddressedFrame } from '../state/requests.ts';
import type { RunningState } from '../state/running.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { idleFrame, statusFrame, statusFrames, toAll } from '../view/frames.ts';
import { aheadEffects } from './ahead.ts';
import { withOutdatedPlan } from './cascadePrompt.ts';
import { reduction, withCell } from './reductions.ts';
import { executionResultOf } from './result.ts';

/** Ends the run: marks unfinished steps, recomputes statuses once, replies to all waiting callers. */
export function finish(state: SessionState): Reduction {
  const { running } = state;
  if (running === null) return reduction(state);
  const frames: AddressedFrame[] = [...running.heldFrames];
  let settledState = state;
  if (running.cancelling) {
    // A cancelled cell becomes idle in a frame before any other frame about it (docs/spec/live-protocol.md, 6).
    for (const [id, cell] of state.cells) {
      if (cell.status !== 'running') continue;
      const idle = { ...cell, ...NO_REASONS, status: 'idle', stoppedMs: stoppedMsOf(running, cell) } as const;
      settledState = withCell(settledState, id, idle);
      frames.push(idleFrame(idle));
    }
  } else if (running.kind === 'cascade' && running.planId !== null) {
    const aborted = abortSteps(settledState, running.waiting);
    settledState = aborted.state;
    frames.push(...aborted.frames);
    if (running.failed.size === 0) frames.push(lastProgress(running));
  } else if (running.kind === 'all' && running.failed.size > 0) {
    // Cells that read nothing from a failed cell are unchanged: this run did not affect them
    // (docs/spec/live-protocol.md, 6).
    const below = new Set([...running.failed].flatMap((id) => descendantsOf(state.graph, id)));
    const aborted = abortSteps(
      settledState,
      running.waiting.filter((id) => below.has(id)),
    );
    settledState = aborted.state;
    frames.push(...aborted.frames);
  }
  const queue = queueAfterIncomplete(settledState, unmadeBy(running, state));
  const after = walkStatuses({ ...withOutdatedPlan(settledState), running: null, queue });
  frames.push(...statusFrames(settledState, after));
  return reduction(after, [...frames, ...unstarted(after, running, frames)], repliesOf(after, running));
}

/** The cells that the run should have run and did not. */
function unmadeBy(running: RunningState, { cells }: SessionState): IncompleteCells {
  if (!running.cancelling) return { cells: running.failed, how: 'failed' };
  const stopped = [...cells.values()].filter(({ status }) => status === 'running').map(({ id }) => id);
  const target = running.targetId === null ? [] : [running.targetId];
  return { cells: [...stopped, ...target, ...running.waiting, ...running.failed], how: 'stopped' };
}

/** How long the stopped run took, ms; if an upstream was stopped, the time up to that counts for the target. */
function stoppedMsOf(
  { kind, executed, lastRanAtMs, startedAtMs }: RunningState,
  cell: CellState,
): number | null {
  if (executed.has(cell.id)) return cell.stoppedMs;
  return kind === 'single' ? Math.max(0, lastRanAtMs - startedAtMs) : 0;
}

/** The result for the requested cell, if the run ended before its turn and did not change it ([LP-28]). */
function unstarted(
  state: SessionState,
  { kind, targetId, executed }: RunningState,
  frames: readonly AddressedFrame[],
): readonly AddressedFrame[] {
  const target = kind === 'cascade' && targetId !== null ? state.cells.get(targetId) : undefined;
  if (target === undefined || executed.has(target.id)) return [];
  const isAnnounced = frames.some(
    ({ frame }) => frame.type === 'cell_status' && frame.payload.cell_id === target.id,
  );
  return isAnnounced ? [] : [statusFrame(target)];
}

function lastProgress(running: RunningState): AddressedFrame {
  return toAll({
    type: 'cascade_progress',
    payload: {
      plan_id: running.planId ?? '',
      current_cell_id: running.targetId ?? '',
      completed: running.total,
      total: running.total,
    },
  });
}

/** Steps that will not run any more: stale, until something changes (docs/spec/staleness-and-runs.md, 1). */
function abortSteps(state: SessionState, steps: readonly CellId[]): Reduction {
  let next = state;
  const frames: AddressedFrame[] = [];
  for (const id of steps) {
    if (factsOf(state.cells.get(id))?.runs === false) continue;
    next = withCell(next, id, { blocked: true, status: 'stale', reasons: ['upstream'], causality: null });
    const cell = next.cells.get(id);
    if (cell !== undefined) frames.push(statusFrame(cell));
  }
  return reduction(next, frames);
}

function repliesOf(state: SessionState, running: RunningState): Effect[] {
  const cancelled = running.cancelTickets.map(
    (ticket): Effect => ({ type: 'reply', ticket, reply: { kind: 'cancelled', cancelled: true } }),
  );
  const runReply: Effect = { type: 'reply', ticket: running.ticket, reply: replyOf(state, running) };
  // Consoles outlive the run, but the grace time still ends them.
  const over: Effect[] = state.inspections.size === 0 ? [{ type: 'stop_grace' }] : [];
  return [runReply, ...cancelled, ...over, ...aheadEffects(state)];
}

function replyOf(state: SessionState, running: RunningState): Extract<Effect, { type: 'reply' }>['reply'] {
  if (running.kind === 'all') return { kind: 'ran_all', results: running.results };
  const { targetId } = running;
  const own = running.results.findLast((entry) => entry.cellId === targetId)?.result;
  if (own !== undefined && own !== null) return { kind: 'executed', result: own };
  if (targetId === null) return { kind: 'done' };
  const cancelled = executionResultOf(state, targetId, {
    kind: 'cancelled',
    stdout: '',
    stderr: '',
    durationMs: 0,
  });
  return { kind: 'executed', result: cancelled };
}
