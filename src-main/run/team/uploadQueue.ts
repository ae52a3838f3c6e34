/** Queues uploads to the team's cache and sends them one after another in the background. */

import type { RemoteStore } from '../../remoteStore/remoteStore.ts';
import { RemoteStoreProblem } from '../../remoteStore/remoteStoreProblem.ts';
import { sendUploads, type Upload } from './sendUploads.ts';

/** How long the program waits at its end for each result that is being sent, and for all of them. */
const EACH_MS = 10_000;
const ALL_MS = 60_000;

/** Results on their way to the team's cache, one after another; nothing else waits for them. */
export interface UploadQueue {
  /** Whether results are sent now: not while the store rests after a failure. */
  isOpen(): boolean;
  add(uploads: readonly Upload[], principal: string | null): void;
  /** Resolves when everything that was added before was sent or abandoned. */
  idle(): Promise<void>;
  /** Abandons what is not sent within a few seconds. */
  close(): Promise<void>;
}

/** Creates the queue of one program. */
export function createUploadQueue(
  store: RemoteStore,
  { onProblem }: { readonly onProblem: (message: string) => void },
): UploadQueue {
  const closing = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let resolveIdle = (): void => undefined;
  const send = async (uploads: readonly Upload[], principal: string | null): Promise<void> => {
    if (closing.signal.aborted || !store.isAwake()) return;
    try {
      await sendUploads(store, uploads, { principal, signal: closing.signal });
    } catch (error) {
      // The store has already reported why it does not answer.
      if (error instanceof RemoteStoreProblem && (error.status === null || !store.isAwake())) return;
      const text = error instanceof Error ? error.message : String(error);
      onProblem(`A result was not sent to the team’s cache: ${text}`);
    }
  };
  return {
    isOpen: () => !closing.signal.aborted && store.isAwake(),
    add(uploads, principal) {
      last = last.then(() => send(uploads, principal)).then(() => resolveIdle());
    },
    idle: () => last,
    async close() {
      const stop = (): void => closing.abort();
      const all = setTimeout(stop, ALL_MS);
      let each = setTimeout(stop, EACH_MS);
      resolveIdle = () => {
        clearTimeout(each);
        each = setTimeout(stop, EACH_MS);
      };
      await last;
      clearTimeout(all);
      clearTimeout(each);
      stop();
    },
  };
}
