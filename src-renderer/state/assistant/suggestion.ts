/** A suggestion at the caret: when one is asked for, and what remains of the last one after more typing. */

/** The text of a cell on both sides of the caret. */
export interface CaretPlace {
  readonly before: string;
  readonly after: string;
}

/** The last suggestion, with the place it was for. */
export interface LastSuggestion extends CaretPlace {
  readonly cellId: string;
  readonly text: string;
}

/** With fewer visible characters a suggestion would be a guess. */
const MIN_TYPED = 3;
/** What editors close by themselves may follow the caret in its line. */
const CLOSERS = /^[\s)\]}"'`,;:]*$/;

/** Whether a suggestion makes sense here: some text was typed, and none follows in the line. */
export function canSuggestAt({ before, after }: CaretPlace): boolean {
  const [rest = ''] = after.split('\n', 1);
  return before.trim().length >= MIN_TYPED && CLOSERS.test(rest);
}

/**
 * What remains of the last suggestion when the person has typed its beginning: no request is needed for that. Null: the
 * text is another one.
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
