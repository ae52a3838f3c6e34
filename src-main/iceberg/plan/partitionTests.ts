/** Derives from the conditions of a scan which partitions of an Iceberg table can contain a matching row. */

import type { PartitionSpec } from '../metadata/tableMetadata.ts';
import { findField, isPrimitive, type Primitive, type TableSchema } from '../metadata/types.ts';
import type { Plain } from '../values/plain.ts';
import { type Transform, transformOf } from '../values/transforms.ts';
import type { Predicate } from './filters.ts';
import type { RangeTest } from './rangeTest.ts';

/** The tests that the conditions of a scan impose on one field of a partition spec. */
export interface PartitionTest {
  /** Position of the field in its spec. */
  readonly index: number;
  readonly fieldId: number;
  readonly type: Primitive;
  /** The tests of the partition's value. All must be true; a partition with NULL has no matching row. */
  readonly tests: readonly RangeTest[];
  /** A value; a partition with exactly this value has no matching row. */
  readonly not: Plain | null;
}

/**
 * The tests that the partition of a file must pass to contain a matching row.
 * @param promoted ids of columns whose partition values have an earlier type with other units: they cannot
 * prune
 */
export function partitionTests(
  predicates: readonly Predicate[],
  spec: PartitionSpec,
  { schema, promoted }: { readonly schema: TableSchema; readonly promoted: ReadonlySet<number> },
): readonly PartitionTest[] {
  return spec.fields.flatMap((field, index) => {
    const source = findField(schema.fields, field.sourceId);
    if (source === null || !isPrimitive(source.type) || promoted.has(field.sourceId)) return [];
    const transform = transformOf(field.transform, source.type);
    const { resultType, keeps } = transform;
    if (resultType === null || keeps === 'none') return [];
    return predicates
      .filter((predicate) => predicate.field.id === field.sourceId)
      .map(
        (predicate): PartitionTest => ({
          index,
          fieldId: field.fieldId,
          type: resultType,
          ...testsOf(predicate, transform),
        }),
      );
  });
}

const NOTHING = { tests: [], not: null };

function testsOf(predicate: Predicate, transform: Transform): Pick<PartitionTest, 'tests' | 'not'> {
  if (predicate.value === null) return NOTHING;
  const { op, value } = predicate;
  if (transform.keeps === 'identity') {
    return op === '!=' ? { tests: [], not: value } : { tests: [{ op, value }], not: null };
  }
  if (op === '!=') return NOTHING;
  const result = transform.apply(value);
  if (transform.keeps === 'equality')
    return op === '=' ? { tests: [{ op, value: result }], not: null } : NOTHING;
  // Early writers rounded times before 1970 towards zero, so the value may be in the next partition.
  const upper = transform.isTime && typeof result === 'bigint' && result < 0n ? result + 1n : result;
  switch (op) {
    case '=':
      return {
        tests: [
          { op: '>=', value: result },
          { op: '<=', value: upper },
        ],
        not: null,
      };
    case '<':
    case '<=':
      return { tests: [{ op: '<=', value: upper }], not: null };
    case '>':
    case '>=':
      return { tests: [{ op: '>=', value: result }], not: null };
  }
}
