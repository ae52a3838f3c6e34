/** The row-group cache as the server uses it: the cache, its footers and its warming jobs. */

import { availableParallelism } from 'node:os';
import type { Config } from '../../config/variables.ts';
import type { ManifestCache } from '../../iceberg/metadata/manifestCache.ts';
import type { Logger } from '../../observe/log.ts';
import { TurnTaking } from '../admission/turnTaking.ts';
import type { Tables } from '../tableVersion.ts';
import { createFetcher } from './fetchFile.ts';
import { createFooters, type Footers } from './footers.ts';
import { RowGroupCache } from './rowGroupCache.ts';
import type { CachedReading } from './rowGroupFetcher.ts';
import { checkWarm, noProgress, type WarmProgress, type WarmRequest, warm } from './warm.ts';
import { type WarmJob, WarmJobs } from './warmJobs.ts';

/** What routes may ask of the row-group cache. */
export interface CachePlane {
  readonly cache: RowGroupCache;
  readonly footers: Footers;
  readonly manifests: ManifestCache;
  readonly reading: CachedReading;
  readonly jobs: WarmJobs;
  /** Warms the cache. @throws PlaneRefusal for a request that is malformed */
  warm(request: WarmRequest, tenant: string, signal: AbortSignal): Promise<WarmProgress>;
  /** Starts the warming in the background. @throws PlaneRefusal */
  warmLater(request: WarmRequest, tenant: string, priority: number): WarmJob;
  close(): Promise<void>;
}

export function createCachePlane(
  config: Config,
  { tables, log }: { tables: Tables; log: Logger },
): CachePlane {
  const cache = new RowGroupCache({ dir: config.cacheDir, maxBytes: config.maxCacheSizeBytes, log });
  const footers = createFooters(config.metadataDb, log);
  const granularity = config.cacheGranularity;
  const fetcher = createFetcher({
    cache,
    footers,
    granularity,
    batchRows: config.batchSize,
    workers: new TurnTaking({ max: config.maxFetchWorkers }),
    decoding: new TurnTaking({ max: Math.max(2, availableParallelism()) }),
    timeoutSeconds: config.fetchTimeoutSeconds,
  });
  const reading: CachedReading = {
    fetcher,
    granularity,
    parallelism: config.fetchParallelism,
    batchRows: config.batchSize,
    wholeBelow: config.mmapMinBytes,
    onDiskError: (err) =>
      log.warn({ err }, 'the row-group cache cannot be written to; scans read without it'),
  };
  const jobs = new WarmJobs((request, { tenant, progress }, signal) =>
    warm(request, { tables, reading, tenant, progress, signal }),
  );
  return {
    cache,
    footers,
    reading,
    jobs,
    manifests: tables.manifests,
    async warm(request, tenant, signal) {
      checkWarm(request, tables);
      const progress = noProgress();
      await warm(request, { tables, reading, tenant, progress, signal });
      return progress;
    },
    warmLater(request, tenant, priority) {
      checkWarm(request, tables);
      return jobs.add(request, tenant, priority);
    },
    async close() {
      await jobs.close();
      footers.close();
    },
  };
}
