/**
 * The part of the session's reducer for requests to write, run and stop a cell's tests
 * (docs/spec/tests-and-consoles.md, 1).
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { isSourceTooLong } from '../../../src-shared/wire/routes/params.ts';
import { sourceProblem } from '../../notebook/file/cellFile.ts';
import { testFileOf } from '../../notebook/file/cellFileNames.ts';
import { planUpstreams } from '../../run/plan.ts';
import { withTestStaleness } from '../keys/testStaleness.ts';
import type { EventOf, Reducer } from '../state/events.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { isTested, withoutTestRun, withTestRun } from '../state/testing.ts';
import type { TestRun } from '../state/testRun.ts';
import { notebookStateFrame, toAll } from '../view/frames.ts';
import { append, reduction, refuse, refuseClosing, withCell } from './reductions.ts';
import { whyNotRunnable } from './stepRequest.ts';
import { cancelTests } from './testEnds.ts';
import { beginTests } from './testSteps.ts';
import { whyBusy, whyNotNow } from './whyRefused.ts';

function whyUnwritable(state: SessionState, cellId: CellId, source: string): AppError | null {
  const context = { cell_id: cellId };
  const cell = state.cells.get(cellId);
  if (cell === undefined) return new AppError('not_found', 'Cell not found', context);
  if (!LANGUAGES[cell.language].hasTests) {
    return new AppError(
      'bad_request',
      `Only Python cells have tests; this is a ${cell.language} cell.`,
      context,
    );
  }
  if (isSourceTooLong(source)) {
    return new AppError('bad_request', 'Test source exceeds 1MB limit', context);
  }
  const problem = sourceProblem(source);
  return problem === null ? null : new AppError('bad_request', `${testFileOf(cellId)} ${problem}.`, context);
}

export const editTests: Reducer<'edit_tests'> = (state, event) => {
  if (state.closing) return refuseClosing(state, event);
  const { cellId, source, base, origin, ticket } = event;
  const refused = whyUnwritable(state, cellId, source);
  if (refused !== null) return refuse(state, event, refused);
  return reduction(state, [], [{ type: 'write_tests', ticket, origin, cellId, source, base, runId: null }]);
};

/** Form before environment before reservation (docs/spec/rest-notebooks.md, 5.2; docs/spec/live-protocol.md, 4). */
function whyNoTests(state: SessionState, event: EventOf<'test_cell'>): AppError | null {
  const { cellId } = event;
  const context = { cell_id: cellId };
  const cell = state.cells.get(cellId);
  const source = event.source ?? cell?.testSource ?? '';
  const unwritable = whyUnwritable(state, cellId, source);
  if (unwritable !== null || cell === undefined) return unwritable;
  if (source.trim() === '') {
    return new AppError(
      'bad_request',
      'This cell has no tests. Write a function whose name begins with test_.',
      context,
    );
  }
  const refused = whyNotNow(state, cellId);
  if (refused !== null) return refused;
  if (isTested(state, cellId)) {
    return new AppError('notebook_busy', 'The tests of this cell are already running.', context);
  }
  const busy = event.origin.kind === 'socket' || needsUpstreams(state, cell) ? whyBusy(state, cellId) : null;
  if (busy !== null) return busy;
  const message = state.graphError ?? whyNotRunnable(state, cell);
  return message === null ? null : new AppError('conflict', message, context);
}

function needsUpstreams(state: SessionState, cell: CellState): boolean {
  const isReady = (id: CellId) => state.cells.get(id)?.status === 'ready';
  return planUpstreams(cell.id, { upstream: state.graph.upstream, isReady }).length > 0;
}

/** A blank text deletes the test file, as over REST (docs/spec/rest-notebooks.md). */
function clearsTests(state: SessionState, { cellId, source }: EventOf<'test_cell'>): boolean {
  const now = state.cells.get(cellId)?.testSource ?? '';
  return source !== null && source.trim() === '' && now !== '';
}

export const testCell: Reducer<'test_cell'> = (state, event, tools) => {
  const { cellId, source, base, origin, ticket } = event;
  if (clearsTests(state, event)) return editTests(state, { ...event, source: '', type: 'edit_tests' }, tools);
  const refused = whyNoTests(state, event);
  if (refused !== null) return refuse(state, event, refused);
  const runId = tools.newId();
  const run: TestRun = {
    runId,
    cellId,
    origin,
    ticket,
    phase: 'saving',
    upstreamRunId: null,
    cancelling: false,
    cancelTickets: [],
    autoInstalled: [],
    key: null,
  };
  const next = withTestRun(state, run);
  if (source === null) return beginTests(next, run, { atMs: event.atMs, tools });
  return reduction(next, [], [{ type: 'write_tests', ticket, origin, cellId, source, base, runId }]);
};

/**
 * The test file was written. A run that waited for it begins; if the disk refused it, that run ends before it
 * began.
 */
export const onTestsWritten: Reducer<'tests_written'> = (state, event, tools) => {
  const { cellId, source, origin, ticket, refused } = event;
  const run = event.runId === null ? undefined : state.testing.get(event.runId);
  if (refused !== null) {
    const released = run === undefined ? state : withoutTestRun(state, run.runId);
    return refuse(released, { origin, ticket }, refused);
  }
  const before = state.cells.get(cellId);
  const after = withTestStaleness(withCell(state, cellId, { testSource: source }));
  if (event.runId === null) {
    const frames = state.sockets.size === 0 ? [] : [toAll(notebookStateFrame(after))];
    return reduction(after, frames, [{ type: 'reply', ticket, reply: { kind: 'done' } }]);
  }
  if (run === undefined) return reduction(after);
  const notices =
    before?.testSource === source && !event.merged ? [] : [testsChanged(after, run, event.merged)];
  return append(reduction(after, notices), beginTests(after, run, { atMs: event.atMs, tools }));
};

/** Other clients get the new text; its author has it, unless it was merged. */
function testsChanged(state: SessionState, { cellId, origin }: TestRun, merged: boolean) {
  const cell = state.cells.get(cellId);
  const stale = cell === undefined || cell.testResult === null ? null : cell.testsStale;
  const payload = { cell_id: cellId, test_source: cell?.testSource ?? '', stale };
  const frame = { type: 'cell_tests_changed' as const, payload };
  return origin.kind === 'socket' && !merged
    ? { frame, to: { kind: 'except' as const, socketId: origin.socketId } }
    : toAll(frame);
}

export const stopTests: Reducer<'stop_tests'> = (state, event) => {
  const { cellId, ticket } = event;
  const runs = [...state.testing.values()].filter((run) => run.cellId === cellId);
  const [run] = runs;
  if (run === undefined) {
    return reduction(state, [], [{ type: 'reply', ticket, reply: { kind: 'cancelled', cancelled: false } }]);
  }
  return cancelTests(state, run, [ticket]);
};
