/** Finds the first of many patterns in a text quickly, for hiding secret values. */

/** A pattern found in a text. */
interface Match {
  readonly index: number;
  readonly length: number;
}

/**
 * Finds the first match of many patterns at or after an index; of those that begin there, the longest.
 * Wu-Manber algorithm: the last two characters of a window of `least` characters tell how far the window may
 * move, so most of a text is skipped and many patterns cost little more than one. @param patterns each at
 * least `least` long
 */
export function createMatcher(
  patterns: readonly string[],
  least: number,
): (text: string, from: number) => Match | null {
  const last = least - 1;
  const shifts = new Uint8Array(65_536).fill(Math.min(last, 255));
  const buckets = new Map<number, string[]>();
  for (const pattern of [...patterns].sort((a, b) => b.length - a.length)) {
    for (let end = 1; end <= last; end++) {
      const block = blockAt(pattern, end);
      shifts[block] = Math.min(shifts[block] ?? 0, last - end);
    }
    const block = blockAt(pattern, last);
    buckets.set(block, [...(buckets.get(block) ?? []), pattern]);
  }
  return (text, from) => {
    let end = from + last;
    while (end < text.length) {
      const block = blockAt(text, end);
      const shift = shifts[block] ?? 0;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const index = end - last;
      for (const pattern of buckets.get(block) ?? []) {
        if (text.startsWith(pattern, index)) return { index, length: pattern.length };
      }
      end += 1;
    }
    return null;
  };
}

/** Two characters as one number; a collision of two pairs only costs a comparison. */
function blockAt(text: string, end: number): number {
  return ((text.charCodeAt(end - 1) << 8) + text.charCodeAt(end)) & 0xffff;
}
