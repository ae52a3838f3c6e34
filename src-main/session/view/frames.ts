/** Builds the live frames about changes of the session's state (docs/spec/live-protocol.md, 5.1). Pure. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { type AppError, FRAME_ERROR_CODES } from '../../../src-shared/wire/errors.ts';
import type { ServerFrame, ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import type { RunProgress } from '../../../src-shared/wire/runQueue.ts';
import type { RemoteRun } from '../../exec/executor.ts';
import type { RemoteProgress } from '../../exec/remote/call/remoteRequest.ts';
import { transportOf } from '../../notebook/workers.ts';
import type { IterationProgress, StepOutcome } from '../../run/step.ts';
import { changedStatuses } from '../keys/statuses.ts';
import { artifactUrisOf } from '../keys/stored.ts';
import { viewWidget } from '../keys/widgets.ts';
import { remoteWorkerOf } from '../keys/workers.ts';
import type { AddressedFrame, Origin } from '../state/requests.ts';
import type { CellState, SessionState, SocketState } from '../state/state.ts';
import { teamPart } from './teamPart.ts';
import { unreadPart, viewBody, viewDagUpdate, viewLinkedDag, viewVariantGroups } from './view.ts';

/** A frame for every socket of the session. */
export function toAll(frame: ServerFrame): AddressedFrame {
  return { frame, to: { kind: 'all' } };
}

/** A frame for one socket of the session. */
export function toOnly(socketId: string, frame: ServerFrame): AddressedFrame {
  return { frame, to: { kind: 'only', socketId } };
}

/** The frame with a cell's status and its reasons, for all sockets. */
export function statusFrame(cell: CellState): AddressedFrame {
  return toAll({
    type: 'cell_status',
    payload: {
      cell_id: cell.id,
      status: cell.status,
      staleness_reasons: [...cell.reasons],
      ...(cell.causality === null ? {} : { causality: cell.causality }),
      ...stoppedPart(cell),
    },
  });
}

/** A new run starts: no staleness fields, clients clear the console (docs/spec/live-protocol.md, 5.2). */
export function runningFrame(
  state: SessionState,
  cellId: CellId,
  progress: RunProgress | null = null,
): AddressedFrame {
  const cell = state.cells.get(cellId);
  const worker = cell === undefined ? null : remoteWorkerOf(state, cell);
  const where = worker === null ? {} : { remote_worker: worker.name, remote_transport: transportOf(worker) };
  const more = progress === null ? {} : { run_progress: progress };
  return toAll({ type: 'cell_status', payload: { cell_id: cellId, status: 'running', ...where, ...more } });
}

/**
 * The progress of a remote run: a badge changes, no run begins (docs/spec/live-protocol.md, 5.1). Queue fields are
 * present only while the run starts.
 */
export function remoteFrame(cellId: CellId, remote: RemoteRun, progress: RemoteProgress): AddressedFrame {
  const { state, position, detail } = progress;
  return toAll({
    type: 'cell_status',
    payload: {
      cell_id: cellId,
      status: 'running',
      remote_worker: remote.worker,
      remote_transport: remote.transport,
      remote_build_state: state,
      ...(state === 'starting' && position !== null ? { remote_queue_position: position } : {}),
      ...(state === 'starting' && detail !== null ? { remote_queue_detail: detail } : {}),
    },
  });
}

/** The fields of a remote run; none for a run on this machine. */
export function remoteFields(remote: RemoteRun | undefined) {
  if (remote === undefined) return {};
  return {
    remote_worker: remote.worker,
    remote_transport: remote.transport,
    ...(remote.buildId === null ? {} : { remote_build_id: remote.buildId }),
    ...(remote.buildState === null ? {} : { remote_build_state: remote.buildState }),
    ...(remote.errorCode === null ? {} : { remote_error_code: remote.errorCode }),
  };
}

/** The frame that a cell is idle, for all sockets. */
export function idleFrame(cell: CellState): AddressedFrame {
  return toAll({ type: 'cell_status', payload: { cell_id: cell.id, status: 'idle', ...stoppedPart(cell) } });
}

