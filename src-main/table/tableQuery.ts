import type { CellValue } from './cellValue.ts';
import type { Filter } from './filterRows.ts';
import type { ColumnSummary } from './summary.ts';

/** The shapes that cross between the server's thread and the table thread. */

/** A verified blob: the digest is the cache's key, so a path whose bytes changed must come with another one. */
export interface TableFile {
  readonly path: string;
  readonly sha256: string;
}

export interface PageQuery extends TableFile {
  readonly offset: number;
  readonly limit: number;
  readonly sortBy?: string | null;
  readonly sortDir?: 'asc' | 'desc';
  readonly search?: string | null;
  /** Unknown columns, ops and values are skipped (notebook-api 2.2). */
  readonly filters?: readonly Filter[] | null;
}

/** `sort_by` is null where no sort was applied, also because the column is not there. */
export type Page =
  | {
      readonly pageable: true;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly CellValue[])[];
      /** Rows after filters and search. */
      readonly total: number;
      readonly offset: number;
      readonly limit: number;
      readonly sort_by: string | null;
      readonly sort_dir: 'asc' | 'desc';
    }
  | { readonly pageable: false; readonly reason: string };

export type Summary =
  | { readonly pageable: true; readonly columns: readonly ColumnSummary[]; readonly total: number }
  | { readonly pageable: false; readonly reason: string };

export type TableRequest =
  | { readonly id: number; readonly kind: 'page'; readonly query: PageQuery }
  | { readonly id: number; readonly kind: 'summary'; readonly query: TableFile };

export type TableAnswer =
  | { readonly id: number; readonly kind: 'page'; readonly page: Page }
  | { readonly id: number; readonly kind: 'summary'; readonly summary: Summary }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };
