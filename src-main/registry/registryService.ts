/** Opens the server's artifact store when it is first needed, and deletes unreferenced versions regularly. */

import type { CollectLimits } from './collectPlan.ts';
import type { Registry, RegistryOptions } from './registry.ts';
import { RegistryError } from './registryError.ts';

/** Access to the artifact store, which is opened on first use. */
export interface RegistryService {
  /** Whether the server has a folder for the store; without one, there is nothing to read. */
  readonly isConfigured: boolean;
  /** @throws RegistryError unavailable if the server has no folder for it */
  open(): Promise<Registry>;
  close(): Promise<void>;
}

interface SweepOptions {
  /** The seconds between two sweeps; 0 or null: no sweeps. */
  readonly intervalSeconds: number | null;
  readonly limits: Omit<CollectLimits, 'now' | 'collectLatest'>;
  readonly onProblem: (error: unknown) => void;
}

/** The first sweep starts at most this long after the store was opened. */
const FIRST_SWEEP_SECONDS = 60;

export function createRegistryService(options: RegistryOptions | null, sweep: SweepOptions): RegistryService {
  let opening: Promise<Registry> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let sweeping: Promise<void> = Promise.resolve();
  const planSweep = (registry: Registry, seconds: number): void => {
    timer = setTimeout(() => {
      const limits = { ...sweep.limits, collectLatest: false, now: Date.now() / 1000 };
      sweeping = registry
        .collect(limits, false)
        .then(() => undefined, sweep.onProblem)
        .then(() => {
          if (timer !== null) planSweep(registry, sweep.intervalSeconds ?? 0);
        });
    }, seconds * 1000);
    timer.unref();
  };
  const open = async (): Promise<Registry> => {
    if (options === null) {
      throw new RegistryError(
        'unavailable',
        'This server has no artifact store. Set SVC_ARTIFACT_DIR to a folder and restart it.',
      );
    }
    // Loads Apache Arrow and SQLite.
    const { openRegistry } = await import('./registry.ts');
    const registry = await openRegistry(options);
    const interval = sweep.intervalSeconds ?? 0;
    if (interval > 0) planSweep(registry, Math.min(interval, FIRST_SWEEP_SECONDS));
    return registry;
  };
  return {
    isConfigured: options !== null,
    open() {
      opening ??= open().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      return opening;
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await sweeping;
      // A store that could not be opened was reported to the client that needed it.
      const registry = await opening?.catch(() => null);
      registry?.close();
    },
  };
}
