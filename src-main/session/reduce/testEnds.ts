/**
 * The part of the session's reducer that ends a run of a cell's tests: with results, cancelled, or refused before it
 * began.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { StoredTestResult, TestCase } from '../../../src-shared/wire/cellTests.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import { withTestStaleness } from '../keys/testStaleness.ts';
import type { Effect, Reduction } from '../state/events.ts';
import type { AddressedFrame } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { isFromSocket, withoutTestRun, withTestRun } from '../state/testing.ts';
import type { TestKey, TestRun } from '../state/testRun.ts';
import { statusFrames, toAll } from '../view/frames.ts';
import { append, reduction, withCell } from './reductions.ts';

type ShownStatus = ServerPayload<'cell_test_status'>['status'];

/** The frame with the status of a cell's test run, for all sockets. */
export function testStatusFrame(cellId: CellId, status: ShownStatus): AddressedFrame {
  return toAll({ type: 'cell_test_status', payload: { cell_id: cellId, status } });
}

/** The outcome of a run of tests. */
type Tested =
  | { readonly kind: 'tests'; readonly cases: readonly TestCase[] }
  | { readonly kind: 'no_pytest'; readonly problem: string };

/**
 * Stores the results in the cell; only tests of the live protocol are sent to all sockets (docs/spec/rest-notebooks.md,
 * 5.1 to 5.3).
 */
export function finishTests(
  state: SessionState,
  run: TestRun,
  { tested, key, atMs }: { readonly tested: Tested; readonly key: TestKey; readonly atMs: number },
): Reduction {
  const { cellId, ticket } = run;
  const result = resultOf(run, tested, { key, atMs });
  const updated = withCell(withoutTestRun(state, run.runId), cellId, {
    testResult: result,
    testsStale: false,
  });
  const after = withTestStaleness(updated);
  const frames = isFromSocket(run) ? resultFrames(cellId, result) : [];
  return reduction(
    after,
    [...frames, ...statusFrames(updated, after)],
    [
      { type: 'save_runtime', cellIds: [cellId] },
      { type: 'reply', ticket, reply: { kind: 'tested', result } },
      ...cancelReplies(run, false),
      { type: 'stop_grace' },
    ],
  );
}

/** The results, and the status that ends the run: each with its own number (docs/spec/live-protocol.md, 1). */
function resultFrames(cellId: CellId, result: StoredTestResult): readonly AddressedFrame[] {
  const { passed, failed, errored, skipped, tests, pytest_unavailable, ran_at, auto_installed, problem } =
    result;
  const payload = {
    cell_id: cellId,
    passed,
    failed,
    errored,
    skipped,
    tests,
    stale: false,
    pytest_unavailable,
    ran_at,
    auto_installed,
    ...(problem === undefined ? {} : { problem }),
  };
  return [toAll({ type: 'cell_test_results', payload }), testStatusFrame(cellId, statusOf(result))];
}

function statusOf({ failed, errored, pytest_unavailable }: StoredTestResult): 'ready' | 'error' {
  return failed + errored > 0 || pytest_unavailable ? 'error' : 'ready';
}

function resultOf(
  run: TestRun,
  tested: Tested,
  { key, atMs }: { readonly key: TestKey; readonly atMs: number },
): StoredTestResult {
  const cases = tested.kind === 'tests' ? tested.cases : [];
  const count = (outcome: TestCase['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    errored: count('error'),
    skipped: count('skipped'),
    tests: [...cases],
    ...key,
    ran_at: atMs,
    pytest_unavailable: tested.kind === 'no_pytest',
    auto_installed: [...run.autoInstalled],
    ...(tested.kind === 'no_pytest' ? { problem: tested.problem } : {}),
  };
}

/** The results of the previous run remain, and the status repeats them. */
export function finishCancelledTests(state: SessionState, run: TestRun): Reduction {
  const error = new AppError('conflict', 'The tests were stopped before they were done.', {
    cell_id: run.cellId,
  });
  const last = state.cells.get(run.cellId)?.testResult ?? null;
  const status = last === null ? 'ready' : statusOf(last);
  return reduction(
    withoutTestRun(state, run.runId),
    isFromSocket(run) && run.phase !== 'saving' ? [testStatusFrame(run.cellId, status)] : [],
    [
      { type: 'reply', ticket: run.ticket, reply: { kind: 'refused', error } },
      ...cancelReplies(run, true),
      { type: 'stop_grace' },
    ],
  );
}

function cancelReplies(run: TestRun, cancelled: boolean): Effect[] {
  return run.cancelTickets.map((ticket) => ({
    type: 'reply',
    ticket,
    reply: { kind: 'cancelled', cancelled },
  }));
}

/** Stops a run of tests and everything it started; its tickets get their replies when it has ended. */
export function cancelTests(state: SessionState, run: TestRun, tickets: readonly number[]): Reduction {
  const cancelled = { ...run, cancelling: true, cancelTickets: [...run.cancelTickets, ...tickets] };
  const marked = withTestRun(state, cancelled);
  const stop: Reduction = reduction(marked, [], [{ type: 'cancel_step', runId: run.runId, manner: 'soon' }]);
  const { running } = marked;
  if (running === null || running.runId !== run.upstreamRunId) return stop;
  const stopping: SessionState = { ...marked, running: { ...running, cancelling: true } };
  return append(
    stop,
    reduction(stopping, [], [{ type: 'cancel_step', runId: running.runId, manner: 'soon' }]),
  );
}
