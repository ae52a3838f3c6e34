import type { QueuedRunView, RunQueueChange } from '../../src-shared/wire/runQueue.ts';
import type { CascadePrompt, NotebookModel } from './notebookModel.ts';

/** The runs that wait on the server (docs/extensions.md), and the prompt about what they need first. */

/** Place of a cell in the queue, from 0; -1 where it does not wait. */
export function placeInQueue({ queue }: NotebookModel, cellId: string): number {
  return queue.findIndex((run) => run.cell_id === cellId);
}

export function isQueued(model: NotebookModel, cellId: string): boolean {
  return placeInQueue(model, cellId) !== -1;
}

export function afterChange(
  queue: readonly QueuedRunView[],
  { added, removed }: RunQueueChange,
): readonly QueuedRunView[] {
  const removedIds = new Set(removed);
  return [...queue, ...added].filter(({ id }) => !removedIds.has(id));
}

/** The cells a prompt is about, in the order they were requested. */
export function targetsOf(prompt: CascadePrompt): readonly string[] {
  return prompt.targets ?? [prompt.cell_id];
}

/** One prompt for all runs requested while it is open: a cell in both runs once. */
export function joinedPrompt(open: CascadePrompt | null, next: CascadePrompt): CascadePrompt {
  if (open === null) return next;
  const targets = [...new Set([...targetsOf(open), ...targetsOf(next)])];
  const known = new Map((open.steps ?? []).map((step) => [step.cell_id, step]));
  for (const step of next.steps ?? []) if (!known.has(step.cell_id)) known.set(step.cell_id, step);
  const steps = [...known.values()].map((step) =>
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
