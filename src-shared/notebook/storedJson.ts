/** Parses stored JSON values as Python wrote them, with `NaN` and long integers. */

/** Strings first, so that nothing inside them is taken for a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g;

/**
 * The value of a stored `json/object`, as Python wrote it: `NaN`, `Infinity` and integers beyond the exact range of
 * JavaScript become text, as in a preview (docs/spec/values.md, 1).
 * @throws SyntaxError for invalid JSON.
 */
export function parseStoredJson(text: string): unknown {
  return JSON.parse(text.replace(TOKEN, exact));
}

function exact(token: string): string {
  if (token.startsWith('"')) return token;
  if (token.endsWith('NaN') || token.endsWith('Infinity')) return `"${token}"`;
  return /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}
