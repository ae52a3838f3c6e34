/** One line of two texts laid over each other. */
export interface DiffLine {
  readonly kind: 'same' | 'theirs' | 'mine';
  readonly text: string;
}

/** Above this the comparison is not worth its cost: the changed middle is shown as two blocks. */
const MAX_CELLS = 4_000_000;

/** What stands only in `theirs`, only in `mine`, and in both, in order. */
export function lineDiff(theirs: string, mine: string): readonly DiffLine[] {
  const [a, b] = [theirs.split('\n'), mine.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) {
    end += 1;
  }
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

function middle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const theirs = a.map((text): DiffLine => ({ kind: 'theirs', text }));
  const mine = b.map((text): DiffLine => ({ kind: 'mine', text }));
  if (a.length === 0 || b.length === 0 || a.length * b.length > MAX_CELLS) return [...theirs, ...mine];
  // Longest common subsequence, from the ends so that the walk goes forwards.
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [theirs[i], mine[j]];
    if (left !== undefined && right !== undefined && left.text === right.text) {
      lines.push({ kind: 'same', text: left.text });
      [i, j] = [i + 1, j + 1];
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(left);
      i += 1;
    } else if (right !== undefined) {
      lines.push(right);
      j += 1;
    }
  }
  return lines;
}
