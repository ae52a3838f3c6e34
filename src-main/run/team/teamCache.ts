/** The team's cache, a store of results that several servers share, with its settings for the runs of one notebook. */

import type { Redactor } from '../../lib/redactor.ts';
import type { RemoteStore } from '../../remoteStore/remoteStore.ts';
import type { UploadQueue } from './uploadQueue.ts';

/** The team's cache as the runs of one notebook use it. */
export interface TeamCache {
  readonly store: RemoteStore;
  readonly queue: UploadQueue;
  /** Whether results that run code when they are read may be used (SVC_NOTEBOOK_REMOTE_STORE_TRUSTED). */
  readonly isTrusted: boolean;
  /** Whether each new result is sent there. */
  readonly publishes: boolean;
  /** The longest a cell waits to learn whether the store has its result. */
  readonly lookUpMs: number;
  /** Finds the secrets of the notebook and of the server. */
  readonly redactor: () => Redactor;
  /** Why the result of each cell's last run here is not shared; null: it is. */
  readonly notShared: Map<string, string | null>;
  /** The variables that a cell's process has from this machine. */
  readonly machineEnvironment: (python: string | null) => Readonly<Record<string, string>>;
}

/** The team's cache as one server sets it up for all its notebooks. */
export type ServerTeamCache = Omit<TeamCache, 'redactor' | 'notShared'>;
