/**
 * Highlights the sources of cells that are not being edited: queues requests and answers one per idle period, with
 * Monaco.
 */

import { loadMonaco } from './loadMonaco.ts';
import type { Monaco } from './monaco.ts';

/** A queued request. One cell is highlighted per idle period, so that scrolling never waits for it. */
interface Job {
  readonly source: string;
  readonly language: string;
  readonly done: (html: string) => void;
}

const jobs = new Set<Job>();
let working = false;

/** Requests the highlighted HTML of a source. Returns a function that cancels the request. */
export function highlight(source: string, language: string, done: (html: string) => void): () => void {
  const job = { source, language, done };
  jobs.add(job);
  if (!working) {
    working = true;
    loadMonaco().then(
      (monaco) => void highlightQueue(monaco),
      (error: unknown) => {
        working = false;
        console.error('the editor did not load; code is shown without highlighting', error);
      },
    );
  }
  return () => jobs.delete(job);
}

async function highlightQueue(monaco: Monaco): Promise<void> {
  for (const job of jobs) {
    await nextIdlePeriod();
    if (!jobs.delete(job)) continue;
    const html = await monaco.editor.colorize(job.source, job.language, { tabSize: 4 });
    job.done(html.replace(/<br\/>$/, ''));
  }
  working = false;
}

function nextIdlePeriod(): Promise<void> {
  return new Promise((resolve) => {
    requestIdleCallback(() => resolve(), { timeout: 300 });
  });
}
