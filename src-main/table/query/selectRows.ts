/** Filters, searches and sorts the rows of a table for the data viewer. */

import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/readTable.ts';
import { compileFilter, type Filter, type Predicate } from './filterRows.ts';
import { sortRows } from './sortRows.ts';
import { searchColumn } from './textSearch.ts';

/** One key of an order. */
export interface SortKey {
  readonly column: Column;
  readonly direction: 'asc' | 'desc';
}

/** The column of this displayed name, else of this stored name. */
export function findColumn(table: Table, name: unknown): Column | null {
  if (typeof name !== 'string') return null;
  const byName = table.columns.find((column) => column.name === name);
  return byName ?? table.columns.find((column) => column.fieldName === name) ?? null;
}

/** The rows that match all filters and the search; null = all of them. @throws PatternError */
export function selectRows(table: Table, filters: readonly Filter[], search: string): Uint32Array | null {
  const predicates = compileAll(table, filters);
  if (predicates.length === 0 && search === '') return null;
  const mask = new Uint8Array(table.rows).fill(1);
  for (const predicate of predicates) predicate(mask);
  if (search !== '') {
    const hits = new Uint8Array(table.rows);
    for (const column of table.columns) searchColumn(column, search, hits);
    for (let row = 0; row < mask.length; row += 1) mask[row] = (mask[row] ?? 0) & (hits[row] ?? 0);
  }
  return rowsOf(mask);
}

/** Sorts by the first key, ties by the next. Null: every row in stored order. */
export function orderRows(keys: readonly SortKey[], selection: Uint32Array | null): Uint32Array | null {
  // Each sort is stable, so the most important key comes last.
  return keys.reduceRight<Uint32Array | null>(
    (rows, { column, direction }) => sortRows(column, rows, direction),
    selection,
  );
}

function compileAll(table: Table, filters: readonly unknown[]): Predicate[] {
  return filters.flatMap((filter) => compileOne(table, filter) ?? []);
}

/** One compiled filter; null for an unusable one: it is skipped (docs/spec/values.md, 3). */
function compileOne(table: Table, filter: unknown): Predicate | null {
  if (typeof filter !== 'object' || filter === null) return null;
  const { any, all, col }: Filter = filter;
  if (Array.isArray(all)) {
    const parts = compileAll(table, all);
    return parts.length === 0
      ? null
      : (mask) => {
          for (const part of parts) part(mask);
        };
  }
  if (Array.isArray(any)) {
    const parts = compileAll(table, any);
    return parts.length === 0 ? null : anyOf(parts);
  }
  const column = findColumn(table, col);
  return column === null ? null : compileFilter(column, filter);
}

function anyOf(parts: readonly Predicate[]): Predicate {
  return (mask) => {
    const copy = new Uint8Array(mask.length);
    const part = new Uint8Array(mask.length);
    for (const predicate of parts) {
      part.set(mask);
      predicate(part);
      for (let row = 0; row < copy.length; row += 1)
        copy[row] = (copy[row] as number) | (part[row] as number);
    }
    mask.set(copy);
  };
}

function rowsOf(mask: Uint8Array): Uint32Array {
  const all = countSet(mask);
  // One more, because the row after the last one is written too.
  const rows = new Uint32Array(all + 1);
  let count = 0;
  for (let row = 0; row < mask.length; row += 1) {
    // Always written, but only counted if set: avoids a branch.
    rows[count] = row;
    count += mask[row] as number; // below its length
  }
  return rows.subarray(0, count);
}

/** How many bytes of a mask are 1. Four are added at once: a sum of up to 255 of them fits in a byte. */
function countSet(mask: Uint8Array): number {
  const words = new Uint32Array(mask.buffer, mask.byteOffset, mask.length >> 2);
  let all = 0;
  for (let from = 0; from < words.length; from += 255) {
    const end = Math.min(from + 255, words.length);
    let sums = 0;
    for (let at = from; at < end; at += 1) sums = (sums + (words[at] as number)) | 0; // below its length
    all += (sums & 255) + ((sums >>> 8) & 255) + ((sums >>> 16) & 255) + (sums >>> 24);
  }
  for (let row = words.length * 4; row < mask.length; row += 1) all += mask[row] as number; // below its length
  return all;
}
