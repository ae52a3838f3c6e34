import type { Worker } from '../../../notebook/file/notebookFile.ts';
import { workerUrl } from '../../../notebook/workers.ts';

/**
 * The tokens with which this program calls workers. Those in memory belong to workers attached in the window or started
 * by this program, by notebook and worker name. Each belongs to one URL and is not sent to another, even if the
 * notebook's file changes the worker's URL. They are lost when the program ends.
 */
export interface WorkerTokens {
  /** Stores a token; null removes it. */
  set(
    notebookId: string,
    worker: { readonly name: string; readonly url: string | null },
    token: string | null,
  ): void;
  has(notebookId: string, worker: Pick<Worker, 'name' | 'config'>): boolean;
  /**
   * The token of a worker: the variable that `token_env` names, unless it is empty; else `token`; else the one in
   * memory (docs/spec/remote-execution.md, 3).
   */
  resolve(notebookId: string, worker: Pick<Worker, 'name' | 'config'>): string | null;
}

export function createWorkerTokens(
  env: Readonly<Record<string, string | undefined>>,
  onToken: (tokens: readonly string[]) => void = () => undefined,
): WorkerTokens {
  const tokens = new Map<string, { readonly token: string; readonly url: string | null }>();
  const keyOf = (notebookId: string, worker: string): string => `${notebookId}\0${worker}`;
  const inMemory = (notebookId: string, worker: Pick<Worker, 'name' | 'config'>): string | undefined => {
    const entry = tokens.get(keyOf(notebookId, worker.name));
    return entry?.url === workerUrl(worker) ? entry?.token : undefined;
  };
  return {
    set(notebookId, { name, url }, token) {
      if (token === null || token === '') {
        tokens.delete(keyOf(notebookId, name));
        return;
      }
      tokens.set(keyOf(notebookId, name), { token, url });
      onToken([token]);
    },
    has: (notebookId, worker) => inMemory(notebookId, worker) !== undefined,
    resolve(notebookId, worker) {
      const { config } = worker;
      const fromEnv = typeof config['token_env'] === 'string' ? env[config['token_env']]?.trim() : undefined;
      const fromFile = typeof config['token'] === 'string' ? config['token'] : undefined;
      const token = [fromEnv, fromFile, inMemory(notebookId, worker)].find(
        (one) => one !== undefined && one !== '',
      );
      if (token === undefined) return null;
      onToken([token]);
      return token;
    },
  };
}
