/** Differences of two texts by line. */

import { diffArrays } from 'diff';

/** One line of two texts laid over each other. */
interface DiffLine {
  readonly kind: 'same' | 'before' | 'after';
  readonly text: string;
}

/** Lines that differ, beyond which a comparison is not worth its cost: the two texts are shown one after the other. */
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

/** The line break that ends a text begins no line: files end with one, what is typed often does not. */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** A line, or a number of equal lines that are hidden. */
export type DiffRow = DiffLine | { readonly kind: 'gap'; readonly lines: number };

/** Lines around a change that are shown with it. */
const AROUND = 1;

/** The changes with a little of what is around them; empty where nothing differs. */
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
    // A gap of one line is no shorter than the line.
    const alone = (at === 0 || near.has(at - 1)) && (at === lines.length - 1 || near.has(at + 1));
    if (near.has(at) || alone) rows.push(line);
    else if (last?.kind === 'gap') rows[rows.length - 1] = { kind: 'gap', lines: last.lines + 1 };
    else rows.push({ kind: 'gap', lines: 1 });
  }
  return rows;
}
