import { csvExport } from './csvExport.ts';
import { parquetExport } from './parquetExport.ts';
import type { Table } from './readTable.ts';
import type { ExportFormat } from './tableQuery.ts';

/** A file being made: its bytes a piece at a time, then null. */
export interface ExportPieces {
  next(): Uint8Array<ArrayBuffer> | null;
}

type Exporter = (table: Table, order: Uint32Array | null) => ExportPieces;

/** One row per format. `order`: the rows of the view in its order; null: all as stored. */
export const EXPORTERS: Readonly<Record<ExportFormat, Exporter>> = {
  csv: csvExport,
  parquet: parquetExport,
};
