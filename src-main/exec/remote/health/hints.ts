/** Tells workers that a cell may be sent to them soon, so that they prepare an environment. */

import { sendHttpRequest } from '../../../lib/http/request.ts';
import type { Worker } from '../../../notebook/file/notebookFile.ts';
import { workerUrl } from '../../../notebook/workers.ts';
import { workerUrls } from '../call/workerUrls.ts';

/** Why a cell may soon be sent to the worker. */
export type HintReason = 'focus' | 'select' | 'cascade' | 'run_all';

export interface Hint {
  readonly sessionId: string;
  readonly notebookId: string;
  readonly worker: Worker;
  readonly reason: HintReason;
}

const BETWEEN_MS = 60_000;
const HINT_MS = 5_000;

export interface Hints {
  /**
   * Sends a hint to a worker, at most once a minute per session; failures are ignored
   * (docs/spec/remote-execution.md, 5).
   */
  give(hint: Hint): void;
}

export function createHints(options: {
  readonly tokenOf: (notebookId: string, worker: Worker) => string | null;
  readonly now?: () => number;
  readonly send?: (url: string, body: object, token: string | null) => Promise<void>;
}): Hints {
  const { tokenOf, now = Date.now, send = sendHint } = options;
  const lastHints = new Map<string, number>();
  return {
    give({ sessionId, notebookId, worker, reason }) {
      const url = workerUrl(worker);
      if (worker.backend !== 'executor' || url === null || !/^https?:/.test(url)) return;
      const key = `${sessionId}\0${worker.name}`;
      const atMs = now();
      for (const [old, last] of lastHints) if (atMs - last >= BETWEEN_MS) lastHints.delete(old);
      if (lastHints.has(key)) return;
      lastHints.set(key, atMs);
      const body = { worker: worker.name, runtime_id: worker.runtime_id, notebook_id: notebookId, reason };
      // A failure does no harm: the worker may not support hints, or not be running yet.
      send(workerUrls(url).hints, body, tokenOf(notebookId, worker)).catch(() => undefined);
    },
  };
}

async function sendHint(url: string, body: object, token: string | null): Promise<void> {
  const answer = await sendHttpRequest({
    method: 'POST',
    url,
    headers: {
      'Content-Type': 'application/json',
      'X-Svc-Executor-Protocol': 'v1',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: Buffer.from(JSON.stringify(body)),
    idleMs: HINT_MS,
    signal: AbortSignal.timeout(HINT_MS),
  });
  answer.destroy();
}
