/** Helpers for the untyped JSON of Jupyter files: objects, and texts that are one string or a list of lines. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text of a Jupyter file: one string, or its lines. */
export function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  if (!Array.isArray(source)) return '';
  return source.filter((line) => typeof line === 'string').join('');
}
