/**
 * A value that an edit writes to notebook.toml. Numbers become floats (`1.0`), as most numbers of the file's schema
 * are; a bigint is an integer.
 */
export type TomlValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | readonly TomlValue[]
  | { readonly [key: string]: TomlValue };

export type TomlRecord = Readonly<Record<string, unknown>>;

/** Whether a value is a TOML table, not an array, a date or a scalar. */
export function isTable(value: unknown): value is TomlRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Writes one value on one line; tables become inline tables. */
export function formatValue(value: TomlValue): string {
  if (typeof value === 'string') return formatString(value);
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${formatKey(key)} = ${formatValue(item)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

export function formatKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : formatString(key);
}

/** The value as a parser would return it, for comparing. A lone surrogate cannot be written as UTF-8. */
export function asRead(value: TomlValue): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'bigint') return Number(value);
  if (isArray(value)) return value.map(asRead);
  if (isTable(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), asRead(item)]));
  }
  return value;
}

/** Equality of parsed TOML: key order does not matter, dates compare by instant. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime();
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameValue(item, right[index]));
  }
  if (isTable(left) && isTable(right)) {
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    return keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]));
  }
  return Object.is(left, right);
}

/** The value at `path`, undefined if there is none. Inherited names (`constructor`) do not count. */
export function valueAt(document: unknown, path: readonly (string | number)[]): unknown {
  let value = document;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isTable(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/** Whether a value is an array. TypeScript's own Array.isArray does not narrow a readonly array out of a union. */
function isArray(value: TomlValue): value is readonly TomlValue[] {
  return Array.isArray(value);
}

function formatString(text: string): string {
  // JSON's escapes are all valid in TOML; only DEL must be escaped in addition.
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007f');
}

function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** A block as read, in the form that an edit may write. */
export function writable(block: TomlRecord): Record<string, TomlValue> {
  return Object.fromEntries(Object.entries(block).map(([key, value]) => [key, writableValue(value)]));
}

/** A value as read, in the form that an edit may write. */
export function writableValue(value: unknown): TomlValue {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(writableValue);
  return isTable(value) ? writable(value) : String(value);
}
