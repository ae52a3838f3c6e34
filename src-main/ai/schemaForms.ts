/** Adapts the JSON schema of a prompt's reply to the form that each AI provider accepts. */

type Schema = Readonly<Record<string, unknown>>;

/** The keywords of a schema with subschemas: by name, in a list, or a single one. */
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const SINGLE = ['items', 'contains', 'not', 'if', 'then', 'else', 'additionalProperties'] as const;

/** Adds `additionalProperties: false` to every object without it, as OpenAI requires. */
export function closedSchema(schema: Schema): Record<string, unknown> {
  const closed = mapSchemas(schema, closedSchema);
  const isObject = schema['type'] === 'object' || isTable(schema['properties']);
  return isObject && closed['additionalProperties'] === undefined
    ? { ...closed, additionalProperties: false }
    : closed;
}

/** Whether every object requires each of its properties, without which OpenAI refuses `strict`. */
export function isStrict(schema: Schema): boolean {
  const { properties, required } = schema;
  if (isTable(properties)) {
    const names = new Set(Array.isArray(required) ? required : []);
    if (!Object.keys(properties).every((name) => names.has(name))) return false;
  }
  if (schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false) return false;
  let all = true;
  mapSchemas(schema, (inner) => {
    all &&= isStrict(inner);
    return { ...inner };
  });
  return all;
}

function mapSchemas(
  schema: Schema,
  change: (inner: Schema) => Record<string, unknown>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...schema };
  for (const key of BY_NAME) {
    const value = schema[key];
    if (!isTable(value)) continue;
    const pairs = Object.entries(value).map(([name, inner]) => [
      name,
      isTable(inner) ? change(inner) : inner,
    ]);
    changed[key] = Object.fromEntries(pairs);
  }
  for (const key of LISTS) {
    const list = schema[key];
    if (Array.isArray(list)) changed[key] = list.map((inner) => (isTable(inner) ? change(inner) : inner));
  }
  for (const key of SINGLE) {
    const inner = schema[key];
    if (isTable(inner)) changed[key] = change(inner);
  }
  return changed;
}

function isTable(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
