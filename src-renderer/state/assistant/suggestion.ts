/** Suggestions at the caret: when to request one, and what remains of the last one after more typing. */

/** The text of a cell on both sides of the caret. */
export interface CaretPlace {
  readonly before: string;
  readonly after: string;
}

/** The last suggestion, and the position it was requested for. */
export interface LastSuggestion extends CaretPlace {
  readonly cellId: string;
  readonly text: string;
}

/** With fewer visible characters before the caret, a suggestion would be a guess. */
const MIN_TYPED = 3;
/** Characters that editors insert automatically; they may follow the caret in its line. */
const CLOSERS = /^[\s)\]}"'`,;:]*$/;

/** Whether to request a suggestion: some text was typed, and nothing else follows in the line. */
export function canSuggestAt({ before, after }: CaretPlace): boolean {
  const [rest = ''] = after.split('\n', 1);
  return before.trim().length >= MIN_TYPED && CLOSERS.test(rest);
}

/**
 * The rest of the last suggestion if the user has typed its start, so that no request is needed. Null if the text
 * differs.
 */
export function remainingSuggestion(
  last: LastSuggestion | null,
  cellId: string,
  place: CaretPlace,
): string | null {
  if (last === null || last.cellId !== cellId || last.after !== place.after) return null;
  const whole = last.before + last.text;
  const isPart = place.before.startsWith(last.before) && whole.startsWith(place.before);
  return isPart && whole !== place.before ? whole.slice(place.before.length) : null;
}
