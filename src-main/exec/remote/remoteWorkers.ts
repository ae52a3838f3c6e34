import { createHints, type Hints } from './hints.ts';
import { createRemoteExecutor, type RemoteExecutorOptions } from './remoteExecutor.ts';
import type { RemoteExecutor } from './remoteRequest.ts';
import { createSshWorkers, type SshWorkers } from './ssh/sshWorkers.ts';
import type { WorkerFiles } from './ssh/workerPack.ts';
import { createWorkersHealth, type WorkersHealth } from './workerHealth.ts';
import { createWorkerTokens, type WorkerTokens } from './workerTokens.ts';

/** What a program needs to run cells elsewhere; one for all its notebooks. */
export interface RemoteWorkers {
  readonly health: WorkersHealth;
  readonly tokens: WorkerTokens;
  readonly hints: Hints;
  readonly executor: RemoteExecutor;
  readonly ssh: SshWorkers;
}

export interface RemoteOptions extends Partial<Omit<RemoteExecutorOptions, 'tokens'>> {
  /** Where `token_env` is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears of tokens, which the log must not hold. */
  readonly onToken?: (tokens: readonly string[]) => void;
  /** What is brought to machines by ssh; absent: nothing can be. */
  readonly workerFiles?: WorkerFiles;
}

/** Defaults are those of the configuration (document 3). */
const LIMITS = { provisioningSeconds: 600, maxMemberBytes: 2 * 1024 ** 3 } as const;

const NO_FILES: WorkerFiles = { program: '', harnessDir: '' };

export function createRemoteWorkers({ env, onToken, workerFiles, ...limits }: RemoteOptions): RemoteWorkers {
  const tokens = createWorkerTokens(env, onToken);
  return {
    tokens,
    ssh: createSshWorkers({ files: workerFiles ?? NO_FILES, tokens }),
    executor: createRemoteExecutor({ ...LIMITS, ...limits, tokens }),
    health: createWorkersHealth(),
    hints: createHints({ tokenOf: (notebookId, worker) => tokens.resolve(notebookId, worker) }),
  };
}
