/** Builds the tree of columns of a Parquet data file from DuckDB's description, with the field ids of its columns. */

import { damaged } from '../icebergError.ts';
import { type MappedField, mappedByName, type NameMapping } from '../metadata/nameMapping.ts';

/** A column of a Parquet file or a part of one, without the groups with which lists and maps are encoded. */
export interface ParquetNode {
  readonly name: string;
  readonly fieldId: number | null;
  /** Its type in DuckDB; null for lists, maps and structs. */
  readonly duckdbType: string | null;
  readonly physicalType: string | null;
  readonly logicalType: string | null;
  readonly kind: 'primitive' | 'list' | 'map' | 'struct';
  /** For a list its element, for a map its key and value. */
  readonly children: readonly ParquetNode[];
}

/** A row of DuckDB's parquet_schema. */
export interface SchemaRow {
  readonly name: string;
  readonly type: string | null;
  readonly children: number | null;
  readonly convertedType: string | null;
  readonly fieldId: number | null;
  readonly logicalType: string | null;
  readonly duckdbType: string | null;
}

interface RawNode {
  readonly row: SchemaRow;
  readonly children: readonly RawNode[];
}

const MAX_DEPTH = 100;

/**
 * The columns of a file, in the order of the file.
 * @param rows in the order of the file, the root first
 * @throws IcebergError if the rows are not a tree
 */
export function parquetTree(rows: readonly SchemaRow[], location: string): readonly ParquetNode[] {
  let at = 0;
  const next = (depth: number): RawNode => {
    const row = rows[at];
    if (row === undefined || depth > MAX_DEPTH) throw damaged(location, 'the schema in the file is damaged.');
    at += 1;
    return { row, children: Array.from({ length: row.children ?? 0 }, () => next(depth + 1)) };
  };
  return next(0).children.map(nodeOf);
}

function nodeOf({ row, children }: RawNode): ParquetNode {
  const kind = kindOf(row, children);
  const [repeated] = children;
  return {
    name: row.name,
    fieldId: row.fieldId,
    duckdbType: row.duckdbType,
    physicalType: row.type,
    logicalType: row.logicalType,
    kind,
    children:
      kind === 'list' && repeated !== undefined
        ? [nodeOf(elementOf(row, repeated))]
        : kind === 'map' && repeated !== undefined
          ? repeated.children.map(nodeOf)
          : children.map(nodeOf),
  };
}

function kindOf(
  { convertedType, logicalType }: SchemaRow,
  children: readonly RawNode[],
): ParquetNode['kind'] {
  if (children.length === 0) return 'primitive';
  const is = (converted: string, logical: string) =>
    convertedType === converted || (logicalType?.startsWith(logical) ?? false);
  if (is('LIST', 'ListType')) return 'list';
  return is('MAP', 'MapType') || convertedType === 'MAP_KEY_VALUE' ? 'map' : 'struct';
}

/** Early writers had no group around the elements of a list (Parquet's rules for backward compatibility). */
function elementOf(list: SchemaRow, repeated: RawNode): RawNode {
  const [only] = repeated.children;
  const isElement =
    only === undefined ||
    repeated.children.length > 1 ||
    repeated.row.name === 'array' ||
    repeated.row.name === `${list.name}_tuple`;
  return isElement ? repeated : only;
}

/**
 * The columns with field ids: those in the file, or those of the table's name mapping if the file has none.
 * @throws IcebergError if neither identifies the columns
 */
export function withFieldIds(
  nodes: readonly ParquetNode[],
  mapping: NameMapping | null,
  location: string,
): readonly ParquetNode[] {
  if (nodes.some(hasId)) return nodes;
  if (mapping === null) {
    throw damaged(
      location,
      'its columns have no field ids and the table has no name mapping. Set the table property schema.name-mapping.default.',
    );
  }
  return mapped(nodes, mapping.fields);
}

function hasId({ fieldId, children }: ParquetNode): boolean {
  return fieldId !== null || children.some(hasId);
}

function mapped(
  nodes: readonly ParquetNode[],
  fields: readonly MappedField[],
  names?: readonly string[],
): readonly ParquetNode[] {
  return nodes.map((node, i) => {
    const field = mappedByName(fields, names?.[i] ?? node.name);
    const inner = node.kind === 'list' ? ['element'] : node.kind === 'map' ? ['key', 'value'] : undefined;
    return {
      ...node,
      fieldId: field?.id ?? null,
      children: mapped(node.children, field?.fields ?? [], inner),
    };
  });
}
