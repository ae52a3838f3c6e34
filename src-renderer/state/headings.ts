/** A Markdown heading of a text. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const FENCE = /^ {0,3}(```+|~~~+)/;

/** The headings of a Markdown text, in order; what stands in a fenced block is code. */
export function headingsOf(source: string): readonly Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  for (const [at, line] of source.split('\n').entries()) {
    const mark = FENCE.exec(line)?.[1]?.[0] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    if (fence !== null) continue;
    const match = HEADING.exec(line);
    if (match?.[1] !== undefined && match[2]) {
      found.push({ level: match[1].length, text: match[2], line: at + 1 });
    }
  }
  return found;
}

/** The text with its first line as a heading of this level. */
export function withHeading(source: string, level: number): string {
  const bare = source.replace(/^\s*#*[ \t]*/, '');
  return `${'#'.repeat(level)} ${bare}`;
}
