import { quotedName, quotedText } from '../../sql/duckdb/quoted.ts';
import { damaged } from '../icebergError.ts';
import type { ContentFile } from '../metadata/manifests.ts';
import type { NameMapping } from '../metadata/nameMapping.ts';
import { type ParquetNode, parquetTree, type SchemaRow, withFieldIds } from './parquetTree.ts';
import { readFailure } from './readFailure.ts';
import type { ScanSession } from './scanSession.ts';

/** A Parquet file that is on this machine and whose columns are known. */
export interface OpenParquet {
  readonly location: string;
  /** SQL for the file's rows. */
  readonly from: string;
  /** With the column `file_row_number`. */
  readonly fromNumbered: string;
  readonly columns: readonly OpenColumn[];
}

export interface OpenColumn {
  readonly node: ParquetNode;
  /** SQL for the column. */
  readonly reference: string;
}

/**
 * Reads the footer of a file.
 * @throws IcebergError when it is damaged, or is not the file its manifest speaks of
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
    if (rows !== file.recordCount) {
      throw damaged(location, `it has ${String(rows)} rows, and its manifest says ${file.recordCount}.`);
    }
    const schema = await session.rows(`SELECT * FROM parquet_schema(${text})`, signal);
    const nodes = withFieldIds(parquetTree(schema.map(schemaRow), location), mapping, location);
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

/** The rows of each row group of a file. @throws IcebergError when it is damaged */
export async function rowGroupRows(
  path: string,
  {
    session,
    location,
    signal,
  }: { readonly session: ScanSession; readonly location: string; readonly signal: AbortSignal },
): Promise<readonly number[]> {
  try {
    const rows = await session.rows(
      `SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata(${quotedText(withoutWildcards(path))}) ORDER BY row_group_id`,
      signal,
    );
    return rows.map((row) => Number(row['row_group_num_rows']));
  } catch (error) {
    throw readFailure(error, location, signal);
  }
}

/** A path is a pattern to DuckDB. */
function withoutWildcards(path: string): string {
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
