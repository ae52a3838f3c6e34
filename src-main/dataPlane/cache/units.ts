/** Divides a scan into the units that the row-group cache stores: the row groups of its data files. */

import type { Schema } from 'apache-arrow';
import type { ScanPlan, ScanTask } from '../../iceberg/plan/planScan.ts';
import { outputType } from '../../iceberg/read/outputType.ts';
import { schemaOf } from '../../sql/arrow/arrowTypeOf.ts';
import type { CacheUnit } from './cacheKey.ts';
import type { CachedReading, CacheOwner } from './rowGroupFetcher.ts';

/** The contents of the entries of a scan: its columns and those of its conditions, with all rows. */
export function entryPlan(plan: ScanPlan, granularity: CachedReading['granularity']): ScanPlan {
  const needed = new Set([...plan.columns, ...plan.predicates.map(({ field }) => field)]);
  const columns =
    granularity === 'row_group'
      ? plan.schema.fields
      : plan.schema.fields.filter((field) => needed.has(field));
  return { ...plan, columns, predicates: [] };
}

/** The schema of the entries of such a plan. */
export function entrySchema({ columns }: ScanPlan): Schema {
  return schemaOf(columns.map(({ name, type }) => ({ name, type: outputType(type, 'table') })));
}

/** The units of some row groups of one file of a scan. */
export function unitsOf(
  {
    plan,
    task,
    rowGroups,
  }: { readonly plan: ScanPlan; readonly task: ScanTask; readonly rowGroups: readonly number[] },
  { tenant, identity }: CacheOwner,
  granularity: CachedReading['granularity'],
): readonly CacheUnit[] {
  const names = plan.columns.map(({ name }) => name);
  const columns =
    granularity === 'row_group' ? null : names.length === plan.schema.fields.length ? '*' : names;
  return rowGroups.map((rowGroup) => ({
    tenant,
    identity,
    columns,
    rowGroup,
    file: task.file.path,
    schemaId: plan.schema.schemaId,
    snapshotId: plan.snapshot?.id ?? 0n,
  }));
}
