/** One page of a table's rows, and whether the preview in the notebook already contains it. */

import type { Output } from '../../../src-shared/wire/output.ts';
import type { AnswerOf } from '../../live/rest.ts';
import type { TableQuery } from './tableQuery.ts';
import { isPlain } from './tableQuery.ts';

export type Row = readonly unknown[];

export interface TablePage {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly offset: number;
  /** The number of rows that match the search and filters; without these, of all rows. */
  readonly total: number;
}

/** Which rows of an answer are requested. */
export interface RowWindow {
  readonly offset: number;
  readonly limit: number;
}

export const firstRows: RowWindow = { offset: 0, limit: 10 };

/** The preview's rows if they answer the query; null if the server is needed. */
export function pageOfPreview(output: Output, query: TableQuery, place: RowWindow): TablePage | null {
  const rows = previewRows(output.preview);
  if (rows === null || !isPlain(query)) return null;
  const total = output.rows ?? rows.length;
  const end = Math.min(place.offset + place.limit, total);
  if (end > rows.length) return null;
  return { columns: columnsOf(output), rows: rows.slice(place.offset, end), offset: place.offset, total };
}

/** The names of a table's columns; their numbers if they have no names. */
export function columnsOf(output: Output): readonly string[] {
  const first = previewRows(output.preview)?.[0];
  return output.columns ?? first?.map((_value, index) => String(index)) ?? [];
}

export function previewRows(preview: unknown): readonly Row[] | null {
  return Array.isArray(preview) && preview.every((row) => Array.isArray(row)) ? preview : null;
}

export function pageOfAnswer(answer: AnswerOf<'cellData'>): TablePage | null {
  if (!answer.pageable) return null;
  return { columns: answer.columns, rows: answer.rows, offset: answer.offset, total: answer.total };
}
