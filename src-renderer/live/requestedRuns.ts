/** The cells whose run this window requested and the server has not answered, and when a run cannot be requested. */

import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import type { NotebookModel } from '../state/notebookModel.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { targetsOf } from '../state/runQueue.ts';

/** Whether a run would be refused now because the environment is not ready or is being changed. */
export function environmentBusy(model: NotebookModel): boolean {
  const meta = model.meta;
  return (
    meta === null || meta.environment.sync_state === 'pending' || meta.environment_job?.status === 'running'
  );
}

/** Codes that refuse an edit and not a run: a run that was sent after the edit gets its own answer. */
const OF_A_TEXT: readonly (string | undefined)[] = [
  'cell_busy',
  'cell_locked',
  'source_changed_on_disk',
  'source_not_saved',
];

/** `requests` without the cells that a frame has answered, and without deleted cells. */
export function withoutAnswered(
  requests: NotebookView['asked'],
  frame: ReceivedFrame,
): NotebookView['asked'] {
  if (frame.type === 'notebook_state') {
    const remaining = frame.payload.cells.filter(({ id }) => requests[id] === true);
    if (remaining.length === Object.keys(requests).length) return requests;
    return Object.fromEntries(remaining.map(({ id }) => [id, true as const]));
  }
  if (frame.type === 'error' && OF_A_TEXT.includes(frame.payload.code)) return requests;
  if (frame.type === 'run_queue') {
    const { added, dropped: droppedRuns = [] } = frame.payload;
    return withoutAsked(
      requests,
      [...added, ...droppedRuns].map((one) => one.cell_id),
    );
  }
  if (frame.type === 'cascade_prompt') {
    return withoutAsked(requests, targetsOf(frame.payload));
  }
  const id = 'cell_id' in frame.payload ? frame.payload.cell_id : undefined;
  const isAnswer =
    frame.type === 'cell_status' ||
    frame.type === 'cell_output' ||
    frame.type === 'cell_error' ||
    frame.type === 'error';
  if (!isAnswer) return requests;
  if (id === undefined) return frame.type === 'error' ? {} : requests;
  return withoutAsked(requests, [id]);
}

function withoutAsked(
  requests: NotebookView['asked'],
  cellIds: readonly (string | null)[],
): NotebookView['asked'] {
  const remaining = Object.keys(requests).filter((id) => !cellIds.includes(id));
  if (remaining.length === Object.keys(requests).length) return requests;
  return Object.fromEntries(remaining.map((id) => [id, true as const]));
}
