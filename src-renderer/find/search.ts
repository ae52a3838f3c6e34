import { type Outcome, searchInThread } from './searchInThread.ts';
import { type AnswerOf, performSearch, type SearchTask } from './searchTask.ts';

/**
 * Runs a search task: immediately if the pattern is plain text, which is always fast; a regular expression runs on a
 * separate thread and reports later. Returns a function that cancels it.
 */
export function search<Task extends SearchTask>(
  task: Task,
  tell: (outcome: Outcome<AnswerOf<Task>>) => void,
  { costly }: { readonly costly: boolean },
): () => void {
  if (costly) return searchInThread(task, tell);
  tell({ kind: 'done', answer: performSearch(task) });
  return () => undefined;
}
