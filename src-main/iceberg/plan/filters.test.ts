import { describe, expect, it } from 'vitest';
import { parseSchema } from '../metadata/types.ts';
import { bindFilters, type Operator } from './filters.ts';

const SCHEMA = parseSchema({
  'schema-id': 0,
  fields: ['int', 'long', 'float', 'double', 'decimal(5,2)', 'string', 'boolean', 'date', 'time', 'timestamp']
    .concat('timestamptz', 'uuid', 'binary', 'variant')
    .map((type, i) => ({ id: i + 1, name: type, required: false, type })),
});
const bound = (column: string, op: string, value: string | number | bigint | boolean) => {
  const [predicate] = bindFilters([{ column, op: op as Operator, value }], SCHEMA);
  return [predicate?.op, predicate?.value];
};
const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('[IC-6] a filter is compared exactly in the type of its column', () => {
  it.each<[string, string, string | number | bigint | boolean, string, unknown]>([
    ['int', '<', 2.5, '<=', 2n],
    ['int', '>', 2.5, '>', 2n],
    ['int', '>=', -2.5, '>', -3n],
    ['int', '=', 2.5, 'never', null],
    ['int', '!=', 2.5, 'present', null],
    ['int', '<', 2 ** 31, 'present', null],
    ['int', '=', 2 ** 31, 'never', null],
    ['int', '>', -(2 ** 40), 'present', null],
    ['long', '=', 9007199254740993n, '=', 9007199254740993n],
    ['long', '>', 1e300, 'never', null],
    ['decimal(5,2)', '=', 1.1, '=', 110n],
    ['decimal(5,2)', '<', '__decimal__:1.105', '<=', 110n],
    ['decimal(5,2)', '!=', 1000, 'present', null],
    ['float', '=', 0.1, '=', Math.fround(0.1)],
    ['double', '=', 0.1, '=', 0.1],
    ['string', '=', 'a', '=', bytes('a')],
    ['boolean', '=', true, '=', 1n],
    ['date', '<', '__datetime__:1970-01-02T12:00:00', '<=', 1n],
    ['date', '=', '1969-12-31', '=', -1n],
    ['time', '=', '__time__:00:00:01', '=', 1_000_000n],
    ['timestamp', '=', '__datetime__:1970-01-01T00:00:00.000001', '=', 1n],
    ['timestamp', '<=', '1970-01-01T00:00:00.0000015', '<=', 1n],
    ['timestamptz', '=', '__datetime__:1970-01-01T02:00:00+02:00', '=', 0n],
    ['timestamptz', '=', '__datetime__:1970-01-01', '=', 0n],
    [
      'uuid',
      '=',
      '__uuid__:00000000-0000-0000-0000-0000000000ff',
      '=',
      Buffer.from(`${'0'.repeat(30)}ff`, 'hex'),
    ],
    ['binary', '=', '__bytes__:00ff', '=', Buffer.from('00ff', 'hex')],
  ])('%s %s %s', (column, op, value, boundOp, boundValue) => {
    expect(bound(column, op, value)).toEqual([boundOp, boundValue]);
  });

  it.each<[string, string, string | number | boolean, string]>([
    ['nothing', '=', 1, 'The table has no column "nothing". Its columns are int, long,'],
    ['int', '~', 1, 'has the operator "~". Use =, !=, <, <=, > or >='],
    ['int', '=', '1', 'has a value that is not valid for its type, int'],
    ['int', '=', true, 'not valid for its type'],
    ['string', '=', 1, 'not valid for its type'],
    ['date', '=', '2026-02-30', 'not valid for its type'],
    ['timestamp', '=', '2026-02-03T00:00:00Z', 'not valid for its type'],
    ['double', '=', Number.NaN, 'not valid for its type'],
    ['variant', '=', 1, 'has the type variant, which filters cannot compare'],
  ])('%s %s %s is refused', (column, op, value, sentence) => {
    expect(() => bound(column, op, value)).toThrow(sentence);
  });
});
