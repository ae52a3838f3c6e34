/** Stops the runs and writes of a folder for the time of a hold. */

import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { HoldAnswer } from '../../../src-shared/wire/routes/holds.ts';
import { isWithin } from '../../notebook/removeNotebook.ts';
import type { QuiesceLimits } from '../api.ts';
import type { NotebookSession } from '../session.ts';
import type { Hold, Holds } from '../state/holds.ts';
import { isAtWork } from '../state/testing.ts';

/** Interval of the check whether everything has ended (docs/spec/rest-notebooks.md, 3, 4). */
const POLL_MS = 50;

/**
 * Takes a hold over a folder: new runs are refused, running ones may end, and those that exceed the timeout
 * are stopped; then nothing more is written, and pending writes are on disk (docs/spec/rest-notebooks.md, 3, 4). @param
 * sessions the open sessions; called repeatedly, because one may open in the meantime @throws AppError
 * NOTEBOOK_QUIESCED for an overlapping hold, conflict if it was released before it took effect
 */
export async function quiesce(
  path: string,
  limits: QuiesceLimits,
  { holds, sessions }: { readonly holds: Holds; readonly sessions: () => readonly NotebookSession[] },
): Promise<HoldAnswer> {
  const inside = () => sessions().filter((session) => isWithin(session.path, path));
  const hold = holds.take(path);
  try {
    notifySessions(inside(), hold);
    const deadline = performance.now() + limits.timeoutMs;
    while (inside().some(isBusy) && performance.now() < deadline) await delay(POLL_MS);
    const cancelled: Record<string, string[]> = {};
    for (const session of inside()) {
      const cells = await stop(session);
      if (cells.length > 0) cancelled[session.path] = cells;
    }
    if (!holds.settle(hold, limits.maxHoldMs)) {
      throw new AppError('conflict', `${path} was released before it was held.`);
    }
    notifySessions(inside(), hold);
    await Promise.all(inside().map((session) => session.written()));
    return {
      path,
      notebooks: inside()
        .map((session) => session.path)
        .sort(),
      cancelled_cells: cancelled,
      hold_expires_in_seconds: limits.maxHoldMs / 1000,
    };
  } catch (error) {
    if (holds.over(path) === hold) holds.release(path);
    throw error;
  }
}

function notifySessions(sessions: readonly NotebookSession[], { phase }: Hold): void {
  for (const session of sessions) session.report({ type: 'hold_changed', phase });
}

function isBusy({ state }: NotebookSession): boolean {
  return isAtWork(state) || state.environment.job?.status === 'running';
}

/** Stops all work of a notebook and returns the stopped cells once they have ended. */
async function stop(session: NotebookSession): Promise<string[]> {
  const origin = { kind: 'caller', identity: 'local' } as const;
  const { running, testing, environment } = session.state;
  const cells = new Set<string>();
  const endings: Promise<unknown>[] = [];
  const cellId =
    running === null ? null : (running.current?.cellId ?? running.lookingFor ?? running.targetId);
  const stopped = cellId ?? running?.waiting[0] ?? null;
  if (stopped !== null) {
    cells.add(stopped);
    endings.push(session.dispatch({ type: 'cancel_cell', cellId: stopped, soon: true }, origin));
  }
  for (const test of testing.values()) {
    cells.add(test.cellId);
    endings.push(session.dispatch({ type: 'stop_tests', cellId: test.cellId }, origin));
  }
  if (environment.job?.status === 'running') {
    endings.push(session.dispatch({ type: 'cancel_environment_job' }, origin));
  }
  await Promise.all(endings);
  // A job first reports that it stops, and then restores everything.
  while (isBusy(session) && !session.state.closing) await delay(POLL_MS);
  return [...cells];
}
