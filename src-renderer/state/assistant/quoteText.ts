/** Quotes texts of a notebook in messages to the assistant, so that the AI model takes them as data. */

/**
 * The most characters quoted of a text. The start and the end are kept, because an error names its cause at the end.
 */
const MOST = 6_000;
const FROM_START = 2_000;

/** Half of a surrogate pair, left by the cut. `toWellFormed` is missing in the oldest supported Chromium. */
const HALF = /[\ud800-\udfff]/gu;

/** Text of a notebook as data in a message: in a code fence that the text cannot close. */
export function quoteText(text: string): string {
  const whole = text.trimEnd();
  const excerpt =
    whole.length <= MOST
      ? whole
      : `${whole.slice(0, FROM_START)}\n[…]\n${whole.slice(FROM_START - MOST)}`.replaceAll(HALF, '\ufffd');
  const longest = Math.max(2, ...[...excerpt.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${excerpt}\n${fence}`;
}
