/** The services and settings that pull runs (pullRun.ts) need from the program. */

import type { Builds } from '../../../builds/builds.ts';
import type { LockedEnvironments } from '../call/lockedEnvironment.ts';

export interface PullTools {
  readonly environments: LockedEnvironments;
  readonly builds: Pick<Builds, 'begin' | 'left'> | null;
  /**
   * Where cells are run from: an open notebook (the default) or a run without a window
   * (docs/spec/worker-protocol.md, 3.2).
   */
  readonly origin?: 'notebook' | 'run';
  readonly provisioningSeconds: number;
  readonly maxMemberBytes: number;
  readonly pollMs?: number;
  /** How long to wait for a worker that cannot be reached; for tests. */
  readonly patienceMs?: number;
}
