/** Parses and writes JSON with exact 64-bit integers, as the metadata of Iceberg tables requires. */

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const WHOLE = /^-?\d+$/;

/**
 * Parses JSON with exact integers: an integer that a double cannot represent becomes a bigint, all other
 * values are the same as with JSON.parse. Snapshot ids are random 63-bit numbers, so most of them are
 * bigints.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  // The third parameter is part of the language since 2025; the types of ES2024 lack it.
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  return parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    return source !== undefined && WHOLE.test(source) ? BigInt(source) : value;
  });
}

/** The integer of an exact JSON value, or null if it is not an integer. */
export function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : null;
}

/** JSON text with bigints as whole numbers: the inverse of `parseExactJson`. */
export function exactJsonText(value: unknown): string {
  // Part of the language since 2025; the types of ES2024 lack it.
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'bigint' ? rawJSON(String(one)) : one,
  );
}
