/** Assigns field ids to the columns of rows that are written to an Iceberg table. */

import type { Field, IcebergType } from '../metadata/types.ts';
import type { Json } from './tableJson.ts';

/** A column to write: its name, and its type without field ids. */
export interface NewColumn {
  readonly name: string;
  readonly type: IcebergType;
}

interface NumberedColumns {
  readonly fields: readonly Field[];
  /** The highest id in use, including the table's earlier schemas. */
  readonly lastId: number;
}

/**
 * Assigns an id to each column and each nested part. A column with the same name and type in the current
 * schema keeps its id; all other ids are new, so that no earlier file has values for them.
 * @param lastId the highest id that the table has used
 */
export function numberColumns(
  columns: readonly NewColumn[],
  current: readonly Field[],
  lastId: number,
): NumberedColumns {
  let last = lastId;
  const next = (): number => {
    last += 1;
    return last;
  };
  const renewed = (type: IcebergType): IcebergType => {
    const part = (field: Field): Field => ({ ...field, id: next() });
    switch (type.kind) {
      case 'list': {
        const element = part(type.element);
        return { kind: 'list', element: { ...element, type: renewed(element.type) } };
      }
      case 'map': {
        const [key, value] = [part(type.key), part(type.value)];
        return {
          kind: 'map',
          key: { ...key, type: renewed(key.type) },
          value: { ...value, type: renewed(value.type) },
        };
      }
      case 'struct': {
        const fields = type.fields.map(part);
        return { kind: 'struct', fields: fields.map((field) => ({ ...field, type: renewed(field.type) })) };
      }
      default:
        return type;
    }
  };
  const keptColumns = columns.map(({ name, type }): Field | null => {
    const field = current.find((one) => one.name === name);
    return field !== undefined && shapeOf(field.type) === shapeOf(type) ? field : null;
  });
  // The columns first, then their parts, as other writers number them.
  const numbered = columns.map(({ name, type }, at): Field => {
    const same = keptColumns[at];
    if (same !== null && same !== undefined) return { ...same, required: false };
    return { id: next(), name, required: false, type };
  });
  const fields = numbered.map((field, at) =>
    keptColumns[at] === null ? { ...field, type: renewed(field.type) } : field,
  );
  return { fields, lastId: last };
}

/** The type without its ids. */
function shapeOf(type: IcebergType): string {
  return JSON.stringify(typeJson(type), (key, value: unknown) => (/(^|-)id$/.test(key) ? undefined : value));
}

/** A type in the form of table metadata. */
function typeJson(type: IcebergType): unknown {
  switch (type.kind) {
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'fixed':
      return `fixed[${type.length}]`;
    case 'list':
      return {
        type: 'list',
        'element-id': type.element.id,
        element: typeJson(type.element.type),
        'element-required': type.element.required,
      };
    case 'map':
      return {
        type: 'map',
        'key-id': type.key.id,
        key: typeJson(type.key.type),
        'value-id': type.value.id,
        value: typeJson(type.value.type),
        'value-required': type.value.required,
      };
    case 'struct':
      return { type: 'struct', fields: type.fields.map(fieldJson) };
    case 'unsupported':
      return type.name;
    default:
      return type.kind;
  }
}

export function fieldJson({ id, name, required, type }: Field): Json {
  return { id, name, required, type: typeJson(type) };
}
