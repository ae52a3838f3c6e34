/** Hides secret values in text and JSON, and shortens text, before the assistant sends it to a model. */

import { HIDDEN, hideInStream, MIN_HIDDEN, type Redactor } from '../lib/redactor.ts';

/** Text without secret values, even if its end was cut off in the middle of one. */
export function hideText(text: string, redactor: Redactor): string {
  if (redactor.isIdle) return text;
  const redactedText = hideInStream(text, redactor);
  const open = redactor.openLength(redactedText);
  return open < MIN_HIDDEN ? redactedText : redactedText.slice(0, redactedText.length - open) + HIDDEN;
}

/** The first characters of a text, with a mark if it was truncated. */
export function headOf(text: string, limit: number): string {
  return text.length <= limit ? text : `${sliced(text, 0, limit - CUT.length)}${CUT}`;
}

/** The last characters of a text, with a mark if it was truncated. */
export function tailOf(text: string, limit: number): string {
  return text.length <= limit ? text : `${CUT}${sliced(text, text.length - limit + CUT.length, text.length)}`;
}

const CUT = '[…]';

/** A slice that does not split a surrogate pair. */
function sliced(text: string, from: number, to: number): string {
  return text.slice(Math.max(0, from), Math.max(0, to)).toWellFormed();
}

/** A JSON value with secret values hidden in all its texts. */
export function hideInJson(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hideInJson(item, redactor));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactor.text(key), hideInJson(item, redactor)]),
  );
}
