/** Makes request bodies from the schemas of routes, for tests. */

import * as z from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A valid body with only the required fields, each as small as possible; null if none could be made. */
export function sampleOf(schema: z.ZodType): Record<string, unknown> | null {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const object = objectIn(json);
  if (object === null) return null;
  const sample: Record<string, unknown> = {};
  for (const key of object.required ?? []) sample[key] = valueFor(object.properties?.[key], key);
  return schema.safeParse(sample).success ? sample : null;
}

export function objectIn(json: JsonSchema): JsonSchema | null {
  if (json.type === 'object') return json;
  for (const one of [...(json.anyOf ?? []), ...(json.oneOf ?? [])]) {
    const sample = typeof one === 'object' ? objectIn(one) : null;
    if (sample !== null) return sample;
  }
  return null;
}

/** Texts that some schemas require, beside plain ones. */
const TEXTS = ['x', 'apple', '3.13', 'http://127.0.0.1:9/v1'];

function valueFor(json: unknown, key: string): unknown {
  const schema = json as JsonSchema; // the result of z.toJSONSchema
  const [first] = schema.enum ?? [];
  if (first !== undefined) return first;
  if (schema.anyOf !== undefined) return null;
  switch (schema.type) {
    case 'string':
      return (
        TEXTS.find((text) => schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text)) ??
        key
      );
    case 'number':
    case 'integer':
      return Math.max(1, Number(schema.minimum ?? 1));
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => valueFor(schema.items, key));
    default:
      return {};
  }
}
