import type { Worker } from '../../notebook/notebookFile.ts';

/**
 * Tokens that are on no disk, by the worker's name within a notebook: of workers attached in the window, and of those
 * this program started itself. They end with the program.
 */
export interface WorkerTokens {
  set(notebookId: string, worker: string, token: string | null): void;
  has(notebookId: string, worker: string): boolean;
  /** The variable `token_env` names, where it is not empty; else `token`; else the one in memory (worker-details 12). */
  resolve(notebookId: string, worker: Pick<Worker, 'name' | 'config'>): string | null;
}

export function createWorkerTokens(
  env: Readonly<Record<string, string | undefined>>,
  onToken: (tokens: readonly string[]) => void = () => undefined,
): WorkerTokens {
  const known = new Map<string, string>();
  const keyOf = (notebookId: string, worker: string): string => `${notebookId}\0${worker}`;
  return {
    set(notebookId, worker, token) {
      if (token === null || token === '') {
        known.delete(keyOf(notebookId, worker));
        return;
      }
      known.set(keyOf(notebookId, worker), token);
      onToken([token]);
    },
    has: (notebookId, worker) => known.has(keyOf(notebookId, worker)),
    resolve(notebookId, { name, config }) {
      const fromEnv = typeof config['token_env'] === 'string' ? env[config['token_env']]?.trim() : undefined;
      const written = typeof config['token'] === 'string' ? config['token'] : undefined;
      const token = [fromEnv, written, known.get(keyOf(notebookId, name))].find(
        (one) => one !== undefined && one !== '',
      );
      if (token === undefined) return null;
      onToken([token]);
      return token;
    },
  };
}
