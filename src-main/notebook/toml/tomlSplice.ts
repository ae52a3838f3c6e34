/** Replaces parts of a TOML text, including the comma lists (inline tables, arrays) around them. */

import { TomlEditError } from './tomlOp.ts';

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** A new section: placed after the lines that other edits add at the same offset. */
  readonly isBlock?: boolean;
}

/** Items to remove and texts to insert, both by index in the original list. */
export interface ListEdit {
  readonly items: readonly { readonly start: number; readonly end: number }[];
  /** The offset after the opening bracket. */
  readonly open: number;
  /** Where the comma after the last item is; null without one. */
  readonly lastComma: number | null;
  readonly removed: Set<number>;
  readonly inserts: { readonly index: number; readonly text: string }[];
}

/** The line break for new lines of this text. */
export function eolOf(text: string): '\r\n' | '\n' {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

/**
 * Applies replacements whose offsets all refer to `text`. Insertions at one offset keep their order; removals
 * may overlap, and an insertion inside one is kept. @throws TomlEditError when two replacements conflict
 */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = splices.toSorted((a, b) => a.start - b.start || a.end - b.end || rankOf(a) - rankOf(b));
  const parts: string[] = [];
  let at = 0;
  let removing = false;
  for (const next of ordered) {
    const mayOverlap = next.text === '' || next.start === next.end;
    if (next.start < at && !(removing && mayOverlap))
      throw new TomlEditError('two edits of one TOML text overlap');
    parts.push(text.slice(at, Math.max(at, next.start)), next.text);
    removing = next.text === '' || next.end < at;
    at = Math.max(at, next.end);
  }
  return parts.join('') + text.slice(at);
}

/**
 * Keeps the commas of a list valid while items are removed and inserted; text between remaining items stays.
 */
export function listSplices({ items, open, lastComma, removed, inserts }: ListEdit): readonly Splice[] {
  const remaining = items.map((_, index) => index).filter((index) => !removed.has(index));
  const first = items[0];
  const last = items.at(-1);
  if (first === undefined || last === undefined) {
    return inserts.length === 0 ? [] : [{ start: open, end: open, text: joined(inserts) }];
  }
  if (remaining.length === 0) {
    const emptied = { start: first.start, end: last.end, text: joined(inserts) };
    // A comma alone is not a list: `[ , ]`.
    const comma =
      lastComma === null || inserts.length > 0 ? [] : [{ start: lastComma, end: lastComma + 1, text: '' }];
    return [emptied, ...comma];
  }
  return [
    ...inserts.map(({ index, text }): Splice => {
      const before = items[remaining.findLast((position) => position < index) ?? -1];
      if (before !== undefined) return { start: before.end, end: before.end, text: `, ${text}` };
      const start = items[remaining[0] ?? 0]?.start ?? open;
      return { start, end: start, text: `${text}, ` };
    }),
    ...[...removed].map((index): Splice => {
      const hasKeptBefore = remaining.some((position) => position < index);
      const start = hasKeptBefore ? items[index - 1]?.end : items[index]?.start;
      const end = hasKeptBefore ? items[index]?.end : items[index + 1]?.start;
      if (start === undefined || end === undefined) throw new TomlEditError(`the list has no item ${index}`);
      return { start, end, text: '' };
    }),
  ];
}

function rankOf(splice: Splice): number {
  return splice.isBlock ? 1 : 0;
}

function joined(inserts: ListEdit['inserts']): string {
  return inserts.map((insert) => insert.text).join(', ');
}
