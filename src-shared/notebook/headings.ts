/** Finds and sets the headings of Markdown texts. */

/** A Markdown heading of a text. */
interface Heading {
  readonly level: number;
  /** The text without emphasis, code marks and links. */
  readonly text: string;
  /** The line in the text, from 1. */
  readonly line: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Results by source, so that each source is parsed only once. */
const cachedHeadings = new Map<string, readonly Heading[]>();
const KNOWN_LIMIT = 2_000;

/** The headings of a Markdown text, in order; lines in a fenced block are code. */
export function headingsOf(source: string): readonly Heading[] {
  const before = cachedHeadings.get(source);
  if (before !== undefined) return before;
  const headings = findHeadings(source);
  if (cachedHeadings.size >= KNOWN_LIMIT) cachedHeadings.clear();
  cachedHeadings.set(source, headings);
  return headings;
}

function findHeadings(source: string): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  for (const [at, line] of source.split('\n').entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      // A fence is closed by its own mark, at least as long as the opening one.
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    const match = fence === null ? HEADING.exec(line) : null;
    const text = plainText(match?.[2] ?? '');
    if (match?.[1] !== undefined && text !== '')
      headings.push({ level: match[1].length, text, line: at + 1 });
  }
  return headings;
}

/** A line of Markdown as plain text: without emphasis, code marks and links. */
export function plainText(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`~]{1,3}(\S(?:.*?\S)?)[*_`~]{1,3}/g, '$1')
    .trim();
}

/** The text with its first line as a heading of this level. */
export function withHeading(source: string, level: number): string {
  const bare = source.replace(/^\s*#*[ \t]*/, '');
  return `${'#'.repeat(level)} ${bare}`;
}
