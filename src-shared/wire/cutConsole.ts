/** Marks console output that was cut off because the server ended during the run. */

/** The last line of a stored console that was cut off when its server ended during the run. */
const CUT_BY_SERVER = '[… the server stopped during this run; output of its last second may be missing …]\n';

/** Marks the output of a run as cut off. */
export function withCutMark(text: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${CUT_BY_SERVER}`;
}

/** The output without the mark of {@link withCutMark}. */
export function withoutCutMark(text: string): string {
  return text.endsWith(CUT_BY_SERVER) ? text.slice(0, -CUT_BY_SERVER.length) : text;
}
