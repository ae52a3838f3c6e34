import * as z from 'zod';
import { IcebergError } from '../icebergError.ts';

/** Maps the names of columns to field ids, for files without field ids (`schema.name-mapping.default`). */
export interface NameMapping {
  readonly fields: readonly MappedField[];
}

export interface MappedField {
  readonly id: number | null;
  readonly names: readonly string[];
  readonly fields: readonly MappedField[];
}

const MAX_DEPTH = 100;

function mappedFields(json: unknown, depth: number): readonly MappedField[] {
  if (depth > MAX_DEPTH) throw new Error('nested too deeply');
  const shape = z.array(
    z.object({ 'field-id': z.int().nullish(), names: z.array(z.string()), fields: z.unknown().optional() }),
  );
  return shape.parse(json).map(({ 'field-id': id, names, fields }) => ({
    id: id ?? null,
    names,
    fields: fields === undefined || fields === null ? [] : mappedFields(fields, depth + 1),
  }));
}

/** Parses the text of a name mapping. @throws IcebergError if the text is not a name mapping */
export function parseNameMapping(text: string): NameMapping {
  try {
    return { fields: mappedFields(JSON.parse(text), 0) };
  } catch (error) {
    throw new IcebergError(
      'unreadable',
      'The table property schema.name-mapping.default is not a valid name mapping. Correct the property.',
      { cause: error },
    );
  }
}

/** The mapped field with this name among the fields of one level. */
export function mappedByName(fields: readonly MappedField[], name: string): MappedField | null {
  return fields.find(({ names }) => names.includes(name)) ?? null;
}
