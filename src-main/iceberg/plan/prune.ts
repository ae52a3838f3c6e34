/** Skips the manifests and data files of an Iceberg table in which no row can match the conditions of a scan. */

import type { ContentFile, ManifestFile } from '../metadata/manifests.ts';
import { boundValue, partitionValue } from '../values/boundValue.ts';
import { comparePlain } from '../values/plain.ts';
import type { Predicate } from './filters.ts';
import type { PartitionTest } from './partitionTests.ts';
import { mayMeet } from './rangeTest.ts';

/** Whether a file of this manifest may contain a matching row. */
export function manifestMayMatch({ partitions }: ManifestFile, tests: readonly PartitionTest[]): boolean {
  return tests.every(({ index, type, tests: ranges }) => {
    const summary = partitions?.[index];
    if (summary === undefined) return true;
    const lower = summary.lower === null ? null : boundValue(summary.lower, type);
    const upper = summary.upper === null ? null : boundValue(summary.upper, type);
    return ranges.every((range) => mayMeet({ lower, upper }, range));
  });
}

/** Whether a file in this partition may contain a matching row. */
export function partitionMayMatch({ partition }: ContentFile, tests: readonly PartitionTest[]): boolean {
  return tests.every(({ fieldId, type, tests: ranges, not }) => {
    const value = partitionValue(partition[String(fieldId)], type);
    if (value === undefined) return true;
    // The value of the column is NULL in every row of this partition, and NULL never matches.
    if (value === null) return false;
    // NaN only matches `!=`.
    if (typeof value === 'number' && Number.isNaN(value)) return ranges.length === 0;
    if (not !== null && comparePlain(value, not) === 0) return false;
    return ranges.every((range) => mayMeet({ lower: value, upper: value }, range));
  });
}

/**
 * Whether a file may contain a matching row, by the column statistics in its manifest.
 * @param promoted ids of columns whose bounds have an earlier type with other units: these bounds cannot
 * prune
 */
export function statisticsMayMatch(
  file: ContentFile,
  predicates: readonly Predicate[],
  promoted: ReadonlySet<number>,
): boolean {
  return predicates.every((predicate) => {
    const { field, type } = predicate;
    const { id } = field;
    if (predicate.op === 'never') return false;
    const values = file.valueCounts.get(id);
    const nulls = file.nullCounts.get(id);
    if (values !== undefined && values > 0n && values === nulls) return false;
    if (predicate.value === null || predicate.op === '!=') return true;
    const { op, value } = predicate;
    if (values !== undefined && values > 0n && values === file.nanCounts.get(id)) return false;
    if (promoted.has(id)) return true;
    const lower = file.lowerBounds.get(id);
    const upper = file.upperBounds.get(id);
    const range = {
      lower: lower === undefined ? null : boundValue(lower, type),
      upper: upper === undefined ? null : boundValue(upper, type),
    };
    return mayMeet(range, { op, value });
  });
}
