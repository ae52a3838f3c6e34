import { type Data, type RecordBatch, TimeUnit, Type } from 'apache-arrow';
import { IcebergError } from '../icebergError.ts';

/**
 * Refuses rows for an Iceberg table with times that are more precise than its microseconds (format v2), rather than
 * rounding them.
 * @throws IcebergError that names the column
 */
export function checkMicroseconds(batch: RecordBatch): void {
  batch.schema.fields.forEach(({ name }, at) => {
    const data = batch.data.children[at];
    if (data === undefined || !hasNanoseconds(data)) return;
    throw new IcebergError(
      'invalid_request',
      `The column "${name}" has times with nanoseconds, and Iceberg tables have microseconds. Round it first.`,
    );
  });
}

function hasNanoseconds(data: Data): boolean {
  const { unit, indices } = data.type as unknown as { readonly unit?: TimeUnit; readonly indices?: unknown };
  const isTime = data.typeId === Type.Timestamp || data.typeId === Type.Time;
  if (isTime && unit === TimeUnit.NANOSECOND) {
    const values = data.values as BigInt64Array; // 64 bits, like every time with this unit
    for (let row = 0; row < data.length; row += 1) {
      if ((values[row] ?? 0n) % 1000n !== 0n && data.getValid(row)) return true;
    }
    return false;
  }
  if (indices !== undefined) return data.dictionary?.data.some(hasNanoseconds) ?? false;
  return data.children.some(hasNanoseconds);
}
