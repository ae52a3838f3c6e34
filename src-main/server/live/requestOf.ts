/** Translates each live frame of a client to the request that is dispatched to the session. */

import { type CellId, isCellId } from '../../../src-shared/notebook/ids.ts';
import type { ClientFrameType as AnyFrameType, ClientFrame } from '../../../src-shared/wire/frames/client.ts';
import type { EnvironmentWork } from '../../environment/environmentWork.ts';
import type { RunMode, SessionRequest } from '../../session/state/requests.ts';

/** Frames of the assistant request nothing of the session (`assistantFrames.ts`). */
type ClientFrameType = Exclude<AnyFrameType, 'agent_cancel' | 'agent_confirm_response'>;
export type SessionFrame = Extract<ClientFrame, { readonly type: ClientFrameType }>;

type PayloadOf<T extends ClientFrameType> = Extract<ClientFrame, { readonly type: T }>['payload'];

interface FrameMeaning {
  /** `unknown_cell` if the text cannot be a cell id: the sender gets an error. */
  readonly request: SessionRequest | 'unknown_cell' | 'nothing';
  /** Whether it starts a run, which a draining server refuses. */
  readonly startsRun: boolean;
}

/** The request of each frame type (docs/spec/live-protocol.md, 4). Complete by type. */
const REQUESTS = {
  cell_execute: ({ cell_id, queue }) =>
    run(cell_id, (cellId) =>
      queue === true
        ? queued([cellId], 'normal')
        : { type: 'run_cell', cellId, mode: 'normal', upstream: 'ask' },
    ),
  cell_execute_cascade: ({ cell_id, plan_id }) =>
    run(cell_id, (cellId) => ({ type: 'confirm_plan', cellId, planId: plan_id })),
  cell_execute_force: ({ cell_id, queue }) => run(cell_id, (cellId) => runGoing(cellId, 'force', queue)),
  cell_execute_rerun: ({ cell_id, queue }) => run(cell_id, (cellId) => runGoing(cellId, 'rerun', queue)),
  run_queue_add: ({ cell_ids, agreed: agreedCells, mode, if_stale, after_job }) => {
    const ids = cell_ids.filter(isCellId);
    if (ids.length < cell_ids.length) return { request: 'unknown_cell', startsRun: true };
    const request = queued(ids, mode);
    const more = { ifStale: if_stale, agreed: agreedCells.filter(isCellId), afterJob: after_job ?? null };
    return { request: { ...request, ...more }, startsRun: true };
  },
  run_queue_remove: ({ ids }) => ({
    request: { type: 'remove_from_queue', ids: ids ?? null },
    startsRun: false,
  }),
  run_queue_move: ({ id, before }) => ({
    request: { type: 'move_in_queue', id, beforeId: before },
    startsRun: false,
  }),
  auto_run: ({ cell_ids }) => ({
    request: { type: 'edit_settled', cellIds: cell_ids.filter(isCellId) },
    startsRun: true,
  }),
  cell_run_tests: ({ cell_id, test_source, base = null }) =>
    run(cell_id, (cellId) => ({ type: 'test_cell', cellId, source: test_source, base })),
  cell_cancel: ({ cell_id }) => onCell(cell_id, (cellId) => ({ type: 'cancel_cell', cellId })),
  notebook_run_all: (payload) => runAll('normal', payload),
  notebook_rerun_all: (payload) => runAll('rerun', payload),
  cell_source_update: ({ cell_id, source, force, base }) =>
    onCell(cell_id, (cellId) => ({
      type: 'edit_source',
      cellId,
      source,
      force,
      ...(base === undefined ? {} : { base }),
    })),
  variant_set_active: ({ group, name }) => ({
    request: { type: 'choose_variant', group, active: name, mode: null },
    startsRun: false,
  }),
  variant_add: ({ group }) => ({ request: { type: 'add_variant', group }, startsRun: false }),
  dependency_add: ({ package: requirement }) =>
    job({ action: 'add', requirements: [requirement], dev: false }),
  dependency_remove: ({ package: name }) => job({ action: 'remove', name }),
  cell_focus: ({ cell_id }) => ({ request: focus(cell_id), startsRun: false }),
  inspect_open: ({ cell_id }) => inspect(cell_id, (cellId) => ({ type: 'open_console', cellId })),
  inspect_eval: ({ cell_id, expr }) =>
    expr === undefined ? NOTHING : inspect(cell_id, (cellId) => ({ type: 'ask_console', cellId, expr })),
  inspect_complete: ({ cell_id, text }) =>
    cell_id === undefined || text === undefined
      ? NOTHING
      : onCell(cell_id, (cellId) => ({ type: 'complete_console', cellId, text })),
  inspect_close: ({ cell_id }) =>
    cell_id === undefined ? NOTHING : onCell(cell_id, (cellId) => ({ type: 'close_console', cellId })),
  inspect_interrupt: ({ cell_id }) =>
    cell_id === undefined ? NOTHING : onCell(cell_id, (cellId) => ({ type: 'interrupt_console', cellId })),
  widget_open: ({ cell_id }) => onCell(cell_id, (cellId) => ({ type: 'open_widgets', cellId })),
  widget_message: ({ cell_id, live_id: liveId, message }) =>
    onCell(cell_id, (cellId) => ({ type: 'send_to_widgets', cellId, liveId, message })),
  impact_preview_request: ({ cell_id }) => onCell(cell_id, (cellId) => ({ type: 'view_impact', cellId })),
  profiling_request: () => ({ request: { type: 'view_profiling' }, startsRun: false }),
  widget_update: ({ cell_id, values }) =>
    run(cell_id, (cellId) => ({ type: 'update_widget', cellId, values })),
  notebook_sync: () => ({ request: { type: 'sync' }, startsRun: false }),
} satisfies { readonly [T in ClientFrameType]: (payload: PayloadOf<T>) => FrameMeaning };

