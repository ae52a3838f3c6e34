/** Keeps the environments on a worker's disk that runs use, and removes old ones. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import type { Logger } from '../../observe/log.ts';
import { collectEnvironments, type EnvironmentLimits } from './collectEnvironments.ts';
import { COMPLETE_MARKER } from './environmentFolder.ts';
import { createEnvironmentUses } from './environmentUses.ts';

const COLLECT_INTERVAL_MS = 60 * 60 * 1000;
/** How many times an environment is built again that another worker removed just after it was found. */
const MAX_TRIES = 3;

/** The locked environments on a worker's disk: keeps those in use, and removes old ones. */
export interface EnvironmentKeeper {
  /**
   * Holds an environment for a run. @param make finds or builds it and returns its folder; called again if the folder
   * was removed meanwhile
   */
  hold<T extends { readonly dir: string }>(
    make: () => Promise<T>,
  ): Promise<{ readonly held: T; readonly release: () => void }>;
  /** Removes environments beyond the limits. Also runs every hour and after a new environment. */
  collect(): Promise<void>;
  close(): Promise<void>;
}

export function createEnvironmentKeeper({
  envRoot,
  limits,
  lingerMs,
  log,
}: {
  readonly envRoot: string;
  readonly limits: EnvironmentLimits;
  /** How long after its last run an environment may still have warm processes. */
  readonly lingerMs: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}): EnvironmentKeeper {
  const uses = createEnvironmentUses({ lingerMs });
  const knownFolders = new Set<string>();
  let collecting: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function once(): Promise<void> {
    if (isClosed) return;
    uses.forgetIdle();
    for (const root of [envRoot, join(envRoot, 'r')]) {
      const removed = await collectEnvironments(root, { limits, uses });
      for (const dir of removed) knownFolders.delete(dir);
      if (removed.length > 0) log.info({ environments: removed }, 'environments were removed from the disk');
    }
  }

  const collect = (): Promise<void> => {
    collecting = collecting.then(once).catch((error: unknown) => {
      log.warn({ err: error }, 'environments on the disk could not be checked');
    });
    return collecting;
  };

  const timer = setInterval(() => void collect(), COLLECT_INTERVAL_MS);
  timer.unref();
  void collect();

  return {
    async hold(make) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const environment = await make();
        const { dir } = environment;
        const release = await uses.begin(dir);
        if ((await stat(join(dir, COMPLETE_MARKER)).catch(nullIfMissing)) !== null) {
          if (!knownFolders.has(dir)) void collect();
          knownFolders.add(dir);
          return { held: environment, release };
        }
        release();
      }
      throw new Error('its folder was removed while it was being prepared: run the cell again');
    },
    collect,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await collecting;
      await uses.close();
    },
  };
}
