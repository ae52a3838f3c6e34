/**
 * Creates, from the configuration, the client of the store that several servers share, and the team's cache of results
 * in it.
 */

import type { Config } from '../config/variables.ts';
import { childEnvironment } from '../exec/local/childEnvironment.ts';
import type { Logger } from '../observe/log.ts';
import { createRemoteStore, type RemoteStore } from '../remoteStore/remoteStore.ts';
import type { ServerTeamCache } from '../run/team/teamCache.ts';
import { createUploadQueue } from '../run/team/uploadQueue.ts';

/** The shared store of SVC_NOTEBOOK_REMOTE_STORE_URL; null if it is not set. */
export function remoteStoreOf(config: Config, log: Logger): RemoteStore | null {
  const url = config.notebookRemoteStoreUrl;
  if (url === null) return null;
  return createRemoteStore({
    url,
    headers: config.notebookRemoteStoreHeaders,
    principalHeader: config.notebookRemoteStoreForwardPrincipal ? config.principalHeader : null,
    onProblem: (message) => log.warn(message),
  });
}

/** The cache of results that runs share through that store; null if SVC_NOTEBOOK_TEAM_CACHE_ENABLED is off. */
export function teamCacheOf(config: Config, store: RemoteStore | null, log: Logger): ServerTeamCache | null {
  if (store === null || !config.notebookTeamCacheEnabled) return null;
  return {
    store,
    queue: createUploadQueue(store, { onProblem: (message) => log.warn(message) }),
    isTrusted: config.notebookRemoteStoreTrusted,
    publishes: config.notebookTeamCachePublish === 'all',
    lookUpMs: config.notebookTeamCacheLookupMs,
    machineEnvironment: (python) =>
      childEnvironment({
        base: process.env,
        allowlist: config.notebookHarnessEnvAllowlist,
        python: python ?? '',
      }),
  };
}
