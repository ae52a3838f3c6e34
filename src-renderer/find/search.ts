import { type Outcome, searchAside } from './searchAside.ts';
import { type AnswerOf, perform, type SearchTask } from './searchTask.ts';

/**
 * Does a task: at once where the pattern is plain text, which is always quick; a regular expression is run aside and
 * tells later. The answer drops it.
 */
export function search<Task extends SearchTask>(
  task: Task,
  tell: (outcome: Outcome<AnswerOf<Task>>) => void,
  { costly }: { readonly costly: boolean },
): () => void {
  if (costly) return searchAside(task, tell);
  tell({ kind: 'done', answer: perform(task) });
  return () => undefined;
}