/** What a frame means for its session: a request, or nothing. */
export function meaningOf(frame: SessionFrame): FrameMeaning {
  const reader = REQUESTS[frame.type] as (payload: ClientFrame['payload']) => FrameMeaning; // the reader of its own type
  return reader(frame.payload);
}

function job(work: EnvironmentWork): FrameMeaning {
  return { request: { type: 'start_environment_job', work, waits: false }, startsRun: true };
}

function onCell(text: string, request: (cellId: CellId) => SessionRequest): FrameMeaning {
  return { request: isCellId(text) ? request(text) : 'unknown_cell', startsRun: false };
}

const NOTHING: FrameMeaning = { request: 'nothing', startsRun: false };

/** A missing field is ignored (docs/spec/live-protocol.md, 4). */
function inspect(text: string | undefined, request: (cellId: CellId) => SessionRequest): FrameMeaning {
  return text === undefined ? NOTHING : run(text, request);
}

function run(text: string, request: (cellId: CellId) => SessionRequest): FrameMeaning {
  return { ...onCell(text, request), startsRun: true };
}

function runAll(
  mode: 'normal' | 'rerun',
  { continue_on_error: continueOnError, queue }: PayloadOf<'notebook_run_all'>,
): FrameMeaning {
  const request: SessionRequest =
    queue === true ? { ...queued(null, mode), continueOnError } : { type: 'run_all', mode, continueOnError };
  return { request, startsRun: true };
}

/** A run without a confirmation: at once, or queued. */
function runGoing(cellId: CellId, mode: 'rerun' | 'force', queue: boolean | undefined): SessionRequest {
  return queue === true ? queued([cellId], mode) : { type: 'run_cell', cellId, mode, upstream: 'go' };
}

/** Queued runs (docs/extensions.md). */
function queued(
  cellIds: readonly CellId[] | null,
  mode: RunMode,
): Extract<SessionRequest, { type: 'add_to_queue' }> {
  const plain = { continueOnError: true, ifStale: false, agreed: [], afterJob: null } as const;
  return { type: 'add_to_queue', cellIds, mode, ...plain };
}

/** A focus on an unknown cell is ignored (docs/spec/live-protocol.md, 4). */
function focus(text: string | null): FrameMeaning['request'] {
  if (text === null) return { type: 'focus_cell', cellId: null };
  return isCellId(text) ? { type: 'focus_cell', cellId: text } : 'nothing';
}
