import { describe, expect, it } from 'vitest';
import type { Primitive } from '../metadata/types.ts';
import type { Plain } from './plain.ts';
import { dateTimeValue, timeOfDay } from './timeValue.ts';
import { hashOf, transformOf } from './transforms.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const text = (value: string) => Buffer.from(value, 'utf8');
const micros = (value: string) => (dateTimeValue(value)?.nanos ?? 0n) / 1000n;
const days = (value: string) => micros(value) / 86_400_000_000n;
const type = (kind: string) => ({ kind }) as Primitive;
const DECIMAL: Primitive = { kind: 'decimal', precision: 9, scale: 2 };

describe('[IC-7] hashes of buckets, as appendix B of the specification of Iceberg has them', () => {
  it.each<[Primitive, Plain, number]>([
    [type('int'), 34n, 2017239379],
    [type('long'), 34n, 2017239379],
    [DECIMAL, 1420n, -500754589],
    [type('date'), days('2017-11-16'), -653330422],
    [type('time'), (timeOfDay('22:31:08') ?? 0n) / 1000n, -662762989],
    [type('timestamp'), micros('2017-11-16T22:31:08'), -2047944441],
    [type('timestamp'), micros('2017-11-16T22:31:08.000001'), -1207196810],
    [type('timestamptz'), micros('2017-11-16T14:31:08-08:00'), -2047944441],
    [type('timestamp_ns'), micros('2017-11-16T22:31:08.000001') * 1000n + 1n, -1207196810],
    [type('string'), text('iceberg'), 1210000089],
    [type('uuid'), bytes('f79c3e09677c4bbda4793f349cb785e7'), 1488055340],
    [{ kind: 'fixed', length: 4 }, bytes('00010203'), -188683207],
    [type('binary'), bytes('00010203'), -188683207],
  ])('%j', (source, value, hash) => expect(hashOf(source)?.(value)).toBe(hash));
});

describe('[IC-7] results of transforms', () => {
  it.each<[string, Primitive, Plain, Plain]>([
    ['identity', type('int'), 5n, 5n],
    ['bucket[16]', type('int'), 34n, 3n],
    ['truncate[10]', type('int'), 1n, 0n],
    ['truncate[10]', type('int'), -1n, -10n],
    ['truncate[10]', type('long'), -10n, -10n],
    ['truncate[50]', DECIMAL, 1065n, 1050n],
    ['truncate[3]', type('string'), text('iceberg'), text('ice')],
    ['truncate[2]', type('string'), text('𝄞ä€'), text('𝄞ä')],
    ['truncate[2]', type('string'), text('a'), text('a')],
    ['truncate[3]', type('binary'), bytes('0001020304'), bytes('000102')],
    ['year', type('date'), days('1969-12-31'), -1n],
    ['year', type('timestamp'), micros('2020-02-29T23:59:59.999999'), 50n],
    ['month', type('date'), days('1970-01-31'), 0n],
    ['month', type('date'), days('1969-12-01'), -1n],
    ['month', type('timestamptz'), micros('2000-03-01T00:00:00+14:00'), 361n],
    ['day', type('date'), -1n, -1n],
    ['day', type('timestamp'), -1n, -1n],
    ['day', type('timestamp_ns'), -1n, -1n],
    ['hour', type('timestamp'), micros('1970-01-01T01:59:59'), 1n],
    ['hour', type('timestamp'), -1n, -1n],
  ])('%s of %j', (name, source, value, result) => {
    expect(transformOf(name, source).apply(value)).toEqual(result);
  });

  it.each(['void', 'bucket[0]', 'truncate[x]', 'zorder', 'hour'])('%s of a date prunes nothing', (name) => {
    expect(transformOf(name, type('date')).keeps).toBe('none');
  });
});
