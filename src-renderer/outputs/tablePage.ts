import type { Output } from '../../src-shared/wire/output.ts';
import type { AnswerOf } from '../live/rest.ts';

export interface TablePage {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly offset: number;
  /** Rows after the search; all of them without one. */
  readonly total: number;
}

/** What of a table is asked for. */
export interface TableQuery {
  readonly offset: number;
  readonly limit: number;
  readonly sort: { readonly column: string; readonly dir: 'asc' | 'desc' } | null;
  readonly search: string;
}

export const firstQuery: TableQuery = { offset: 0, limit: 10, sort: null, search: '' };

/** The preview's rows, as far as they answer the query; null when the server has to be asked. */
export function pageOfPreview(output: Output, query: TableQuery): TablePage | null {
  const rows = previewRows(output.preview);
  if (rows === null || query.sort !== null || query.search !== '') return null;
  const total = output.rows ?? rows.length;
  const end = Math.min(query.offset + query.limit, total);
  if (end > rows.length) return null;
  return {
    columns: output.columns ?? rows[0]?.map((_value, index) => String(index)) ?? [],
    rows: rows.slice(query.offset, end),
    offset: query.offset,
    total,
  };
}

export function previewRows(preview: unknown): readonly (readonly unknown[])[] | null {
  return Array.isArray(preview) && preview.every((row) => Array.isArray(row)) ? preview : null;
}

export function pageOfAnswer(answer: AnswerOf<'cellData'>): TablePage | null {
  if (!answer.pageable) return null;
  return { columns: answer.columns, rows: answer.rows, offset: answer.offset, total: answer.total };
}

/** none → ascending → descending → none; always back to the first page. */
export function nextSort(query: TableQuery, column: string): TableQuery {
  const dir = query.sort?.column === column ? query.sort.dir : null;
  const sort =
    dir === null ? { column, dir: 'asc' as const } : dir === 'asc' ? { column, dir: 'desc' as const } : null;
  return { ...query, offset: 0, sort };
}
