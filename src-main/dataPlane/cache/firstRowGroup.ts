import type { ScanPlan } from '../../iceberg/plan/planScan.ts';
import type { TableFiles } from '../../iceberg/storage/tableFiles.ts';
import { canBeCached } from './cachedScan.ts';
import type { CachedReading, CacheOwner } from './rowGroupFetcher.ts';
import { entryPlan } from './units.ts';

/**
 * Loads the first row group of a scan into the cache before the client asks for rows (prefetch.ts).
 * @throws IcebergError
 */
export async function fetchFirstRowGroup(
  plan: ScanPlan,
  owner: CacheOwner,
  { reading, files, signal }: { reading: CachedReading; files: TableFiles; signal: AbortSignal },
): Promise<void> {
  const [task] = plan.tasks;
  if (task === undefined || !canBeCached(plan)) return;
  const entries = await reading.fetcher.entriesOf({
    plan: entryPlan(plan, reading.granularity),
    predicates: plan.predicates,
    task,
    owner,
    files,
    signal,
    groups: 1,
  });
  for (const entry of entries) entry.release();
}
