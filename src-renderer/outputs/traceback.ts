/** Splits the error of a failed run into message, traceback and links to lines of cells. */

/** A place in a cell that an error names. */
export interface CellPlace {
  readonly cell: string;
  readonly line: number;
}

type TracebackPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'place'; readonly text: string; readonly place: CellPlace };

const PLACE =
  /File "<cell (?<py>[^>"]+)>", line (?<pyLine>\d+)|\bcell (?<own>[\w.-]+), line (?<ownLine>\d+)|\bline (?<rLine>\d+) of <cell (?<r>[^>"]+)>/g;

/** The text of a failure with the places it names: `File "<cell load>", line 3`, R's `line 3 of <cell load>`, ours. */
export function tracebackParts(text: string): TracebackPart[] {
  const parts: TracebackPart[] = [];
  let at = 0;
  for (const match of text.matchAll(PLACE)) {
    const { py, own, r, pyLine, ownLine, rLine } = match.groups ?? {};
    const cell = py ?? own ?? r ?? '';
    const line = Number(pyLine ?? ownLine ?? rLine);
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) });
    parts.push({ kind: 'place', text: match[0], place: { cell, line } });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** The parts of an error, as they are shown. */
interface SplitError {
  /** What went wrong, in one line. */
  readonly summary: string;
  /** The rest of the exception's message; null if there is none. */
  readonly message: string | null;
  /** The traceback; null if the error has none. */
  readonly traceback: string | null;
}

/** The header of Python's traceback; for an exception group, with the box that Python draws around it. */
const HEADER = /^(?:Traceback|(?<group> {2}\+ )Exception Group Traceback) \(most recent call last\):$/;
/** The line between an exception and the one that it caused, with a blank line on either side. */
const CHAIN = /^(?:The above exception was the direct cause|During handling of the above exception)/;
/** The line that names the iteration of a loop or the variant of a sweep that failed. */
const WHICH = /:$|^\[variant=.*\]$/;
/** The marker in the middle of an error that was too long to be stored completely. */
const CUT = /^… \d+ characters left out …$/;

/** A longer line is shown in the message's box, which scrolls. */
const MAX_SUMMARY = 400;
const SHORT_SUMMARY = 200;
const MAX_WORD = 40;

/** Splits an error into one short line, the rest of the exception's message, and the traceback, if there is one. */
export function splitError(error: string): SplitError {
  const whole = splitLines(error);
  const { summary, message, traceback } = whole;
  if (summary.length <= MAX_SUMMARY) return whole;
  // The message continues where the summary was cut; the traceback ends with the summary as it is shown.
  const cut = endOfWord(summary, SHORT_SUMMARY);
  const rest = `…${summary.slice(cut)}`;
  const summaryStart = `${summary.slice(0, cut)}…`;
  return {
    summary: summaryStart,
    message: message === null ? rest : `${rest}\n${message}`,
    traceback: traceback?.endsWith(summary) ? traceback.slice(0, -summary.length) + summaryStart : traceback,
  };
}

/** Where a line is cut near `most`: after a space, unless the last word is long. */
function endOfWord(line: string, most: number): number {
  const space = line.lastIndexOf(' ', most - 1);
  return space > most - MAX_WORD ? space + 1 : most;
}

function splitLines(error: string): SplitError {
  const lines = error.replace(/\s+$/, '').split('\n');
  if (lines.length === 1) return { summary: error.trim(), message: null, traceback: null };
  const traceback = lines.join('\n');
  const block = lines.findLastIndex((_line, at) => isHeader(lines, at));
  if (block === -1) return { summary: summaryWithoutHeader(lines), message: null, traceback };
  if (HEADER.exec(lines[block] ?? '')?.groups?.['group'] !== undefined) {
    const group = lines.slice(block).find((line) => /^ {2}\| \S/.test(line)) ?? '';
    // The exceptions in a group have tracebacks of their own, which are not a message.
    return { summary: group.slice(4), message: null, traceback };
  }
  // Frames are indented: the first line that is not indented starts the exception, whatever its message contains.
  const begins = (after: number) => lines.findIndex((line, index) => index > after && /^\S/.test(line));
  const first = begins(block);
  // After a cut, the text continues at any place in a line, so the line after the marker does not count.
  const at = CUT.test(lines[first] ?? '') ? begins(first + 1) : first;
  if (at === -1) return { summary: summaryWithoutHeader(lines), message: null, traceback };
  const [head = '', ...rest] = lines.slice(at);
  const message = rest.join('\n').replace(/^\s*\n/, '');
  // If the message begins with a line break, the first line contains only the exception's class.
  if (/^[\w.]+:\s*$/.test(head) && message !== '') {
    const [first = '', ...more] = message.split('\n');
    return {
      summary: `${head.trim()} ${first.trim()}`,
      ...messagePart(more.join('\n')),
      traceback: linesUpTo(lines, at),
    };
  }
  return { summary: head, ...messagePart(message), traceback: linesUpTo(lines, at) };
}

function messagePart(message: string): Pick<SplitError, 'message'> {
  return { message: message === '' ? null : message };
}

function linesUpTo(lines: readonly string[], last: number): string {
  return lines.slice(0, last + 1).join('\n');
}

/**
 * Whether a traceback begins at a line: at the beginning of the text, after the line that names the failed one of many
 * runs, or after an exception that led to this one. Other headers are quotations in a message.
 */
function isHeader(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (at === 0 && line.startsWith('  File ')) return true;
  if (!HEADER.test(line)) return false;
  if (at === 0 || (at === 1 && WHICH.test(lines[0] ?? ''))) return true;
  return lines[at - 1] === '' && CHAIN.test(lines[at - 2] ?? '');
}

/** For a Python traceback whose beginning was cut, the last line; for errors of R and others, the first line. */
function summaryWithoutHeader(lines: readonly string[]): string {
  if (!lines.some((line) => line.startsWith('  File '))) return lines[0] ?? '';
  return lines.findLast((line) => line !== '' && !line.startsWith(' ')) ?? lines[0] ?? '';
}
