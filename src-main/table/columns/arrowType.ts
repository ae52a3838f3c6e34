/** The Arrow types of table columns as the table engine of the data viewer distinguishes them. */

import { DataType } from 'apache-arrow';

export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

export interface ArrowField {
  readonly name: string;
  readonly type: ArrowType;
}

/** The Arrow types that reading distinguishes: one kind for each memory layout and display form. */
export type ArrowType =
  | { readonly kind: 'null' | 'bool' }
  | { readonly kind: 'int'; readonly bits: number; readonly signed: boolean }
  | { readonly kind: 'float'; readonly bits: number }
  | { readonly kind: 'decimal'; readonly bits: number; readonly precision: number; readonly scale: number }
  | { readonly kind: 'date'; readonly unit: 'day' | 'ms' }
  | { readonly kind: 'time'; readonly unit: TimeUnit; readonly bits: number }
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly zone: string | null }
  | { readonly kind: 'duration'; readonly unit: TimeUnit }
  | { readonly kind: 'interval'; readonly unit: 'year_month' | 'day_time' | 'month_day_nano' }
  | { readonly kind: 'text' | 'bytes'; readonly layout: 'small' | 'large' | 'view' }
  | { readonly kind: 'fixed_bytes'; readonly width: number }
  | { readonly kind: 'list'; readonly layout: 'small' | 'large'; readonly item: ArrowField }
  | { readonly kind: 'fixed_list'; readonly size: number; readonly item: ArrowField }
  | { readonly kind: 'struct'; readonly fields: readonly ArrowField[] }
  | { readonly kind: 'map'; readonly entry: readonly ArrowField[] }
  | {
      readonly kind: 'union';
      readonly dense: boolean;
      readonly codes: readonly number[];
      readonly fields: readonly ArrowField[];
    }
  | {
      readonly kind: 'dictionary';
      readonly index: ArrowType;
      readonly value: ArrowType;
      readonly ordered: boolean;
    };

const UNITS: readonly TimeUnit[] = ['s', 'ms', 'us', 'ns'];

function unitOf(unit: number): TimeUnit {
  return UNITS[unit] ?? 's';
}

interface LibraryField {
  readonly name: string;
  readonly type: DataType;
}

function fieldOf(field: LibraryField): ArrowField {
  return { name: field.name, type: arrowTypeOf(field.type) };
}

function firstField(fields: readonly LibraryField[]): ArrowField {
  const [first] = fields;
  if (first === undefined) throw new TypeError('a list without an item type');
  return fieldOf(first);
}

