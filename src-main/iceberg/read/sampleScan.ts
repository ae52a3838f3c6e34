import { dtypeOf } from '../../sql/arrow/arrowTypeOf.ts';
import { batchOf } from '../../sql/duckdb/batch.ts';
import { type Sample, sampleValue } from '../../sql/readSample.ts';
import type { ScanPlan } from '../plan/planScan.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { outputType } from './outputType.ts';
import { fromChunks } from './readScan.ts';

/**
 * The first rows of an Iceberg table for the Data panel, in the form of a preview; stops reading files once it has
 * enough rows.
 * @throws IcebergError
 */
export async function sampleScan(
  plan: ScanPlan,
  reading: { readonly files: TableFiles; readonly signal: AbortSignal },
  most: number,
): Promise<Sample> {
  const read = plan.columns.map(({ name, type }) => ({ name, type: outputType(type, 'duckdb') }));
  const types = plan.columns.map(({ type }) => outputType(type, 'table'));
  const rows: (readonly unknown[])[] = [];
  const previewRows = fromChunks(plan, reading, function* (chunk) {
    const batch = batchOf(chunk, read);
    for (let row = 0; row < batch.rows; row += 1) {
      yield types.map((type, at) => sampleValue(batch.value(at, row), type));
    }
  });
  for await (const row of previewRows) {
    rows.push(row);
    if (rows.length >= most) break;
  }
  return {
    columns: plan.columns.map(({ name }, at) => ({ name, type: dtypeOf(types[at] ?? { kind: 'null' }) })),
    rows,
  };
}
