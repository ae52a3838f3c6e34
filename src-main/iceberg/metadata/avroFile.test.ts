import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IcebergError } from '../icebergError.ts';
import { readAvroFile } from './avroFile.ts';

function long(value: bigint): number[] {
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  const bytes: number[] = [];
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}
const text = (value: string) => [...long(BigInt(Buffer.byteLength(value))), ...Buffer.from(value)];
const SYNC = Array.from({ length: 16 }, (_, i) => i);

function file(schema: unknown, records: readonly (readonly number[])[], codec = 'null'): Buffer {
  const header = [
    ...long(2n),
    ...text('avro.schema'),
    ...text(JSON.stringify(schema)),
    ...text('avro.codec'),
    ...text(codec),
    0,
  ];
  const data = records.flat();
  const block =
    records.length === 0
      ? []
      : [...long(BigInt(records.length)), ...long(BigInt(data.length)), ...data, ...SYNC];
  return Buffer.from([...Buffer.from('Obj\u0001'), ...header, ...SYNC, ...block]);
}

const SCHEMA = {
  type: 'record',
  name: 'r',
  fields: [
    { name: 'id', type: 'long', 'field-id': 7 },
    { name: 'text', type: ['null', 'string'] },
    { name: 'many', type: { type: 'array', items: 'int' }, 'field-id': 9 },
  ],
};
const RECORD = [...long(2n ** 62n), ...long(1n), ...text('ä'), ...long(2n), ...long(-1n), ...long(5n), 0];

describe('[IC-10] Avro files', () => {
  it('are read by field id, with exact integers', () => {
    const [record] = readAvroFile(file(SCHEMA, [RECORD]), 'm').records;
    expect({ ...record }).toEqual({ 7: 2n ** 62n, text: 'ä', 9: [-1n, 5n] });
  });

  it('are refused wherever they are truncated', () => {
    const whole = file(SCHEMA, [RECORD, RECORD]);
    const start = file(SCHEMA, []).length;
    for (let at = 0; at < whole.length; at += 1) {
      if (at === start) continue; // a file without records, detected by the length in the manifest list
      expect(() => readAvroFile(whole.subarray(0, at), 'm'), String(at)).toThrow(
        'm cannot be read: the file is damaged',
      );
    }
  });

  it('are not trusted: any damaged byte leads to other values or an error, quickly', () => {
    const whole = file(SCHEMA, [RECORD, RECORD]);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        try {
          expect(readAvroFile(damaged, 'm').records.length).toBeLessThanOrEqual(whole.length);
        } catch (error) {
          expect(error).toBeInstanceOf(IcebergError);
        }
      }),
    );
  });

  it('with a count of fifty million items and none of them are refused', () => {
    const record = [...long(1n), ...long(0n), ...long(50_000_000n)];
    expect(() => readAvroFile(file(SCHEMA, [record]), 'm')).toThrow('it ends too early');
  });

  it.each([
    ['snappy', 'compressed with snappy, which is not supported'],
    ['constructor', 'compressed with constructor'],
  ])('compressed with %s are refused', (codec, sentence) => {
    expect(() => readAvroFile(file(SCHEMA, [RECORD], codec), 'm')).toThrow(sentence);
  });
});
