import type { Builds } from '../../../builds/builds.ts';
import type { LockedEnvironments } from '../call/lockedEnvironment.ts';

export interface PullTools {
  readonly environments: LockedEnvironments;
  readonly builds: Pick<Builds, 'begin' | 'left'> | null;
  /** Where cells are run from: an open notebook, or a run without a window (worker-protocol 3.2). Default: the first. */
  readonly origin?: 'notebook' | 'run';
  readonly provisioningSeconds: number;
  readonly maxMemberBytes: number;
  readonly pollMs?: number;
  /** How long a worker out of reach is waited for; for tests. */
  readonly patienceMs?: number;
}
