import type { CellValue } from '../columns/cellValue.ts';
import type { ColumnFacts, FactsQuery } from '../facts/columnFacts.ts';
import type { GroupQuery } from '../facts/groupRows.ts';
import type { Filter } from '../query/filterRows.ts';
import type { ColumnSpread } from '../summary/spread.ts';
import type { ColumnSummary } from '../summary/summary.ts';

/** The shapes that cross between the server's thread and the table thread. */

/** A verified blob: the digest is the cache's key, so a path whose bytes changed must come with another one. */
export interface TableFile {
  readonly path: string;
  readonly sha256: string;
}

/** Which rows of a table, in which order: filters, then search, then sort (rest-notebooks 5.3). */
export interface ViewQuery extends TableFile {
  readonly sortBy?: string | null;
  readonly sortDir?: 'asc' | 'desc';
  /** Several keys, the most important first; given, they replace `sortBy` and `sortDir`. */
  readonly sorts?: readonly { readonly col?: unknown; readonly dir?: unknown }[] | null;
  readonly search?: string | null;
  /** Unknown columns, ops and values are skipped (rest-notebooks 5.3). */
  readonly filters?: readonly Filter[] | null;
}

export interface PageQuery extends ViewQuery {
  readonly offset: number;
  readonly limit: number;
}

export type ExportFormat = 'csv' | 'parquet';

export interface ExportQuery extends ViewQuery {
  readonly format: ExportFormat;
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
      /** The keys that were applied, where the query had `sorts`. */
      readonly sort?: readonly { readonly col: string; readonly dir: 'asc' | 'desc' }[];
    }
  | { readonly pageable: false; readonly reason: string };

export type Summary =
  | { readonly pageable: true; readonly columns: readonly ColumnSummary[]; readonly total: number }
  | { readonly pageable: false; readonly reason: string };

/** `total`: rows after filters and search. */
export type Spreads =
  | { readonly pageable: true; readonly columns: readonly ColumnSpread[]; readonly total: number }
  | { readonly pageable: false; readonly reason: string };

export interface ColumnQuery extends ViewQuery, FactsQuery {
  readonly column: string;
}

/** `column` is null for a column that is not there; `total`: rows after filters and search. */
export type ColumnAnswer =
  | { readonly pageable: true; readonly column: ColumnFacts | null; readonly total: number }
  | { readonly pageable: false; readonly reason: string };

export interface GroupsQuery extends ViewQuery, GroupQuery {
  readonly offset: number;
  readonly limit: number;
}

export type GroupsAnswer =
  | {
      readonly pageable: true;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly CellValue[])[];
      /** The number of groups. */
      readonly total: number;
    }
  | { readonly pageable: false; readonly reason: string }
  /** It is a table that cannot be grouped like this. */
  | { readonly pageable: 'refused'; readonly reason: string };

/** `id` numbers questions; an export is named by the id of the question that began it. */
export type TableRequest =
  | { readonly id: number; readonly kind: 'page'; readonly query: PageQuery }
  | { readonly id: number; readonly kind: 'summary'; readonly query: TableFile }
  | { readonly id: number; readonly kind: 'spreads'; readonly query: ViewQuery }
  | { readonly id: number; readonly kind: 'column'; readonly query: ColumnQuery }
  | { readonly id: number; readonly kind: 'groups'; readonly query: GroupsQuery }
  | { readonly id: number; readonly kind: 'export'; readonly query: ExportQuery }
  /** `spare`: memory of pieces that were sent. */
  | {
      readonly id: number;
      readonly kind: 'piece';
      readonly of: number;
      readonly spare: readonly SharedArrayBuffer[];
    }
  | { readonly id: number; readonly kind: 'end'; readonly of: number };

export type TableAnswer =
  | { readonly id: number; readonly kind: 'page'; readonly page: Page }
  | { readonly id: number; readonly kind: 'summary'; readonly summary: Summary }
  | { readonly id: number; readonly kind: 'spreads'; readonly spreads: Spreads }
  | { readonly id: number; readonly kind: 'column'; readonly column: ColumnAnswer }
  | { readonly id: number; readonly kind: 'groups'; readonly groups: GroupsAnswer }
  /** Null: what is asked for is a table; else why it is none. */
  | { readonly id: number; readonly kind: 'export'; readonly reason: string | null }
  /** Null after the last one. */
  | { readonly id: number; readonly kind: 'piece'; readonly bytes: Uint8Array | null }
  | { readonly id: number; readonly kind: 'end' }
  /** `refused`: what was asked for cannot be done; the message is for people. */
  | { readonly id: number; readonly kind: 'failed'; readonly message: string; readonly refused: boolean };
