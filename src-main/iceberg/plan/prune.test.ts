import { describe, expect, it } from 'vitest';
import type { AvroValue } from '../metadata/avroRecord.ts';
import { parseSchema } from '../metadata/types.ts';
import { contentFile } from '../testing/contentFile.ts';
import { bindFilters, type Operator } from './filters.ts';
import { partitionTests } from './partitionTests.ts';
import { partitionMayMatch, statisticsMayMatch } from './prune.ts';

const field = (id: number, name: string, type: string) => ({ id, name, required: false, type });
const SCHEMA = parseSchema({
  'schema-id': 0,
  fields: [
    field(1, 'n', 'long'),
    field(2, 'g', 'double'),
    field(3, 't', 'timestamp'),
    field(4, 's', 'string'),
  ],
});
const NOTHING: ReadonlySet<number> = new Set();
type Condition = readonly [string, Operator, string | number];
const bound = ([column, op, value]: Condition) => bindFilters([{ column, op, value }], SCHEMA);

describe('[IC-6] a file is left out by its partition', () => {
  const id = (name: string) => SCHEMA.fields.find((one) => one.name === name)?.id ?? 0;
  it.each<[string, AvroValue, Condition, boolean]>([
    ['identity', 5n, ['n', '=', 5], true],
    ['identity', 5n, ['n', '=', 6], false],
    ['identity', 5n, ['n', '!=', 5], false],
    ['identity', 5n, ['n', '!=', 6], true],
    ['identity', null, ['n', '!=', 6], false],
    ['identity', Number.NaN, ['g', '>', 1], false],
    ['identity', Number.NaN, ['g', '!=', 1], true],
    ['void', null, ['n', '=', 5], true],
    ['unknown', null, ['n', '=', 5], true],
    ['bucket[16]', 3n, ['n', '=', 34], true],
    ['bucket[16]', 4n, ['n', '=', 34], false],
    ['bucket[16]', 4n, ['n', '>', 34], true],
    ['bucket[16]', null, ['n', '>', 34], false],
    ['truncate[10]', 10n, ['n', '<', 10], true],
    ['truncate[10]', 20n, ['n', '<', 15], false],
    ['truncate[10]', -10n, ['n', '=', -1], true],
    ['truncate[2]', 'ab', ['s', '=', 'abc'], true],
    ['truncate[2]', 'ab', ['s', '>', 'b'], false],
    ['day', 0n, ['t', '<', '1970-01-01T00:00:00'], true],
    ['day', 1n, ['t', '<', '1970-01-01T12:00:00'], false],
    // Early writers rounded times before 1970 towards zero.
    ['day', 0n, ['t', '=', '1969-12-31T12:00:00'], true],
    ['day', -1n, ['t', '=', '1969-12-31T12:00:00'], true],
    ['day', 1n, ['t', '=', '1969-12-31T12:00:00'], false],
    ['year', 50n, ['t', '>=', '2021-01-01'], false],
  ])('%s %s for %j: %s', (transform, value, condition, mayMatch) => {
    const spec = { specId: 0, fields: [{ fieldId: 1000, sourceId: id(condition[0]), name: 'p', transform }] };
    const tests = partitionTests(bound(condition), spec, { schema: SCHEMA, promoted: NOTHING });
    expect(partitionMayMatch(contentFile({ partition: { 1000: value } }), tests)).toBe(mayMatch);
  });
});

describe('[IC-6] a file is left out by its statistics', () => {
  const long = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(value);
    return bytes;
  };
  const FILE = contentFile({
    valueCounts: new Map([
      [1, 10n],
      [2, 10n],
      [4, 10n],
    ]),
    nullCounts: new Map([
      [1, 0n],
      [2, 0n],
      [4, 10n],
    ]),
    nanCounts: new Map([[2, 10n]]),
    lowerBounds: new Map([[1, Buffer.from([5, 0, 0, 0])]]), // an int, the column's earlier type
    upperBounds: new Map([[1, long(9n)]]),
  });
  it.each<[Condition, boolean]>([
    [['n', '=', 5], true],
    [['n', '=', 4], false],
    [['n', '=', 10], false],
    [['n', '<', 5], false],
    [['n', '<=', 5], true],
    [['n', '>', 9], false],
    [['n', '>', 8], true],
    [['n', '!=', 5], true],
    [['n', '=', 5.5], false],
    [['n', '!=', 5.5], true],
    [['g', '>', 0], false],
    [['g', '!=', 0], true],
    [['s', '!=', 'a'], false],
    [['t', '=', '1970-01-01'], true],
  ])('%j: %s', (condition, mayMatch) => {
    expect(statisticsMayMatch(FILE, bound(condition), NOTHING)).toBe(mayMatch);
  });

  it('bounds written for a date column are ignored once it is a timestamp', () => {
    expect(statisticsMayMatch(FILE, bound(['n', '=', 100]), new Set([1]))).toBe(true);
  });
});
