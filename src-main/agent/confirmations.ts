/** The question that a job of the assistant asks the user before it changes the notebook, and the user's answer. */

/** The result of a confirmation. */
type Answer = 'approved' | 'declined' | 'timeout';

/** The question that a job waits for; there is at most one, because changes are made one at a time. */
interface Confirmations {
  /** Waits for the answer. Rejects with the signal's reason if the job is cancelled. */
  ask(
    requestId: string,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Answer>;
  /**
   * Gives the user's answer.
   * @returns whether the request was waiting for one; an answer to an unknown request, or a second answer, has no
   * effect
   */
  answer(requestId: string | null, approved: boolean): boolean;
}

export function createConfirmations(): Confirmations {
  let waiting: { readonly id: string; readonly settle: (answer: Answer) => void } | null = null;
  return {
    ask: (id, { timeoutMs, signal }) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', cancelled);
          waiting = null;
        };
        const settle = (answer: Answer): void => {
          end();
          resolve(answer);
        };
        const cancelled = (): void => {
          end();
          reject(signal.reason);
        };
        const timer = setTimeout(() => settle('timeout'), Math.min(timeoutMs, LONGEST_MS));
        if (signal.aborted) return cancelled();
        signal.addEventListener('abort', cancelled, { once: true });
        waiting = { id, settle };
      }),
    answer(id, approved) {
      if (waiting === null || (id !== null && waiting.id !== id)) return false;
      waiting.settle(approved ? 'approved' : 'declined');
      return true;
    },
  };
}

/** The longest delay of Node's timers. */
const LONGEST_MS = 2 ** 31 - 1;
