/** The thread that runs a person's regular expressions; it is ended from outside when one takes too long. */
import { performSearch, type SearchTask } from './searchTask.ts';

addEventListener('message', ({ data }: MessageEvent<SearchTask>) =>
  postMessage({ answer: performSearch(data) }),
);
// From now on the time that passes is the expression's own.
postMessage('ready');
