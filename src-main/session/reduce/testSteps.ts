/**
 * The part of the session's reducer that advances a run of a cell's tests: upstream cells, data, pytest, then the
 * tests.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { TestCase } from '../../../src-shared/wire/cellTests.ts';
import { testFileOf } from '../../notebook/file/cellFileNames.ts';
import type { TestRequest } from '../../run/cellTests/testRequest.ts';
import { planUpstreams } from '../../run/plan.ts';
import type { TestedShape } from '../../run/step.ts';
import { dataOf, dataUses } from '../keys/data.ts';
import { actualRunOf, envOf, stepInputsOf } from '../keys/expected.ts';
import { loopStepOf } from '../keys/loops.ts';
import { setupCodeOf } from '../keys/setupCell.ts';
import { nameOf } from '../keys/statuses.ts';
import { testKeyOf } from '../keys/testStaleness.ts';
import type { Reducer, ReducerTools, Reduction } from '../state/events.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { isFromSocket, withTestRun } from '../state/testing.ts';
import type { TestKey, TestRun } from '../state/testRun.ts';
import { toAll } from '../view/frames.ts';
import { beginRun } from './advance.ts';
import { applyDataFacts } from './data.ts';
import { append, reduction, unchanged } from './reductions.ts';
import { finishCancelledTests, finishTests, testStatusFrame } from './testEnds.ts';

/** The upstreams' run has no caller: the sender waits for the tests. */
const NO_TICKET = 0;

function unready(state: SessionState, cellId: CellId): readonly CellId[] {
  const isReady = (id: CellId) => state.cells.get(id)?.status === 'ready';
  return planUpstreams(cellId, { upstream: state.graph.upstream, isReady });
}

/** Begins a run of tests: its upstream cells run first, if they are not ready. */
export function beginTests(
  state: SessionState,
  run: TestRun,
  { atMs, tools }: { readonly atMs: number; readonly tools: ReducerTools },
): Reduction {
  const frames = isFromSocket(run) ? [testStatusFrame(run.cellId, 'running')] : [];
  if (run.cancelling) return finishCancelledTests(state, run);
  const waiting = unready(state, run.cellId);
  if (waiting.length === 0) return append(reduction(state, frames), look(state, run));
  const upstreamRunId = tools.newId();
  const marked = withTestRun(state, { ...run, phase: 'upstreams', upstreamRunId });
  const start = beginRun(marked, {
    runId: upstreamRunId,
    kind: 'all',
    targetId: null,
    mode: 'normal',
    continueOnError: false,
    planId: null,
    origin: run.origin,
    ticket: NO_TICKET,
    waiting,
    startedAtMs: atMs,
  });
  return append(reduction(marked, frames), start);
}

/** After any event: tests whose upstreams have run continue, or end if one of those failed. */
export function continueTests(state: SessionState, atMs: number): Reduction {
  let next = reduction(state);
  for (const run of state.testing.values()) {
    if (run.phase !== 'upstreams' || state.running?.runId === run.upstreamRunId) continue;
    next = append(next, afterUpstreams(next.state, run, atMs));
  }
  return next;
}

function afterUpstreams(state: SessionState, run: TestRun, atMs: number): Reduction {
  const missing = unready(state, run.cellId);
  if (missing.length === 0 && !run.cancelling) return look(state, run);
  const failed = missing.map((id) => state.cells.get(id)).find((cell) => cell?.status === 'error');
  if (failed === undefined || run.cancelling) return finishCancelledTests(state, run);
  const message = `The cell \`${nameOf(failed)}\` above failed, so the tests did not run:\n\n${failed.lastError?.text ?? ''}`;
  return endWith(state, run, { message, atMs });
}

/** The tests could not begin: reports one error with the reason. */
function endWith(
  state: SessionState,
  run: TestRun,
  { message, atMs }: { readonly message: string; readonly atMs: number },
): Reduction {
  const cell = state.cells.get(run.cellId);
  const key = cell === undefined ? null : keyNow(state, cell);
  if (key === null) return finishCancelledTests(state, run);
  const nodeid = testFileOf(run.cellId);
  const cases: TestCase[] = [{ name: '<collection>', nodeid, outcome: 'error', message, line: null }];
  return finishTests(state, run, { tested: { kind: 'tests', cases }, key, atMs });
}

function look(state: SessionState, run: TestRun): Reduction {
  const cell = state.cells.get(run.cellId);
  if (cell === undefined) return finishCancelledTests(state, run);
  const items = dataOf(state, cell).filter((item) => item.fixed === null);
  if (items.length === 0) return launch(state, run);
  const looking = withTestRun(state, { ...run, phase: 'looking' });
  return reduction(looking, [], [{ type: 'check_test_data', runId: run.runId, items }]);
}

