/** Places and selections in the text of a cell, and their conversion to offsets. */

/** A place in a text: line and column from 1, as editors count. */
export interface Caret {
  readonly line: number;
  readonly column: number;
}

/** A selection in a text; it is just the caret if both ends are the same. */
export interface Selection {
  readonly start: Caret;
  readonly end: Caret;
}

/** The place at an offset into a text whose lines end in `\n`, as in a text area. */
export function caretAtOffset(text: string, offset: number): Caret {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - lineStart + 1 };
}

/** Where editing continues in a text that consists of directives: on the line below them; null: at its beginning. */
export function caretBelowDirectives(text: string): Caret | null {
  const lines = text.split('\n');
  const [last, ...above] = [...lines].reverse();
  if (last?.trim() !== '' || above.length === 0) return null;
  if (!above.every((line) => /^\s*(?:#|--)\s*@\w/.test(line))) return null;
  return caretAtOffset(text, text.length);
}

/** The number of characters before a position; a position outside the text is clamped. */
export function offsetOfCaret(text: string, { line, column }: Caret): number {
  const lines = text.split('\n');
  const at = Math.min(line, lines.length) - 1;
  const before = lines.slice(0, at).reduce((sum, one) => sum + one.length + 1, 0);
  return before + Math.min(column - 1, lines[at]?.length ?? 0);
}
