/** Fuzzy search: how well a text matches typed letters; used by the command palette and quick open. */

/**
 * How well a text matches a query, the higher the better; 0 for no match. The letters of the query must occur in order.
 * Whole words rank above word prefixes, those above consecutive letters, those above scattered ones; short texts rank
 * above long ones.
 */
export function fuzzyScore(text: string, query: string): number {
  const needle = query.trim().toLowerCase();
  if (needle === '') return 1;
  const within = text.toLowerCase();
  const brevity = 1 / (1 + within.length / 200);
  if (within === needle) return 1_000;
  const at = within.indexOf(needle);
  if (at === 0) return 500 + 100 * brevity;
  if (at > 0) return (startsWord(text, at) ? 300 : 150) + 50 * brevity;
  const words = needle.split(/\s+/);
  if (words.length > 1 && words.every((word) => within.includes(word))) return 120 + 20 * brevity;
  return scattered(text, within, needle.replaceAll(' ', '')) * brevity;
}

/** The score of letters in order with gaps; letters at the start of words or in a row score higher. */
function scattered(text: string, within: string, letters: string): number {
  let score = 0;
  let initials = 0;
  let last = -2;
  for (const letter of letters) {
    const next = within.indexOf(letter, Math.max(0, last + 1));
    if (next === -1) return 0;
    if (startsWord(text, next)) initials += 1;
    if (next === last + 1 || startsWord(text, next)) score += 10;
    else score += 1;
    last = next;
  }
  if (initials === letters.length) return 250;
  // A low score means that the letters match by chance.
  return score >= letters.length * 4 ? Math.min(score, 100) : 0;
}

function startsWord(text: string, at: number): boolean {
  const [before, here] = [text[at - 1] ?? ' ', text[at] ?? ''];
  if (!/[\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Ll}/u.test(before) && /\p{Lu}/u.test(here);
}

/** The best matches of a query, best first; matches with the same score keep their order. */
export function bestOf<T>(
  all: readonly T[],
  query: string,
  options: { readonly textOf: (one: T) => string; readonly most: number },
): readonly T[] {
  return all
    .map((one) => ({ one, score: fuzzyScore(options.textOf(one), query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, options.most)
    .map(({ one }) => one);
}
