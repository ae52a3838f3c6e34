/** Computes the differences between two texts, line by line, and which lines to show around them. */

import { diffArrays } from 'diff';

/** A line of either text or of both. */
interface DiffLine {
  readonly kind: 'same' | 'before' | 'after';
  readonly text: string;
}

/** With more differing lines than this, comparing would take too long: the two texts are shown one after the other. */
const MAX_EDITS = 1_000;

/** The lines only in `before`, only in `after`, and in both, in order. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const of = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind, text }));
  const parts = diffArrays(a, b, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [...of('before', a), ...of('after', b)];
  return parts.flatMap(({ value, added, removed }) =>
    of(removed ? 'before' : added ? 'after' : 'same', value),
  );
}

/**
 * The lines of a text. A line break at the end adds no line, because files end with one and typed text often does not.
 */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** A line, or a number of equal lines that are hidden. */
export type DiffRow = DiffLine | { readonly kind: 'gap'; readonly lines: number };

/** How many lines around a change are shown. */
const AROUND = 1;

/** The changes with the lines around them; empty if there is no difference. */
export function changedRows(lines: readonly DiffLine[]): readonly DiffRow[] {
  const near = new Set<number>();
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let by = -AROUND; by <= AROUND; by += 1) near.add(at + by);
  }
  if (near.size === 0) return [];
  const rows: DiffRow[] = [];
  for (const [at, line] of lines.entries()) {
    const last = rows.at(-1);
    // Hiding a single line would save no space.
    const alone = (at === 0 || near.has(at - 1)) && (at === lines.length - 1 || near.has(at + 1));
    if (near.has(at) || alone) rows.push(line);
    else if (last?.kind === 'gap') rows[rows.length - 1] = { kind: 'gap', lines: last.lines + 1 };
    else rows.push({ kind: 'gap', lines: 1 });
  }
  return rows;
}
