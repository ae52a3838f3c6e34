/**
 * The row groups of a Parquet file and their statistics from the footer, so that a scan can skip groups
 * without a matching row. DuckDB returns statistics as text; only texts that certainly represent the value
 * are used.
 */

import { quotedText } from '../../sql/duckdb/quoted.ts';
import type { NameMapping } from '../metadata/nameMapping.ts';
import type { Primitive } from '../metadata/types.ts';
import type { Predicate } from '../plan/filters.ts';
import { mayMeet } from '../plan/rangeTest.ts';
import type { Plain } from '../values/plain.ts';
import { dateTimeValue } from '../values/timeValue.ts';
import { fileColumns, withoutWildcards } from './dataFile.ts';
import type { ParquetNode } from './parquetTree.ts';
import { readFailure } from './readFailure.ts';
import type { ScanSession } from './scanSession.ts';

export interface RowGroup {
  readonly rows: number;
  /** Statistics by the field id of the column. */
  readonly columns: Readonly<Record<string, ColumnStatistics>>;
}

/** Statistics of one column in a row group. Null: unknown. */
interface ColumnStatistics {
  /** The column's type in DuckDB. */
  readonly type: string;
  readonly nulls: number | null;
  readonly min: string | null;
  readonly max: string | null;
}

/** The maximum number of statistics that are stored for a file; of one with more, all row groups are read. */
const MAX_STATISTICS = 5_000;
/** Longer bounds are ignored. */
const LONGEST_BOUND = 100;

/** The row groups of a file. @throws IcebergError if the file is damaged */
export async function readRowGroups(
  path: string,
  {
    session,
    location,
    mapping,
    signal,
  }: {
    readonly session: ScanSession;
    readonly location: string;
    readonly mapping: NameMapping | null;
    readonly signal: AbortSignal;
  },
): Promise<readonly RowGroup[]> {
  const file = `parquet_metadata(${quotedText(withoutWildcards(path))})`;
  try {
    const counts = await session.rows(
      `SELECT DISTINCT row_group_id, row_group_num_rows FROM ${file} ORDER BY row_group_id`,
      signal,
    );
    const leaves = topLevelLeaves(await fileColumns(path, { session, location, mapping, signal }));
    const ids = [...leaves.keys()].join(', ');
    const isKept = leaves.size > 0 && leaves.size * counts.length <= MAX_STATISTICS;
    const statistics = isKept
      ? await session.rows(
          `SELECT row_group_id, column_id, stats_null_count, stats_min_value, stats_max_value FROM ${file} WHERE column_id IN (${ids})`,
          signal,
        )
      : [];
    const columns = new Map<number, Record<string, ColumnStatistics>>();
    for (const row of statistics) {
      const leaf = leaves.get(Number(row['column_id']));
      if (leaf === undefined) continue;
      const group = Number(row['row_group_id']);
      const ofGroup = columns.get(group) ?? {};
      columns.set(group, ofGroup);
      ofGroup[leaf.fieldId] = {
        type: leaf.type,
        nulls: typeof row['stats_null_count'] === 'bigint' ? Number(row['stats_null_count']) : null,
        min: boundText(row['stats_min_value']),
        max: boundText(row['stats_max_value']),
      };
    }
    return counts.map((row) => ({
      rows: Number(row['row_group_num_rows']),
      columns: columns.get(Number(row['row_group_id'])) ?? {},
    }));
  } catch (error) {
    throw readFailure(error, location, signal);
  }
}

/** Whether a row of the group may meet all conditions. */
export function rowGroupMayMatch({ rows, columns }: RowGroup, predicates: readonly Predicate[]): boolean {
  return predicates.every((predicate) => {
    if (predicate.op === 'never') return false;
    const statistics = columns[predicate.field.id];
    if (statistics === undefined) return true;
    // NULL never matches.
    if (rows > 0 && statistics.nulls === rows) return false;
    if (predicate.value === null || predicate.op === '!=') return true;
    const { op, value, type } = predicate;
    const lower = boundOf(statistics.min, statistics.type, type);
    const upper = boundOf(statistics.max, statistics.type, type);
    return mayMeet({ lower, upper }, { op, value });
  });
}

/**
 * A bound of a column in the file, as a value of the table's type.
 * @returns null if the text may not represent the value, or the column was written with another type
 */
function boundOf(text: string | null, written: string, { kind, ...type }: Primitive): Plain | null {
  if (text === null) return null;
  switch (kind) {
    case 'int':
    case 'long':
      return /^(INTEGER|BIGINT)$/.test(written) && /^-?\d+$/.test(text) ? BigInt(text) : null;
    case 'float':
    case 'double':
      return floatBound(text, written);
    case 'decimal':
      return /^DECIMAL/.test(written) ? decimalBound(text, 'scale' in type ? type.scale : 0) : null;
    case 'date':
      return written === 'DATE' ? momentBound(text, 86_400_000_000_000n) : null;
    case 'timestamp':
      return written === 'TIMESTAMP' ? momentBound(text, 1000n) : null;
    case 'timestamptz':
      return written === 'TIMESTAMP WITH TIME ZONE' ? momentBound(text, 1000n) : null;
    case 'string':
      // Other characters may be DuckDB's escapes.
      return written === 'VARCHAR' && /^[ -[\]-~]*$/.test(text) ? Buffer.from(text, 'latin1') : null;
    default:
      return null;
  }
}

function floatBound(text: string, written: string): number | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return null;
  if (written === 'DOUBLE') return value;
  // The text is the shortest one that identifies the float.
  return written === 'FLOAT' ? Math.fround(value) : null;
}

function decimalBound(text: string, scale: number): bigint | null {
  const [match, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (match === undefined || fraction.length !== scale) return null;
  return BigInt(`${sign}${whole}${fraction}`);
}

/** @returns null for infinite timestamps and those that are not a whole number of units */
function momentBound(text: string, nanosPerUnit: bigint): bigint | null {
  const nanos = dateTimeValue(text)?.nanos ?? null;
  return nanos === null || nanos % nanosPerUnit !== 0n ? null : nanos / nanosPerUnit;
}

/** The columns with a single value, by their position among all leaves of the file. */
function topLevelLeaves(
  nodes: readonly ParquetNode[],
): ReadonlyMap<number, { readonly fieldId: number; readonly type: string }> {
  const leaves = new Map<number, { readonly fieldId: number; readonly type: string }>();
  let at = 0;
  const count = ({ kind, children }: ParquetNode): number =>
    kind === 'primitive' ? 1 : children.reduce((sum, child) => sum + count(child), 0);
  for (const node of nodes) {
    const { kind, fieldId, duckdbType } = node;
    if (kind === 'primitive' && fieldId !== null && duckdbType !== null)
      leaves.set(at, { fieldId, type: duckdbType });
    at += count(node);
  }
  return leaves;
}

function boundText(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST_BOUND ? value : null;
}
