/** The formats in which the data viewer exports tables, each with its exporter. */

import type { Table } from '../columns/readTable.ts';
import type { Lender } from '../summary/loan.ts';
import { csvExport } from './csvExport.ts';
import type { ExportPieces } from './exportPieces.ts';
import { parquetExport } from './parquetExport.ts';

export type ExportFormat = 'csv' | 'parquet';

type Exporter = (table: Table, order: Uint32Array | null, second: Lender) => ExportPieces;

/** One entry per format. `order`: the rows of the view in its order; null: all in stored order. */
export const EXPORTERS: Readonly<Record<ExportFormat, Exporter>> = {
  csv: csvExport,
  parquet: parquetExport,
};