/** Converts the library's type. @throws TypeError for a type that this program cannot read */
export function arrowTypeOf(type: DataType): ArrowType {
  if (DataType.isDictionary(type)) {
    const { indices, dictionary, isOrdered } = type;
    return {
      kind: 'dictionary',
      index: arrowTypeOf(indices),
      value: arrowTypeOf(dictionary),
      ordered: isOrdered,
    };
  }
  if (DataType.isNull(type)) return { kind: 'null' };
  if (DataType.isBool(type)) return { kind: 'bool' };
  if (DataType.isInt(type)) return { kind: 'int', bits: type.bitWidth, signed: type.isSigned };
  if (DataType.isFloat(type)) return { kind: 'float', bits: 16 << type.precision };
  if (DataType.isDecimal(type)) {
    return { kind: 'decimal', bits: type.bitWidth, precision: type.precision, scale: type.scale };
  }
  if (DataType.isDate(type)) return { kind: 'date', unit: type.unit === 0 ? 'day' : 'ms' };
  if (DataType.isTime(type)) return { kind: 'time', unit: unitOf(type.unit), bits: type.bitWidth };
  if (DataType.isTimestamp(type)) {
    return { kind: 'timestamp', unit: unitOf(type.unit), zone: type.timezone || null };
  }
  if (DataType.isDuration(type)) return { kind: 'duration', unit: unitOf(type.unit) };
  if (DataType.isInterval(type)) {
    const names = ['year_month', 'day_time', 'month_day_nano'] as const;
    return { kind: 'interval', unit: names[type.unit] ?? 'year_month' };
  }
  if (DataType.isUtf8(type)) return { kind: 'text', layout: 'small' };
  if (DataType.isLargeUtf8(type)) return { kind: 'text', layout: 'large' };
  if (DataType.isUtf8View(type)) return { kind: 'text', layout: 'view' };
  if (DataType.isBinary(type)) return { kind: 'bytes', layout: 'small' };
  if (DataType.isLargeBinary(type)) return { kind: 'bytes', layout: 'large' };
  if (DataType.isBinaryView(type)) return { kind: 'bytes', layout: 'view' };
  if (DataType.isFixedSizeBinary(type)) return { kind: 'fixed_bytes', width: type.byteWidth };
  if (DataType.isList(type)) return { kind: 'list', layout: 'small', item: firstField(type.children) };
  if (DataType.isLargeList(type)) return { kind: 'list', layout: 'large', item: firstField(type.children) };
  if (DataType.isFixedSizeList(type)) {
    return { kind: 'fixed_list', size: type.listSize, item: firstField(type.children) };
  }
  if (DataType.isStruct(type)) return { kind: 'struct', fields: type.children.map(fieldOf) };
  if (DataType.isMap(type)) {
    const entry = firstField(type.children).type;
    return { kind: 'map', entry: entry.kind === 'struct' ? entry.fields : [] };
  }
  if (DataType.isUnion(type)) {
    const fields = type.children.map(fieldOf);
    return { kind: 'union', dense: type.mode === 1, codes: [...type.typeIds], fields };
  }
  throw new TypeError(`columns of type ${String(type)} cannot be shown`);
}

/** The type's name in pyarrow, which users know from their own code. */
export function dtypeName(type: ArrowType): string {
  switch (type.kind) {
    case 'null':
    case 'bool':
      return type.kind;
    case 'int':
      return `${type.signed ? '' : 'u'}int${type.bits}`;
    case 'float':
      return type.bits === 64 ? 'double' : type.bits === 32 ? 'float' : 'halffloat';
    case 'decimal':
      return `decimal${type.bits}(${type.precision}, ${type.scale})`;
    case 'date':
      return type.unit === 'day' ? 'date32[day]' : 'date64[ms]';
    case 'time':
      return `time${type.bits}[${type.unit}]`;
    case 'timestamp':
      return `timestamp[${type.unit}${type.zone === null ? '' : `, tz=${type.zone}`}]`;
    case 'duration':
      return `duration[${type.unit}]`;
    case 'interval':
      return type.unit === 'month_day_nano' ? 'month_day_nano_interval' : `${type.unit}_interval`;
    case 'text':
    case 'bytes': {
      const name = type.kind === 'text' ? 'string' : 'binary';
      return type.layout === 'large' ? `large_${name}` : type.layout === 'view' ? `${name}_view` : name;
    }
    case 'fixed_bytes':
      return `fixed_size_binary[${type.width}]`;
    case 'list':
      return `${type.layout === 'large' ? 'large_' : ''}list<${fieldName(type.item)}>`;
    case 'fixed_list':
      return `fixed_size_list<${fieldName(type.item)}>[${type.size}]`;
    case 'struct':
      return `struct<${type.fields.map(fieldName).join(', ')}>`;
    case 'map':
      return `map<${type.entry.map((field) => dtypeName(field.type)).join(', ')}>`;
    case 'union':
      return `${type.dense ? 'dense' : 'sparse'}_union<${type.fields
        .map((field, index) => `${fieldName(field)}=${type.codes[index]}`)
        .join(', ')}>`;
    case 'dictionary':
      return `dictionary<values=${dtypeName(type.value)}, indices=${dtypeName(type.index)}, ordered=${type.ordered ? 1 : 0}>`;
  }
}

function fieldName(field: ArrowField): string {
  return `${field.name}: ${dtypeName(field.type)}`;
}
