/** The messages between the server and the table thread, which answers the data viewer's queries. */

import type { CellValue } from '../columns/cellValue.ts';
import type { ExportFormat } from '../export/tableExport.ts';
import type { ColumnFacts, FactsQuery } from '../facts/columnFacts.ts';
import type { GroupQuery } from '../facts/groupRows.ts';
import type { Filter } from '../query/filterRows.ts';
import type { ColumnDistribution } from '../summary/distribution.ts';
import type { ColumnSummary } from '../summary/summary.ts';

/** A verified blob. The digest is the cache's key, so a path whose bytes changed must come with another one. */
export interface TableFile {
  readonly path: string;
  readonly sha256: string;
}

/** The rows of a table and their order: filters, then search, then sort (docs/spec/rest-notebooks.md, 5.3). */
export interface ViewQuery extends TableFile {
  readonly sortBy?: string | null;
  readonly sortDir?: 'asc' | 'desc';
  /** Several keys, the most important first; they replace `sortBy` and `sortDir`. */
  readonly sorts?: readonly { readonly col?: unknown; readonly dir?: unknown }[] | null;
  readonly search?: string | null;
  /** Unknown columns, operators and values are skipped (docs/spec/rest-notebooks.md, 5.3). */
  readonly filters?: readonly Filter[] | null;
}

export interface PageQuery extends ViewQuery {
  readonly offset: number;
  readonly limit: number;
}

export interface ExportQuery extends ViewQuery {
  readonly format: ExportFormat;
}

/** `sort_by` is null if no sort was applied, for example because the column is unknown. */
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
      /** The keys that were applied, if the query had `sorts`. */
      readonly sort?: readonly { readonly col: string; readonly dir: 'asc' | 'desc' }[];
    }
  | { readonly pageable: false; readonly reason: string };

export type Summary =
  | { readonly pageable: true; readonly columns: readonly ColumnSummary[]; readonly total: number }
  | { readonly pageable: false; readonly reason: string };

/** `total`: rows after filters and search. */
export type Distributions =
  | { readonly pageable: true; readonly columns: readonly ColumnDistribution[]; readonly total: number }
  | { readonly pageable: false; readonly reason: string };

export interface ColumnQuery extends ViewQuery, FactsQuery {
  readonly column: string;
}

/** `column` is null for an unknown column; `total`: rows after filters and search. */
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
  /** The table cannot be grouped like this. */
  | { readonly pageable: 'refused'; readonly reason: string };

/** `id` numbers requests; an export is identified by the id of the request that started it. */
export type TableRequest =
  | { readonly id: number; readonly kind: 'page'; readonly query: PageQuery }
  | { readonly id: number; readonly kind: 'summary'; readonly query: TableFile }
  | { readonly id: number; readonly kind: 'distributions'; readonly query: ViewQuery }
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
  | { readonly id: number; readonly kind: 'distributions'; readonly distributions: Distributions }
  | { readonly id: number; readonly kind: 'column'; readonly column: ColumnAnswer }
  | { readonly id: number; readonly kind: 'groups'; readonly groups: GroupsAnswer }
  /** Null: the file is a table; else the reason why it is not. */
  | { readonly id: number; readonly kind: 'export'; readonly reason: string | null }
  /** Null after the last one. */
  | { readonly id: number; readonly kind: 'piece'; readonly bytes: Uint8Array | null }
  | { readonly id: number; readonly kind: 'end' }
  /** `refused`: the request cannot be done as it is; the message is for users. */
  | { readonly id: number; readonly kind: 'failed'; readonly message: string; readonly refused: boolean };
