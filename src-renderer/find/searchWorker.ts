/** The thread that runs a person's regular expressions; the page terminates it when one takes too long. */
import { performSearch, type SearchTask } from './searchTask.ts';

addEventListener('message', ({ data }: MessageEvent<SearchTask>) =>
  postMessage({ answer: performSearch(data) }),
);
// The time limit of a task counts from this message, without the start of the thread.
postMessage('ready');
