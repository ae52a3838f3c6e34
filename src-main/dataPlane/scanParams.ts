/** Parses the parameters of a scan (`scan@v1`) in requests to the data plane. */

import * as z from 'zod';
import type { ScanFilter } from '../iceberg/plan/filters.ts';
import type { ScanRequest } from '../iceberg/plan/planScan.ts';
import { PlaneRefusal } from './planeRefusal.ts';

const LARGEST_ID = 2n ** 63n - 1n;

const snapshotId = z.union([z.int(), z.bigint()]).transform(BigInt);
const filter = z.strictObject({
  column: z.string().min(1),
  op: z.enum(['=', '!=', '<', '<=', '>', '>=']),
  value: z.union([z.string(), z.number(), z.bigint(), z.boolean()]),
});
const scanParams = z.strictObject({
  columns: z.array(z.string().min(1)).min(1).nullish(),
  filters: z.array(filter).nullish(),
  snapshot_id: snapshotId.nullish(),
});

/**
 * The parameters of scan@v1.
 * @param params JSON in which whole numbers that a double cannot hold are bigints
 * @throws PlaneRefusal 400
 */
export function readScanParams(params: Readonly<Record<string, unknown>>): ScanRequest {
  const read = scanParams.safeParse(params);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = ['params', ...(issue?.path ?? [])].map(String).join('.');
    throw new PlaneRefusal(
      400,
      `The parameters of scan@v1 are not valid (${where}: ${issue?.message ?? 'unknown'}). They are columns, filters and snapshot_id.`,
    );
  }
  const { columns, filters, snapshot_id } = read.data;
  return {
    columns: columns === undefined || columns === null ? null : [...new Set(columns)],
    filters: (filters ?? []) satisfies readonly ScanFilter[],
    snapshotId: checkedId(snapshot_id ?? null),
  };
}

/** A snapshot id outside of scan@v1. @throws PlaneRefusal 400 */
export function readSnapshotId(value: unknown): bigint | null {
  const read = snapshotId.nullish().safeParse(value);
  if (read.success) return checkedId(read.data ?? null);
  throw new PlaneRefusal(400, 'snapshot_id must be a whole number from 0 to 2^63 - 1.');
}

function checkedId(id: bigint | null): bigint | null {
  if (id !== null && (id < 0n || id > LARGEST_ID)) {
    throw new PlaneRefusal(400, 'snapshot_id must be a whole number from 0 to 2^63 - 1.');
  }
  return id;
}

/** The parameters as JSON without loss in any reader: whole numbers beyond the range of a double become strings. */
export function plainParams(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(params, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return JSON.parse(text) as Record<string, unknown>; // written a line above
}
