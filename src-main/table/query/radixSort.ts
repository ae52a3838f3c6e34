/** Sorts the row numbers of a table by the words of a column. */

/** The part of `rows` that is being sorted. */
interface Span {
  readonly rows: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/**
 * Writes the keys of `rows[from…to)` at one level into `keys[from…to)`. False if that level has no more information
 * about these rows, so that they are equal.
 */
export type LevelFill = (level: number, span: Span, keys: Uint32Array) => boolean;

/**
 * The second of two levels, by row: most runs that the first level leaves have two or three rows, for which a call is
 * expensive.
 */
export interface LastLevel {
  readonly words: Uint32Array;
  /** The mask that each word is XORed with. */
  readonly flip: number;
}

/** Runs shorter than this are sorted by insertion; a radix pass would spend its time on counters. */
const SMALL = 48;
const BITS = 11;
const BUCKETS = 1 << BITS;
const MASK = BUCKETS - 1;

interface Scratch {
  keys: Uint32Array;
  otherKeys: Uint32Array;
  otherRows: Uint32Array;
  readonly counts: Uint32Array;
}

/**
 * Sorts `rows` in place and stably by their levels, most significant first: each level by counting passes of 11 bits,
 * then the runs that are still equal by the next level. Uses an explicit stack, because long common prefixes need many
 * levels.
 */
export function radixSort(rows: Uint32Array, fill: LevelFill, last: LastLevel | null = null): void {
  const length = rows.length;
  const scratch: Scratch = {
    keys: new Uint32Array(length),
    otherKeys: new Uint32Array(length),
    otherRows: new Uint32Array(length),
    counts: new Uint32Array(3 * BUCKETS),
  };
  const stack: { readonly from: number; readonly to: number; readonly level: number }[] = [
    { from: 0, to: length, level: 0 },
  ];
  for (let run = stack.pop(); run !== undefined; run = stack.pop()) {
    const { from, to, level } = run;
    if (to - from <= SMALL) {
      sortSmall({ rows, from, to }, level, { fill, keys: scratch.keys });
      continue;
    }
    if (!fill(level, { rows, from, to }, scratch.keys)) continue;
    countingSort(rows, scratch, from, to);
    const { keys } = scratch;
    let start = from;
    for (let at = from + 1; at <= to; at += 1) {
      if (at < to && keys[at] === keys[start]) continue;
      // Long runs wait, because the keys of later rows must not be overwritten; short ones only write their own.
      if (at - start > SMALL) stack.push({ from: start, to: at, level: level + 1 });
      else if (at - start > 1 && last !== null && level === 0)
        sortByLast({ rows, from: start, to: at }, last);
      else if (at - start > 1) sortSmall({ rows, from: start, to: at }, level + 1, { fill, keys });
      start = at;
    }
  }
}

/** Like the loop above, for a short run: continues with the next level while all of its rows are equal. */
function sortSmall(
  span: Span,
  level: number,
  by: { readonly fill: LevelFill; readonly keys: Uint32Array },
): void {
  const { rows, from, to } = span;
  const { fill, keys } = by;
  if (to - from < 2) return;
  for (let at = level; fill(at, span, keys); at += 1) {
    insertionSort(rows, keys, from, to);
    if (keys[from] === keys[to - 1]) continue;
    let start = from;
    for (let end = from + 1; end <= to; end += 1) {
      if (end < to && keys[end] === keys[start]) continue;
      if (end - start > 1) sortSmall({ rows, from: start, to: end }, at + 1, by);
      start = end;
    }
    return;
  }
}

/** Sorts short runs by the last level; stable, like the others. Every index is within its array. */
function sortByLast({ rows, from, to }: Span, { words, flip }: LastLevel): void {
  for (let at = from + 1; at < to; at += 1) {
    const row = rows[at] as number;
    const key = ((words[row] as number) ^ flip) >>> 0;
    let hole = at;
    while (hole > from && ((words[rows[hole - 1] as number] as number) ^ flip) >>> 0 > key) {
      rows[hole] = rows[hole - 1] as number;
      hole -= 1;
    }
    rows[hole] = row;
  }
}

function insertionSort(rows: Uint32Array, keys: Uint32Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at += 1) {
    const key = keys[at] ?? 0;
    const row = rows[at] ?? 0;
    let hole = at;
    while (hole > from && (keys[hole - 1] ?? 0) > key) {
      keys[hole] = keys[hole - 1] ?? 0;
      rows[hole] = rows[hole - 1] ?? 0;
      hole -= 1;
    }
    keys[hole] = key;
    rows[hole] = row;
  }
}

/** Sorts by counting, in up to three passes over the whole word; a pass with the same digit everywhere is skipped. */
function countingSort(rows: Uint32Array, scratch: Scratch, from: number, to: number): void {
  const { counts } = scratch;
  counts.fill(0);
  let { keys, otherKeys } = scratch;
  let fromRows = rows;
  let toRows = scratch.otherRows;
  for (let at = from; at < to; at += 1) {
    const key = keys[at] ?? 0;
    const low = key & MASK;
    const middle = BUCKETS + ((key >>> BITS) & MASK);
    const high = 2 * BUCKETS + (key >>> (2 * BITS));
    counts[low] = (counts[low] ?? 0) + 1;
    counts[middle] = (counts[middle] ?? 0) + 1;
    counts[high] = (counts[high] ?? 0) + 1;
  }
  for (let pass = 0; pass < 3; pass += 1) {
    const shift = pass * BITS;
    const base = pass * BUCKETS;
    const first = ((keys[from] ?? 0) >>> shift) & MASK;
    if (counts[base + first] === to - from) continue;
    let sum = from;
    for (let bucket = base; bucket < base + BUCKETS; bucket += 1) {
      const count = counts[bucket] ?? 0;
      counts[bucket] = sum;
      sum += count;
    }
    for (let at = from; at < to; at += 1) {
      const key = keys[at] ?? 0;
      const bucket = base + ((key >>> shift) & MASK);
      const target = counts[bucket] ?? 0;
      counts[bucket] = target + 1;
      otherKeys[target] = key;
      toRows[target] = fromRows[at] ?? 0;
    }
    [keys, otherKeys] = [otherKeys, keys];
    [fromRows, toRows] = [toRows, fromRows];
  }
  if (fromRows !== rows) rows.set(fromRows.subarray(from, to), from);
  if (keys !== scratch.keys) scratch.keys.set(keys.subarray(from, to), from);
}
