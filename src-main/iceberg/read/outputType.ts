import type { ColumnType } from '../../sql/columnType.ts';
import { IcebergError } from '../icebergError.ts';
import type { Field, IcebergType } from '../metadata/types.ts';

/**
 * The Arrow type of an Iceberg column in the results of a scan, as a column type that this project can write.
 * @param names the names of struct fields: as in the table, or as in DuckDB (columnSql)
 */
export function outputType(type: IcebergType, names: 'table' | 'duckdb'): ColumnType {
  switch (type.kind) {
    case 'boolean':
      return { kind: 'bool' };
    case 'int':
      return { kind: 'int', bits: 32, signed: true };
    case 'long':
      return { kind: 'int', bits: 64, signed: true };
    case 'float':
      return { kind: 'float', bits: 32 };
    case 'double':
      return { kind: 'float', bits: 64 };
    case 'date':
    case 'time':
    case 'uuid':
      return { kind: type.kind };
    case 'timestamp':
      return { kind: 'timestamp', unit: 'us', zone: null };
    case 'timestamptz':
      return { kind: 'timestamp', unit: 'us', zone: 'UTC' };
    case 'timestamp_ns':
      return { kind: 'timestamp', unit: 'ns', zone: null };
    case 'timestamptz_ns':
      return { kind: 'timestamp', unit: 'ns', zone: 'UTC' };
    case 'string':
      return { kind: 'text' };
    case 'binary':
      return { kind: 'bytes' };
    case 'fixed':
      return { kind: 'fixed', size: type.length };
    case 'decimal':
      return { kind: 'decimal', precision: type.precision, scale: type.scale };
    case 'unknown':
      return { kind: 'null' };
    case 'list':
      return { kind: 'list', item: outputType(type.element.type, names) };
    case 'map':
      return {
        kind: 'map',
        key: outputType(type.key.type, names),
        value: outputType(type.value.type, names),
      };
    case 'struct':
      return {
        kind: 'struct',
        fields: type.fields.map((field: Field, i) => ({
          name: names === 'table' ? field.name : `f${i}`,
          type: outputType(field.type, names),
        })),
      };
    case 'unsupported':
      throw new IcebergError('unreadable', `A column has the type ${type.name}, which cannot be read.`);
  }
}
