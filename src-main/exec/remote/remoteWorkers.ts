import { NO_TRACING, type Tracing } from '../../observe/tracing.ts';
import type { RemoteExecutor } from './call/remoteRequest.ts';
import { createWorkerTokens, type WorkerTokens } from './call/workerTokens.ts';
import { createHints, type Hints } from './health/hints.ts';
import { createWorkersHealth, type WorkersHealth } from './health/workerHealth.ts';
import { createRemoteExecutor, type RemoteExecutorOptions } from './remoteExecutor.ts';
import { createSshWorkers, type SshWorkers } from './ssh/sshWorkers.ts';
import type { WorkerFiles } from './ssh/workerPack.ts';
import { tracedExecutor } from './tracedExecutor.ts';

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
  readonly tracing?: Tracing;
}

/** Defaults are those of the configuration. */
const LIMITS = { provisioningSeconds: 600, maxMemberBytes: 2 * 1024 ** 3 } as const;

const NO_FILES: WorkerFiles = { program: '', harnessDir: '' };

export function createRemoteWorkers(options: RemoteOptions): RemoteWorkers {
  const { env, onToken, workerFiles, tracing = NO_TRACING, ...limits } = options;
  const tokens = createWorkerTokens(env, onToken);
  return {
    tokens,
    ssh: createSshWorkers({ files: workerFiles ?? NO_FILES, tokens }),
    executor: tracedExecutor(createRemoteExecutor({ ...LIMITS, ...limits, tokens }), tracing),
    health: createWorkersHealth(),
    hints: createHints({ tokenOf: (notebookId, worker) => tokens.resolve(notebookId, worker) }),
  };
}
