/** Of a longer text the beginning and the end: an error says at its end what it is. */
const MOST = 6_000;
const FROM_START = 2_000;

/** Half of a character that the cut left; `toWellFormed` is missing in the oldest Chromium that Cellar runs in. */
const HALF = /[\ud800-\udfff]/gu;

/** Text of a notebook as data in a message: in a fence that the text cannot close. */
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
