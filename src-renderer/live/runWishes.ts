import type { ReceivedFrame } from '../../src-shared/wire/frames/server.ts';
import type { NotebookModel } from '../state/notebookModel.ts';
import type { NotebookView, RunWish } from '../state/notebookStore.ts';

/**
 * Runs that wait their turn in this window. The server runs one thing at a time and refuses the rest
 * (`notebook_busy`), and refuses runs while the environment is being made (`ENVIRONMENT_BUSY`); a person who
 * clicked wants them to run all the same, in the order of the clicks.
 */
export function addWish(waiting: readonly RunWish[], wish: RunWish): readonly RunWish[] {
  return waiting.some((one) => sameWish(one, wish)) ? waiting : [...waiting, wish];
}

/** Whether nothing stands in the way of a run that waits. */
export function mayRun(view: NotebookView): boolean {
  if (view.link.kind !== 'live' || view.model.needsSync) return false;
  if (environmentBusy(view.model) || Object.keys(view.asked).length > 0) return false;
  return !view.model.order.some((id) => view.model.cells[id]?.cell.status === 'running');
}

/**
 * The waiting runs without those at the front that would not help: cells that bring the notebook up to date and are
 * up to date already, are gone, or read from one that failed meanwhile (a run would only ask about a cascade), and
 * those whose package could not be had.
 */
export function withoutVain({ model, waiting }: NotebookView): readonly RunWish[] {
  const keep = waiting.findIndex((wish) => !isVain(model, wish));
  if (keep === 0 || waiting.length === 0) return waiting;
  return keep === -1 ? [] : waiting.slice(keep);
}

function isVain(model: NotebookModel, wish: RunWish): boolean {
  if (wish.kind !== 'cell') return false;
  if (wish.after !== undefined && hasFailed(model, wish.after)) return true;
  if (wish.stale !== true) return false;
  const cell = model.cells[wish.cellId]?.cell;
  if (cell === undefined || cell.status === 'ready') return true;
  return cell.upstream_ids.some((id) => {
    const status = model.cells[id]?.cell.status;
    return status !== 'ready' && status !== 'running';
  });
}

function hasFailed({ meta }: NotebookModel, jobId: string): boolean {
  const jobs = [meta?.environment_job, ...(meta?.environment_job_history ?? [])];
  return jobs.some((job) => job?.id === jobId && job.status === 'failed');
}

/** Whether a run would be refused now because the environment is being worked on. */
export function environmentBusy(model: NotebookModel): boolean {
  const meta = model.meta;
  return (
    meta === null || meta.environment.sync_state === 'pending' || meta.environment_job?.status === 'running'
  );
}

/** Refusals of a text: the run that was sent behind it has an answer of its own. */
const OF_A_TEXT: readonly (string | undefined)[] = [
  'cell_busy',
  'cell_locked',
  'source_changed_on_disk',
  'source_not_saved',
];

/** `asked` without the cells a frame has answered, and without those that are gone. */
export function answered(asked: NotebookView['asked'], frame: ReceivedFrame): NotebookView['asked'] {
  if (frame.type === 'notebook_state') {
    const left = frame.payload.cells.filter(({ id }) => asked[id] === true);
    if (left.length === Object.keys(asked).length) return asked;
    return Object.fromEntries(left.map(({ id }) => [id, true as const]));
  }
  if (frame.type === 'error' && OF_A_TEXT.includes(frame.payload.code)) return asked;
  const id = 'cell_id' in frame.payload ? frame.payload.cell_id : undefined;
  const isAnswer =
    frame.type === 'cell_status' ||
    frame.type === 'cell_output' ||
    frame.type === 'cell_error' ||
    frame.type === 'cascade_prompt' ||
    frame.type === 'error';
  if (!isAnswer) return asked;
  if (id === undefined) return frame.type === 'error' ? {} : asked;
  if (asked[id] === undefined) return asked;
  const { [id]: _answered, ...rest } = asked;
  return rest;
}

function sameWish(a: RunWish, b: RunWish): boolean {
  return a.kind === 'cell' ? b.kind === 'cell' && a.cellId === b.cellId : b.kind === 'all';
}