/** Beyond the specification: whether the newest run was stopped. */
function stoppedPart({ stoppedMs }: CellState): { stopped_ms?: number } {
  return stoppedMs === null ? {} : { stopped_ms: stoppedMs };
}

/** The statuses an event changed, in notebook order, and the test results that became stale or fresh. */
export function statusFrames(before: SessionState, after: SessionState): readonly AddressedFrame[] {
  const frames = changedStatuses(before, after).flatMap((cell) => {
    const isSame = before.cells.get(cell.id)?.console === cell.console;
    return isSame ? [statusFrame(cell)] : [...consoleFrames(cell), statusFrame(cell)];
  });
  return [...frames, ...staleTestFrames(before, after)];
}

/** The new console of a cell, which replaces the one shown. */
export function consoleFrames({ id, console }: CellState): readonly AddressedFrame[] {
  const streams = ['stdout', 'stderr'] as const;
  return streams.map((stream) => consoleFrame(id, { stream, text: console[stream], chunkSeq: 0 }));
}

function staleTestFrames(before: SessionState, after: SessionState): readonly AddressedFrame[] {
  const frames: AddressedFrame[] = [];
  if (before.cells === after.cells) return frames;
  for (const [id, { testResult, testsStale, testSource }] of after.cells) {
    const was = before.cells.get(id);
    if (testResult === null || was === undefined || was.testsStale === testsStale) continue;
    const payload = { cell_id: id, test_source: testSource, stale: testsStale };
    frames.push(toAll({ type: 'cell_tests_changed', payload }));
  }
  return frames;
}

/** The frame with new console text of a cell, for all sockets. */
export function consoleFrame(
  cellId: CellId,
  chunk: { readonly stream: 'stdout' | 'stderr'; readonly text: string; readonly chunkSeq: number | null },
): AddressedFrame {
  return toAll({
    type: 'cell_console',
    payload: { cell_id: cellId, stream: chunk.stream, text: chunk.text, chunk_seq: chunk.chunkSeq },
  });
}

/** The frame with a loop's progress, for all sockets. */
export function iterationFrame(cellId: CellId, progress: IterationProgress): AddressedFrame {
  return toAll({
    type: 'cell_iteration_progress',
    payload: {
      cell_id: cellId,
      iteration: progress.iteration,
      max_iter: progress.maxIter,
      artifact_uri: progress.artifactUri,
      content_type: progress.contentType,
      until_reached: progress.untilReached,
      duration_ms: Math.round(progress.durationMs),
    },
  });
}

/** The result of a finished step: cell_output, or cell_error where the cell failed. */
export function resultFrame(
  state: SessionState,
  cell: CellState,
  outcome: StepOutcome,
): AddressedFrame | null {
  switch (outcome.kind) {
    case 'hit':
    case 'ran':
      return toAll({ type: 'cell_output', payload: outputPayload(state, cell, outcome) });
    case 'failed':
      return toAll({
        type: 'cell_error',
        payload: {
          cell_id: cell.id,
          error: outcome.traceback ?? outcome.error,
          stdout: outcome.stdout,
          stderr: outcome.stderr,
          ...remoteFields(outcome.remote),
          ...(outcome.errorCode === undefined ? {} : { error_code: outcome.errorCode }),
          ...(outcome.suggestInstall === null
            ? {}
            : {
                suggest_install: outcome.suggestInstall,
                suggest_install_language: LANGUAGES[cell.language].packages,
              }),
        },
      });
    case 'cancelled':
    case 'input_lost':
      return null;
    default:
      return outcome satisfies never;
  }
}

