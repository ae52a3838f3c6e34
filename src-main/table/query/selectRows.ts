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

/** By the name shown, else by the name stored. */
export function findColumn(table: Table, name: unknown): Column | null {
  if (typeof name !== 'string') return null;
  const shown = table.columns.find((column) => column.name === name);
  return shown ?? table.columns.find((column) => column.fieldName === name) ?? null;
}

/** The rows that all filters keep and the search finds; null = all of them. @throws PatternError */
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

/** By the first key; rows that are equal there by the next. Null: every row as stored. */
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

/** Null for what cannot be used: it is skipped (values 3). */
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
    const kept = new Uint8Array(mask.length);
    const part = new Uint8Array(mask.length);
    for (const predicate of parts) {
      part.set(mask);
      predicate(part);
      for (let row = 0; row < kept.length; row += 1)
        kept[row] = (kept[row] as number) | (part[row] as number);
    }
    mask.set(kept);
  };
}

function rowsOf(mask: Uint8Array): Uint32Array {
  let all = 0;
  for (let row = 0; row < mask.length; row += 1) all += mask[row] as number; // below its length
  // One more, for the row after the last is written too.
  const rows = new Uint32Array(all + 1);
  let count = 0;
  for (let row = 0; row < mask.length; row += 1) {
    // Written always, kept only when set: no branch to guess.
    rows[count] = row;
    count += mask[row] as number; // below its length
  }
  return rows.subarray(0, count);
}
