/** Tests conditions against the partition of a file. */

import type { PartitionSpec } from '../metadata/tableMetadata.ts';
import { findField, isPrimitive, type Primitive, type TableSchema } from '../metadata/types.ts';
import type { Plain } from '../values/plain.ts';
import { type Transform, transformOf } from '../values/transforms.ts';
import type { Predicate } from './filters.ts';
import type { RangeTest } from './rangeTest.ts';

/** What the conditions of a scan ask of one field of a partition spec. */
export interface PartitionTest {
  /** Where the field is in its spec. */
  readonly index: number;
  readonly fieldId: number;
  readonly type: Primitive;
  /** Every one must hold; a NULL partition has no row that matches. */
  readonly tests: readonly RangeTest[];
  /** A partition that has this one value has no row that matches. */
  readonly not: Plain | null;
}

/**
 * What must be true of a file's partition for a row of it to match.
 * @param promoted ids of columns whose values in partitions are of an earlier type with other units: they prune nothing
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
  // Early writers rounded times before 1970 towards zero, so that their partition may be the one after.
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
