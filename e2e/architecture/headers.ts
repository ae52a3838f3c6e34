/** Checks that a source file explains itself in its first lines; used by headers.test.ts. */

/** The number of first lines that must contain the explanation of a file. */
const FIRST_LINES = 10;
/** A file of at most this many lines needs no explanation. */
const SHORT_LINES = 25;

/** Whether a source file is short, or has a comment or docstring in its first lines. */
export function isExplained(text: string): boolean {
  const lines = text.split('\n');
  if (lines.length <= SHORT_LINES) return true;
  return lines.slice(0, FIRST_LINES).some((line) => /^\s*(?:\/\/|\/\*|#[^!]|""")/.test(line));
}
