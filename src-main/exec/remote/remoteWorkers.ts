/** Creates the parts of the program that run cells on workers; all its notebooks share them. */

import { NO_TRACING, type Tracing } from '../../observe/tracing.ts';
import type { RemoteExecutor } from './call/remoteRequest.ts';
import { createWorkerTokens, type WorkerTokens } from './call/workerTokens.ts';
import { createHints, type Hints } from './health/hints.ts';
import { createWorkersHealth, type WorkersHealth } from './health/workerHealth.ts';
import { createRemoteExecutor, type RemoteExecutorOptions } from './remoteExecutor.ts';
import { createSshWorkers, type SshWorkers } from './ssh/sshWorkers.ts';
import type { WorkerFiles } from './ssh/workerPack.ts';
import { tracedExecutor } from './tracedExecutor.ts';

/** What a program needs to run cells on workers; shared by all its notebooks. */
export interface RemoteWorkers {
  readonly health: WorkersHealth;
  readonly tokens: WorkerTokens;
  readonly hints: Hints;
  readonly executor: RemoteExecutor;
  readonly ssh: SshWorkers;
}

interface RemoteOptions extends Partial<Omit<RemoteExecutorOptions, 'tokens'>> {
  /** Where the variables named by `token_env` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives tokens, so that they can be hidden in the log. */
  readonly onToken?: (tokens: readonly string[]) => void;
  /** The files to copy to machines over SSH; absent: that is not possible. */
  readonly workerFiles?: WorkerFiles;
  readonly tracing?: Tracing;
}

/** The defaults of the configuration. */
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
