/** Finds the `{{ name }}` placeholders of text cells, and formats the values that replace them. */

/** `{{ name }}` in a text cell: the value that a cell gave the variable, as text (docs/extensions.md). */
const VALUES = /\{\{[ \t]*([\p{L}_][\p{L}\p{N}_]*)[ \t]*\}\}/gu;

/** The variables that a text shows, each once. */
export function valueNames(text: string): readonly string[] {
  return [...new Set([...text.matchAll(VALUES)].map((match) => match[1] ?? ''))];
}

/**
 * A value formatted for a sentence: text without quotes, integers unchanged (a year), other numbers with six
 * digits.
 */
export function valueInText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number')
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null || value === undefined ? 'None' : JSON.stringify(value);
}
