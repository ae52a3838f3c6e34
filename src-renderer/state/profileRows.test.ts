import { expect, test } from 'vitest';
import type { Profile } from './notebookModel.ts';
import { FIRST_SORT, type ProfileColumn, profileRows, sortAfter } from './profileRows.ts';

const cell = (cell_id: string, execution_count: number, more: object = {}) => ({
  cell_id,
  cell_name: cell_id,
  status: 'ready' as const,
  duration_ms: 0,
  cache_hit: false,
  artifact_uri: null,
  execution_count,
  ...more,
});
const PROFILE = {
  cell_profiles: [
    cell('zoo', 3, { total_ms: 90, last_ms: 40, saved_ms: 0, hits: 1, cpu_ms: 5, peak_bytes: 100 }),
    cell('ant', 2, { total_ms: 200, last_ms: 10, saved_ms: 30, hits: 0 }),
    cell('new', 0),
    cell('bee', 1, { total_ms: 90, last_ms: 90, saved_ms: 60, hits: 0, cpu_ms: 70, peak_bytes: 50 }),
  ],
} as Profile;

test.each<[ProfileColumn, boolean, string]>([
  ['total', true, 'ant zoo bee'],
  ['total', false, 'zoo bee ant'],
  ['name', false, 'ant bee zoo'],
  ['name', true, 'zoo bee ant'],
  ['last', true, 'bee zoo ant'],
  ['runs', true, 'zoo ant bee'],
  ['hits', true, 'zoo ant bee'],
  ['saved', true, 'bee ant zoo'],
  // Unknown values come last in both orders.
  ['cpu', true, 'bee zoo ant'],
  ['cpu', false, 'zoo bee ant'],
  ['peak', false, 'bee zoo ant'],
])('[EX-96] cells that ran, by %s, descending: %s', (column, descending, expected) => {
  const rows = profileRows(PROFILE, { column, descending }, (id) => id);
  expect(rows.map(({ cellId }) => cellId).join(' ')).toBe(expected);
});

test('[EX-96] pressing a header sorts by its column, and pressing it again reverses the order', () => {
  expect(sortAfter(FIRST_SORT, 'peak')).toEqual({ column: 'peak', descending: true });
  expect(sortAfter(FIRST_SORT, 'name')).toEqual({ column: 'name', descending: false });
  expect(sortAfter(FIRST_SORT, 'total')).toEqual({ column: 'total', descending: false });
});