function outputPayload(
  state: SessionState,
  cell: CellState,
  outcome: Extract<StepOutcome, { kind: 'hit' | 'ran' }>,
): ServerPayload<'cell_output'> {
  const uris = artifactUrisOf(state, cell);
  const last = outcome.displays.at(-1);
  const widget = viewWidget(cell);
  return {
    cell_id: cell.id,
    outputs: outcome.kind === 'ran' ? { ...outcome.outputs } : {},
    ...(last === undefined ? {} : { display: last, displays: [...outcome.displays] }),
    cache_hit: outcome.kind === 'hit',
    duration_ms: Math.round(outcome.durationMs),
    artifact_uri: Object.values(uris)[0] ?? null,
    artifact_uris: uris,
    stdout: cell.console.stdout,
    stderr: cell.console.stderr,
    execution_method: outcome.method ?? 'cached',
    mutation_warnings: [...(outcome.mutationWarnings ?? [])],
    ...remoteFields(outcome.remote),
    ...unreadPart(state, cell),
    ...teamPart(cell),
    ...(widget === null ? {} : { widget }),
  };
}

/** Which client is at which cell; deleted cells do not count. */
export function presenceFrames(state: SessionState): readonly AddressedFrame[] {
  const ifExists = (id: CellId | null): CellId | null => (id !== null && state.cells.has(id) ? id : null);
  const newest = new Map<string, { focused: string | null; since: number }>();
  for (const [identity, visit] of state.visitors) {
    newest.set(identity, { focused: ifExists(visit.cellId), since: visit.since });
  }
  for (const { identity, focusedCellId, since } of state.sockets.values()) {
    const last = newest.get(identity);
    if (last === undefined || since >= last.since)
      newest.set(identity, { focused: ifExists(focusedCellId), since });
  }
  const principals = [...newest]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([principal, { focused, since }]) => ({ principal, focused_cell_id: focused, since }));
  const place = ({ identity, focusedCellId, since }: SocketState) => ({
    principal: identity,
    focused_cell_id: ifExists(focusedCellId),
    since,
  });
  // Every frame lists all other sockets, so each entry is made once.
  const places = [...state.sockets].map(([, socket]) => place(socket));
  return [...state.sockets].map(([socketId, { identity }], i) => {
    const others = places.toSpliced(i, 1);
    return {
      ...toOnly(socketId, { type: 'presence', payload: { principals, you: identity, others } }),
      ...(i === 0 ? {} : { sharesSeq: true }),
    };
  });
}

/** The author gets the graph without the source; all others get the source too. */
export function dagFrames(
  state: SessionState,
  edited: { readonly cellId: CellId; readonly source: string },
  origin: Origin,
): readonly AddressedFrame[] {
  const others: ServerFrame = { type: 'dag_update', payload: viewDagUpdate(state, edited) };
  if (origin.kind === 'caller') return [toAll(others)];
  const { socketId } = origin;
  const sender: ServerFrame = {
    type: 'dag_update',
    payload: { ...viewDagUpdate(state, null), edited: edited.cellId },
  };
  const frames: AddressedFrame[] = [toOnly(socketId, sender)];
  if (state.sockets.size > 1) {
    frames.push({ frame: others, to: { kind: 'except', socketId }, sharesSeq: true });
  }
  return frames;
}

/** The frame with the whole notebook. */
export function notebookStateFrame(state: SessionState): ServerFrame {
  return { type: 'notebook_state', payload: { ...viewBody(state), dag: viewLinkedDag(state) } };
}

/** After a variant was added the graph comes with the groups (docs/spec/rest-notebooks.md, 2.4). */
export function variantAddedFrame(state: SessionState): ServerFrame {
  const dag = { ...viewLinkedDag(state), variant_groups: viewVariantGroups(state) };
  return { type: 'notebook_state', payload: { ...viewBody(state), dag } };
}

/** A refusal for its sender; codes outside the protocol's list are sent as text only. */
export function refusalFrames(origin: Origin, error: AppError): readonly AddressedFrame[] {
  if (origin.kind !== 'socket') return [];
  const { cell_id, held_by, source, base_source } = error.context;
  return [
    toOnly(origin.socketId, {
      type: 'error',
      payload: {
        error: error.message,
        ...(FRAME_ERROR_CODES.some((code) => code === error.code) ? { code: error.code } : {}),
        ...(cell_id === undefined ? {} : { cell_id }),
        ...(held_by === undefined ? {} : { held_by }),
        ...(source === undefined ? {} : { source }),
        ...(base_source === undefined ? {} : { base_source }),
      },
    }),
  ];
}
