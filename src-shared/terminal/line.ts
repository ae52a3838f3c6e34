/** One line of a console or terminal as runs of text with the same style, and operations on such lines. */

export interface Run {
  readonly text: string;
  /** Space-separated class names; empty for plain text. */
  readonly classes: string;
  /** True colours, as `r, g, b`. */
  readonly color: string | null;
  readonly background: string | null;
}

export type Line = readonly Run[];

/** How a run is drawn. */
export type Style = Omit<Run, 'text'>;

export const PLAIN: Style = { classes: '', color: null, background: null };

/** A run of text without style. */
export function plainLine(text: string): Run {
  return { text, ...PLAIN };
}

/** Columns of a line. */
export function widthOf(line: Line): number {
  let width = 0;
  for (const run of line) width += run.text.length;
  return width;
}

/** A line without its colours. */
export function textOfLine(line: Line): string {
  return line.length === 1 ? (line[0]?.text ?? '') : line.map((run) => run.text).join('');
}

/** The part of a line between two columns. */
export function sliceLine(line: Line, from: number, to: number): Run[] {
  const part: Run[] = [];
  let at = 0;
  for (const run of line) {
    const text = run.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (text !== '') part.push({ ...run, text });
    at += run.text.length;
  }
  return part;
}

/** Appends a run to a line, merged with the last run if both have the same style. */
export function appendRun(line: Run[], run: Run): void {
  const last = line.at(-1);
  const same =
    last?.classes === run.classes && last.color === run.color && last.background === run.background;
  if (same && last !== undefined) line[line.length - 1] = { ...last, text: last.text + run.text };
  else line.push(run);
}
