/** Reads an Iceberg table for tests, as the server does. */

import type { Table } from 'apache-arrow';
import { openTable, type Warehouses } from '../openTable.ts';
import { planScan, type ScanPlan, type ScanRequest } from '../plan/planScan.ts';
import { ipcStream } from '../read/ipcStream.ts';
import { readScan } from '../read/readScan.ts';
import { collected } from './arrowRows.ts';

export const NO_WAREHOUSES: Warehouses = {
  defaultCatalog: 'default',
  catalogs: {},
  storage: { s3: {}, gs: {}, az: {} },
};
export const LIMITS = { equalityDeleteRows: 1000, positionDeleteRows: 1000 };
const WHOLE: ScanRequest = { columns: null, filters: [], snapshotId: null };

export async function scanned(
  uri: string,
  request: Partial<ScanRequest> = {},
  {
    warehouses = NO_WAREHOUSES,
    signal = new AbortController().signal,
  }: { readonly warehouses?: Warehouses; readonly signal?: AbortSignal } = {},
): Promise<{ readonly rows: Table; readonly plan: ScanPlan }> {
  const table = await openTable(uri, warehouses, signal);
  try {
    const { metadata, files } = table;
    const plan = await planScan(metadata, { ...WHOLE, ...request }, { files, signal, limits: LIMITS });
    return { rows: await collected(ipcStream(readScan(plan, { files, signal, batchRows: 65_536 }))), plan };
  } finally {
    await table.close();
  }
}
