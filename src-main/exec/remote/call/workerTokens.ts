import type { Worker } from '../../../notebook/file/notebookFile.ts';
import { workerUrl } from '../../../notebook/workers.ts';

/**
 * Tokens that are on no disk, by the worker's name within a notebook: of workers attached in the window, and of those
 * this program started itself. Each is for the address it was given for: whatever a notebook's file says later, no other
 * machine is shown it. They end with the program.
 */
export interface WorkerTokens {
  /** Null forgets it. */
  set(
    notebookId: string,
    worker: { readonly name: string; readonly url: string | null },
    token: string | null,
  ): void;
  has(notebookId: string, worker: Pick<Worker, 'name' | 'config'>): boolean;
  /** The variable `token_env` names, where it is not empty; else `token`; else the one in memory (remote-execution 3). */
  resolve(notebookId: string, worker: Pick<Worker, 'name' | 'config'>): string | null;
}

export function createWorkerTokens(
  env: Readonly<Record<string, string | undefined>>,
  onToken: (tokens: readonly string[]) => void = () => undefined,
): WorkerTokens {
  const known = new Map<string, { readonly token: string; readonly url: string | null }>();
  const keyOf = (notebookId: string, worker: string): string => `${notebookId}\0${worker}`;
  const keptFor = (notebookId: string, worker: Pick<Worker, 'name' | 'config'>): string | undefined => {
    const kept = known.get(keyOf(notebookId, worker.name));
    return kept?.url === workerUrl(worker) ? kept?.token : undefined;
  };
  return {
    set(notebookId, { name, url }, token) {
      if (token === null || token === '') {
        known.delete(keyOf(notebookId, name));
        return;
      }
      known.set(keyOf(notebookId, name), { token, url });
      onToken([token]);
    },
    has: (notebookId, worker) => keptFor(notebookId, worker) !== undefined,
    resolve(notebookId, worker) {
      const { config } = worker;
      const fromEnv = typeof config['token_env'] === 'string' ? env[config['token_env']]?.trim() : undefined;
      const written = typeof config['token'] === 'string' ? config['token'] : undefined;
      const token = [fromEnv, written, keptFor(notebookId, worker)].find(
        (one) => one !== undefined && one !== '',
      );
      if (token === undefined) return null;
      onToken([token]);
      return token;
    },
  };
}
