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

/** The first wish, when nothing stands in its way. */
export function nextWish(view: NotebookView): RunWish | null {
  const first = view.waiting[0];
  if (first === undefined || view.link.kind !== 'live' || view.model.needsSync) return null;
  if (environmentBusy(view.model) || Object.keys(view.asked).length > 0) return null;
  if (view.model.order.some((id) => view.model.cells[id]?.cell.status === 'running')) return null;
  return first;
}

/** Whether a run would be refused now because the environment is being worked on. */
export function environmentBusy(model: NotebookModel): boolean {
  const meta = model.meta;
  return (
    meta === null || meta.environment.sync_state === 'pending' || meta.environment_job?.status === 'running'
  );
}

/** `asked` without the cells a frame has answered. */
export function answered(asked: NotebookView['asked'], frame: ReceivedFrame): NotebookView['asked'] {
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