export const onTestDataChecked: Reducer<'test_data_checked'> = (state, event) => {
  // Also if the cell was never checked before: its key uses these facts.
  const checked = applyDataFacts(state, event.facts);
  const run = checked.state.testing.get(event.runId);
  if (run === undefined || run.phase !== 'looking') return checked;
  return append(
    checked,
    run.cancelling ? finishCancelledTests(checked.state, run) : launch(checked.state, run),
  );
};

function keyNow(state: SessionState, cell: CellState): TestKey | null {
  const run = actualRunOf(state, cell.id, (id) => state.cells.get(id)?.status === 'ready');
  return run === null ? null : testKeyOf(cell, run);
}

function launch(state: SessionState, run: TestRun): Reduction {
  const cell = state.cells.get(run.cellId);
  const request = cell === undefined ? null : requestOf(state, cell);
  const key = cell === undefined ? null : keyNow(state, cell);
  if (request === null || key === null) return finishCancelledTests(state, run);
  const launched = withTestRun(state, { ...run, phase: 'running', key });
  return reduction(launched, [], [{ type: 'run_tests', runId: run.runId, request }]);
}

function requestOf(state: SessionState, cell: CellState): TestRequest | null {
  const { interpreter } = state.environment;
  if (interpreter === null) return null;
  return {
    notebookId: state.notebookId,
    notebookDir: state.path,
    cellId: cell.id,
    cellName: nameOf(cell),
    setup: setupCodeOf(state, cell, nameOf),
    source: cell.source,
    mutationDefines: cell.analysis.mutationDefines,
    env: envOf(state, cell),
    interpreter,
    timeoutSeconds: state.options.testTimeoutSeconds,
    inputs: stepInputsOf(state, cell.id),
    data: dataUses(state, cell),
    testSource: cell.testSource,
    testFile: testFileOf(cell.id),
    ...testedShape(state, cell),
  };
}

/** A loop is tested with the values of its first iteration, a fan-out with those of one variant. */
function testedShape(state: SessionState, cell: CellState): TestedShape {
  const loop = loopStepOf(state, cell);
  if (loop !== null) return { shape: 'loop', loop };
  const variant = state.graph.fanOuts.get(cell.id)?.variants[0];
  return variant === undefined ? { shape: 'once' } : { shape: 'variant', variant };
}

/** REST tests send no frames, and tests that are being stopped have nothing more to report. */
export const onTestsProgressed: Reducer<'tests_progressed'> = (state, event) => {
  const run = state.testing.get(event.runId);
  if (run === undefined || !isFromSocket(run) || run.cancelling) return unchanged(state);
  const payload = { cell_id: run.cellId, ...event.progress };
  return reduction(state, [toAll({ type: 'cell_test_progress', payload })]);
};

export const onTestsFinished: Reducer<'tests_finished'> = (state, event) => {
  const { outcome, atMs } = event;
  const run = state.testing.get(event.runId);
  if (run === undefined) return unchanged(state);
  if (outcome.kind === 'cancelled' || run.cancelling || run.key === null)
    return finishCancelledTests(state, run);
  if (outcome.kind === 'finished') {
    return finishTests(state, run, { tested: { kind: 'tests', cases: outcome.cases }, key: run.key, atMs });
  }
  const problem = whyNoInstall(state, run, outcome.message);
  if (problem !== null) {
    return finishTests(state, run, { tested: { kind: 'no_pytest', problem }, key: run.key, atMs });
  }
  const installing = withTestRun(state, { ...run, phase: 'installing' });
  return reduction(installing, [], [{ type: 'install_pytest', runId: run.runId }]);
};

/** At most once a run, and not during a cell's run: its environment would change in the middle. */
function whyNoInstall(state: SessionState, run: TestRun, missing: string): string | null {
  if (run.autoInstalled.length > 0) return `${missing}, although it was installed a moment ago.`;
  const isBusy = state.running !== null || state.environment.job?.status === 'running';
  return isBusy
    ? `${missing}, and nothing can be installed while cells run. Run the tests again when they are done.`
    : null;
}

export const onPytestInstalled: Reducer<'pytest_installed'> = (state, event) => {
  const run = state.testing.get(event.runId);
  if (run === undefined) return unchanged(state);
  if (run.cancelling || run.key === null) return finishCancelledTests(state, run);
  if (event.error === null) return launch(state, { ...run, autoInstalled: ['pytest'] });
  const problem = `pytest is not installed in this notebook, and installing it failed: ${event.error}`;
  return finishTests(state, run, { tested: { kind: 'no_pytest', problem }, key: run.key, atMs: event.atMs });
};
