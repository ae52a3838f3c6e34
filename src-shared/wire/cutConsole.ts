/** The last line of what is kept of a console whose server ended under the run. */
export const CUT_BY_SERVER =
  '[… the server stopped during this run; output of its last second may be missing …]\n';

/** What a run had printed, and that there is no more of it. */
export function withCutMark(text: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${CUT_BY_SERVER}`;
}

/** The text as it was printed, of one that {@link withCutMark} may have ended. */
export function withoutCutMark(text: string): string {
  return text.endsWith(CUT_BY_SERVER) ? text.slice(0, -CUT_BY_SERVER.length) : text;
}
