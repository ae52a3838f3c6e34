/** The queued runs on the server (docs/extensions.md), and the prompt about the cells that a run needs first. */

import type { QueuedRunView, RunQueueChange } from '../../src-shared/wire/runQueue.ts';
import type { CascadePrompt, NotebookModel } from './notebookModel.ts';

/** The position of a cell in the queue, from 0; -1 if it is not queued. */
export function placeInQueue({ queue }: NotebookModel, cellId: string): number {
  return queue.findIndex((run) => run.cell_id === cellId);
}

export function isQueued(model: NotebookModel, cellId: string): boolean {
  return placeInQueue(model, cellId) !== -1;
}

export function afterChange(
  queue: readonly QueuedRunView[],
  { added, removed, order }: RunQueueChange,
): readonly QueuedRunView[] {
  const removedIds = new Set(removed);
  const next = [...queue, ...added].filter(({ id }) => !removedIds.has(id));
  if (order === undefined) return next;
  const placeOf = new Map(order.map((id, at) => [id, at]));
  const last = order.length;
  return next.sort((a, b) => (placeOf.get(a.id) ?? last) - (placeOf.get(b.id) ?? last));
}

/** The cells a prompt is about, in the order they were requested. */
export function targetsOf(prompt: CascadePrompt): readonly string[] {
  return prompt.targets ?? [prompt.cell_id];
}

/** Joins the prompts of all runs that are requested while one is open; a cell in several runs appears once. */
export function mergedPrompt(open: CascadePrompt | null, next: CascadePrompt): CascadePrompt {
  if (open === null) return next;
  const targets = [...new Set([...targetsOf(open), ...targetsOf(next)])];
  const stepsById = new Map((open.steps ?? []).map((step) => [step.cell_id, step]));
  for (const step of next.steps ?? []) if (!stepsById.has(step.cell_id)) stepsById.set(step.cell_id, step);
  const steps = [...stepsById.values()].map((step) =>
    targets.includes(step.cell_id) ? { ...step, reason: 'target' as const } : step,
  );
  return {
    ...next,
    cells_to_run: [...new Set([...open.cells_to_run, ...next.cells_to_run])],
    steps,
    estimated_duration_ms: steps.reduce((sum, step) => sum + (step.skip ? 0 : step.estimated_ms), 0),
    ...(targets.length === 1 ? {} : { targets }),
  };
}

/** The cells that run after some were left out of a prompt, in run order. */
interface PartialRun {
  /** The cells that run as usual, because nothing above them was left out. */
  readonly normal: readonly string[];
  /** The cells that run with the stored results of cells above them that were left out. */
  readonly forced: readonly string[];
}

export function withoutCells(
  { cells }: Pick<NotebookModel, 'cells'>,
  prompt: CascadePrompt,
  leftOut: ReadonlySet<string>,
): PartialRun {
  const isBelow = new Map<string, boolean>([...leftOut].map((id) => [id, true]));
  const below = (start: string): boolean => {
    // Without recursion, because a chain of thousands of cells would overflow the stack.
    const stack = [start];
    for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
      const above = cells[id]?.cell.upstream_ids ?? [];
      const open = isBelow.has(id) ? [] : above.filter((one) => !isBelow.has(one));
      if (open.length > 0) stack.push(...open);
      else {
        if (!isBelow.has(id))
          isBelow.set(
            id,
            above.some((one) => isBelow.get(one) === true),
          );
        stack.pop();
      }
    }
    return isBelow.get(start) === true;
  };
  const selectedIds = prompt.cells_to_run.filter((id) => !leftOut.has(id));
  return {
    normal: selectedIds.filter((id) => !below(id)),
    forced: selectedIds.filter((id) => below(id)),
  };
}
