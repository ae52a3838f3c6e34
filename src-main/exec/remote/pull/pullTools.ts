/** What a pull run needs, as a type. */

import type { Builds } from '../../../builds/builds.ts';
import type { LockedEnvironments } from '../call/lockedEnvironment.ts';

export interface PullTools {
  readonly environments: LockedEnvironments;
  readonly builds: Pick<Builds, 'begin' | 'left'> | null;
  /** Where cells are run from: an open notebook (the default) or a run without a window (worker-protocol 3.2). */
  readonly origin?: 'notebook' | 'run';
  readonly provisioningSeconds: number;
  readonly maxMemberBytes: number;
  readonly pollMs?: number;
  /** How long to wait for a worker that cannot be reached; for tests. */
  readonly patienceMs?: number;
}
