/** The type of a configuration variable's codec, which reads and prints its values, and the common codecs. */

import { tryParseJson } from '../lib/tryParseJson.ts';
/**
 * Reads and prints the values of one configuration variable: both the text of an environment variable and the native
 * value of a project file or an override; `null` means invalid.
 */
export interface Codec<T> {
  /** The allowed values: completes "it must be …". */
  readonly type: string;
  readonly parse: (raw: unknown) => { readonly value: T } | null;
  /** Text that `parse` reads back as the same value. */
  readonly print: (value: T) => string;
  /** The value is an object, so `SVC_NAME__KEY=value` sets one of its keys. */
  readonly nested?: true;
  /** The value names a file or folder: `~` and relative paths are resolved when it is loaded. */
  readonly path?: true;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

export const text: Codec<string> = {
  type: 'text',
  parse: (raw) => (typeof raw === 'string' ? { value: raw.trim() } : null),
  print: (value) => value,
};

export const path: Codec<string> = {
  type: 'a path; `~` is the home folder',
  parse: (raw) => (typeof raw === 'string' && raw.trim() !== '' ? { value: raw.trim() } : null),
  print: (value) => value,
  path: true,
};

export function choice<const C extends readonly string[]>(...choices: C): Codec<C[number]> {
  return {
    type: choices.length === 1 ? `\`${choices[0]}\`` : `one of ${choices.map((c) => `\`${c}\``).join(', ')}`,
    parse: (raw) => {
      const text = typeof raw === 'string' ? raw.trim().toLowerCase() : null;
      const choice = choices.find((c) => c.toLowerCase() === text);
      return choice === undefined ? null : { value: choice };
    },
    print: (value) => value,
  };
}

const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

export const flag: Codec<boolean> = {
  type: '`true` or `false`',
  parse: (raw) => {
    if (typeof raw === 'boolean') return { value: raw };
    const word = typeof raw === 'string' ? raw.trim().toLowerCase() : '';
    if (TRUE.has(word)) return { value: true };
    return FALSE.has(word) ? { value: false } : null;
  },
  print: String,
};

/** A whole number of at least `min`, at most `max` where given. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Codec<number> {
  return {
    type:
      max === Number.MAX_SAFE_INTEGER
        ? `a whole number of at least ${min}`
        : `a whole number from ${min} to ${max}`,
    parse: (raw) => {
      const value = numberOf(raw, /^[+-]?\d+$/);
      return value !== null && Number.isSafeInteger(value) && value >= min && value <= max ? { value } : null;
    },
    print: String,
  };
}

/** A number of at least `min`, or above it with `'above'`. */
export function decimal(min: number, bound: 'atLeast' | 'above' = 'atLeast'): Codec<number> {
  return {
    type: bound === 'above' ? `a number above ${min}` : `a number of at least ${min}`,
    parse: (raw) => {
      const value = numberOf(raw, /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i);
      if (value === null || !Number.isFinite(value)) return null;
      return value > min || (bound === 'atLeast' && value === min) ? { value } : null;
    },
    print: String,
  };
}

function numberOf(raw: unknown, form: RegExp): number | null {
  if (typeof raw === 'number') return raw + 0; // -0 becomes 0
  if (typeof raw === 'bigint') return Number(raw);
  return typeof raw === 'string' && form.test(raw.trim()) ? Number(raw.trim()) + 0 : null;
}

/** A whole number of at least 1; anything else silently means `fallback` (docs/spec/configuration.md, 2). */
export function forgivingInteger(fallback: number): Codec<number> {
  const strict = integer(1);
  return {
    type: `a whole number of at least 1; anything else means ${fallback}`,
    parse: (raw) => strict.parse(raw) ?? { value: fallback },
    print: String,
  };
}

/** A list: comma-separated text, a JSON array or a project file's array. */
export const commaList: Codec<readonly string[]> = {
  type: 'a comma-separated list',
  parse: (raw) => {
    if (typeof raw !== 'string') return stringItems(raw);
    if (raw.trim().startsWith('[')) return stringItems(tryParseJson(raw));
    return { value: raw.split(',').flatMap((item) => item.trim() || []) };
  },
  print: (value) => JSON.stringify(value),
};

/** A list that must be JSON in the environment (docs/spec/configuration.md, 2, SVC_CORS_ALLOW_ORIGINS). */
export const jsonList: Codec<readonly string[]> = {
  type: 'a JSON array of text, such as `["https://a.example"]`',
  parse: (raw) => {
    if (raw === '') return { value: [] };
    return stringItems(typeof raw === 'string' ? tryParseJson(raw) : raw);
  },
  print: (value) => JSON.stringify(value),
};

function stringItems(raw: unknown): { value: readonly string[] } | null {
  if (!Array.isArray(raw) || !raw.every((item) => typeof item === 'string')) return null;
  return { value: raw.flatMap((item: string) => item.trim() || []) };
}

/** Python versions: at least one `major.minor`. */
export const pythonVersions: Codec<readonly string[]> = {
  type: 'one or more versions such as `3.13`, comma-separated or as a JSON array',
  parse: (raw) => {
    const items = commaList.parse(raw);
    if (items === null || items.value.length === 0) return null;
    return items.value.every((item) => /^\d+\.\d+$/.test(item)) ? items : null;
  },
  print: (value) => JSON.stringify(value),
};

export const jsonObject: Codec<JsonObject> = {
  type: 'a JSON object',
  parse: (raw) => {
    if (raw === '') return { value: {} };
    const value = typeof raw === 'string' ? tryParseJson(raw) : raw;
    return isObject(value) ? { value: value as JsonObject } : null; // JSON or TOML: plain data both
  },
  print: (value) => JSON.stringify(value),
  nested: true,
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values of another codec, or null: empty text and null mean that the variable is not set. */
export function optional<T>(codec: Codec<T>): Codec<T | null> {
  return {
    ...codec,
    type: `${codec.type}, or empty for none`,
    parse: (raw) => {
      const empty = raw === null || (typeof raw === 'string' && raw.trim() === '');
      return empty ? { value: null } : codec.parse(raw);
    },
    print: (value) => (value === null ? '' : codec.print(value)),
  };
}
