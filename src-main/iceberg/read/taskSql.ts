/** Writes the SQL query that reads one data file of a scan: matching rows, without deleted ones. */

import { IcebergError } from '../icebergError.ts';
import { type Field, findField, isPrimitive } from '../metadata/types.ts';
import type { ScanPlan, ScanTask } from '../plan/planScan.ts';
import { partitionValue } from '../values/boundValue.ts';
import { columnSql } from './columnSql.ts';
import { openParquet } from './dataFile.ts';
import type { DeleteTables } from './deleteTables.ts';
import { filterSql } from './filterSql.ts';
import { literalSql } from './literalSql.ts';
import type { ScanSession } from './scanSession.ts';

/** A range of row numbers of a file: `from` is included, `before` is not. */
export interface RowRange {
  readonly from: number;
  readonly before: number;
}

interface Reading {
  /** The file on this machine. */
  readonly path: string;
  readonly session: ScanSession;
  readonly deletes: DeleteTables;
  readonly signal: AbortSignal;
  /** Only the rows in these ranges, with their row numbers as the last column. */
  readonly numbered?: readonly RowRange[];
}

/**
 * The SQL that returns the rows of one data file: those that match and are not deleted, with the columns of
 * the scan.
 * @throws IcebergError
 */
export async function taskSql(plan: ScanPlan, task: ScanTask, reading: Reading): Promise<string> {
  const { session, signal, deletes } = reading;
  const open = await openParquet(reading.path, task.file, {
    session,
    mapping: plan.table.nameMapping,
    signal,
  });
  const source = { location: task.file.path, constants: constantsOf(plan, task) };
  const sql = (field: Field): string => {
    const column = open.columns.find(({ node }) => node.fieldId === field.id);
    return columnSql(field, column?.node ?? null, column?.reference ?? '', source);
  };
  const { positions, equalities, vector } = task.deletes;
  const selected = plan.columns.map((field, i) => `${sql(field)} AS c${i}`);
  const joins: string[] = [];
  const deletedAt =
    vector !== null
      ? await deletes.vector(vector)
      : positions.length > 0
        ? await deletes.positions(positions, task.file.path)
        : null;
  const { numbered } = reading;
  if (deletedAt !== null || numbered !== undefined) {
    if (open.columns.some(({ node }) => node.name.toLowerCase() === 'file_row_number')) {
      throw new IcebergError(
        'unreadable',
        `${task.file.path} cannot be read: it has a column called file_row_number and deleted rows, which together are not supported. Compact the table.`,
      );
    }
    selected.push('file_row_number AS row_at');
  }
  if (deletedAt !== null) {
    joins.push(`ANTI JOIN (${deletedAt}) AS positions ON rows.row_at = positions.deleted_at`);
  }
  for (const [i, { name, fields, numbers }] of (await deletes.keys(equalities)).entries()) {
    selected.push(...fields.map((field, k) => `${sql(field)} AS d${i}_${k}`));
    const same = fields.map((_, k) => `rows.d${i}_${k} IS NOT DISTINCT FROM keys${i}.k${k}`);
    joins.push(
      `ANTI JOIN (SELECT * FROM ${name} WHERE delete_file IN (${numbers.join(', ')})) AS keys${i} ON ${same.join(' AND ')}`,
    );
  }
  const conditions = plan.predicates.map((predicate) => filterSql(predicate, sql(predicate.field)));
  if (numbered !== undefined) {
    const ranges = numbered.map(
      ({ from, before }) => `file_row_number >= ${from} AND file_row_number < ${before}`,
    );
    conditions.push(ranges.join(' OR '));
  }
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map((one) => `(${one})`).join(' AND ')}`;
  const rows = `SELECT ${selected.join(', ')} FROM ${deletedAt === null && numbered === undefined ? open.from : open.fromNumbered}${where}`;
  if (joins.length === 0) return rows;
  const selectList = [
    ...plan.columns.map((_, i) => `rows.c${i}`),
    ...(numbered === undefined ? [] : ['rows.row_at']),
  ];
  return `SELECT ${selectList.join(', ')} FROM (${rows}) AS rows ${joins.join(' ')}`;
}

/**
 * The values of partition columns that the file may lack: imported files need not contain the columns by which they are
 * partitioned.
 */
function constantsOf(plan: ScanPlan, { file }: ScanTask): ReadonlyMap<number, string> {
  const constants = new Map<number, string>();
  for (const { fieldId, sourceId, transform } of plan.table.specs.get(file.specId)?.fields ?? []) {
    const type = findField(plan.schema.fields, sourceId)?.type;
    if (transform !== 'identity' || type === undefined || !isPrimitive(type)) continue;
    const value = partitionValue(file.partition[String(fieldId)], type);
    if (value !== null && value !== undefined) constants.set(sourceId, literalSql(value, type));
  }
  return constants;
}
