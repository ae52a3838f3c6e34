/** Opens a Parquet data file in DuckDB and matches its columns by field id. */

import { quotedName, quotedText } from '../../sql/duckdb/quoted.ts';
import { damaged } from '../icebergError.ts';
import type { ContentFile } from '../metadata/manifests.ts';
import type { NameMapping } from '../metadata/nameMapping.ts';
import { type ParquetNode, parquetTree, type SchemaRow, withFieldIds } from './parquetTree.ts';
import { changedFileError, readFailure } from './readFailure.ts';
import type { ScanSession } from './scanSession.ts';

/** A Parquet file on this machine with its columns. */
export interface OpenParquet {
  readonly location: string;
  /** SQL for the file's rows. */
  readonly from: string;
  /** SQL for the file's rows with the column `file_row_number`. */
  readonly fromNumbered: string;
  readonly columns: readonly OpenColumn[];
}

interface OpenColumn {
  readonly node: ParquetNode;
  /** SQL for the column. */
  readonly reference: string;
}

/**
 * Reads the footer of a file.
 * @throws IcebergError when it is damaged, or is not the file that its manifest describes
 */
export async function openParquet(
  path: string,
  file: ContentFile,
  {
    session,
    mapping,
    signal,
  }: { readonly session: ScanSession; readonly mapping: NameMapping | null; readonly signal: AbortSignal },
): Promise<OpenParquet> {
  const location = file.path;
  const text = quotedText(withoutWildcards(path));
  const from = `read_parquet(${text}, hive_partitioning = false)`;
  try {
    const [counts] = await session.rows(`SELECT num_rows FROM parquet_file_metadata(${text})`, signal);
    const rows = counts?.['num_rows'];
    if (rows !== file.recordCount) throw changedFileError(file, rows);
    const nodes = await fileColumns(path, { session, location, mapping, signal });
    const names = await session.rows(`DESCRIBE SELECT * FROM ${from}`, signal);
    if (names.length !== nodes.length) throw damaged(location, 'it has columns that cannot be read.');
    return {
      location,
      from,
      fromNumbered: `read_parquet(${text}, hive_partitioning = false, file_row_number = true)`,
      columns: nodes.map((node, i) => ({ node, reference: quotedName(String(names[i]?.['column_name'])) })),
    };
  } catch (error) {
    throw readFailure(error, location, signal);
  }
}

/**
 * The columns of a file with their field ids, in the order of the file. @throws IcebergError; errors of
 * DuckDB unchanged
 */
export async function fileColumns(
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
): Promise<readonly ParquetNode[]> {
  const schema = await session.rows(
    `SELECT * FROM parquet_schema(${quotedText(withoutWildcards(path))})`,
    signal,
  );
  return withFieldIds(parquetTree(schema.map(schemaRow), location), mapping, location);
}

/** The path with its wildcards escaped, because DuckDB treats a path as a pattern. */
export function withoutWildcards(path: string): string {
  return path.replace(/[*?[]/g, (character) => `[${character}]`);
}

function schemaRow(row: Readonly<Record<string, unknown>>): SchemaRow {
  const text = (key: string) => (typeof row[key] === 'string' ? row[key] : null);
  const number = (key: string) => (row[key] === null || row[key] === undefined ? null : Number(row[key]));
  return {
    name: String(row['name']),
    type: text('type'),
    children: number('num_children'),
    convertedType: text('converted_type'),
    fieldId: number('field_id'),
    logicalType: text('logical_type'),
    duckdbType: text('duckdb_type'),
  };
}
