/** The text of a cell's console stream as this window holds it: its end, limited in length. */

/**
 * The shown text of one console stream of a cell: the end of the output, limited in length, in pieces. With `total` and
 * `epoch` a view can read only the new text: while `epoch` stays the same, text is only appended. The cost of appending
 * depends on the appended text, not on the stored text.
 */
export interface ConsoleText {
  /** In order. Together at most CONSOLE_LIMIT characters and one piece, the newest. */
  readonly pieces: readonly string[];
  /** Characters removed before `pieces`. */
  readonly dropped: number;
  /** Characters received since the stream was last cleared. */
  readonly total: number;
  /** The number of times the text was cleared or replaced. */
  readonly epoch: number;
}

/** The most characters per stream in the window: 8 Mi (100,000 lines of 80); the server has the full log. */
export const CONSOLE_LIMIT = 8 * 1024 * 1024;
/** Shorter pieces are joined, so that output letter by letter does not become a long list. */
const PIECE = 64 * 1024;

export const emptyConsole: ConsoleText = { pieces: [], dropped: 0, total: 0, epoch: 0 };

/** Appends output and removes the oldest text above CONSOLE_LIMIT. */
export function appendConsole(console: ConsoleText, text: string): ConsoleText {
  if (text === '') return console;
  const total = console.total + text.length;
  const pieces = [...console.pieces];
  const last = pieces.at(-1);
  if (last !== undefined && last.length + text.length <= PIECE) pieces[pieces.length - 1] = last + text;
  else pieces.push(...piecesOf(text));
  return withTail(pieces, { total, dropped: console.dropped, epoch: console.epoch });
}

export function clearConsole(console: ConsoleText): ConsoleText {
  if (console.total === 0) return console;
  return { ...emptyConsole, epoch: console.epoch + 1 };
}

/** Replaces the streamed text by the console text of a result (docs/spec/live-protocol.md, 5.2, rule 3). */
export function replaceConsole(console: ConsoleText, text: string): ConsoleText {
  if (console.total === text.length && console.dropped === 0 && consoleString(console) === text) {
    return console;
  }
  return appendConsole({ ...emptyConsole, epoch: console.epoch + 1 }, text);
}

/** The stored text as one string. */
export function consoleString(console: ConsoleText): string {
  return console.pieces.join('');
}

/**
 * At most `most` characters from position `from` of the stream, where 0 is the first character ever received. `from`
 * must not be before the stored text.
 */
export function consoleSlice(console: ConsoleText, from: number, most: number): string {
  let skip = from - console.dropped;
  let text = '';
  for (const piece of console.pieces) {
    if (text.length >= most) break;
    if (skip < piece.length) text += piece.slice(skip, skip + most - text.length);
    skip = Math.max(0, skip - piece.length);
  }
  return text;
}

/** Splits a text into pieces, none of which ends inside a surrogate pair. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const last = text.charCodeAt(at + PIECE - 1);
    const end = at + PIECE - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

function withTail(pieces: string[], counts: { total: number; dropped: number; epoch: number }): ConsoleText {
  let { dropped: droppedLength } = counts;
  let extra = counts.total - droppedLength - CONSOLE_LIMIT;
  while (extra > 0) {
    const first = pieces[0] ?? '';
    const cut = first.length <= extra ? first.length : cutAt(first, extra);
    if (cut === first.length) pieces.shift();
    else pieces[0] = first.slice(cut);
    droppedLength += cut;
    extra -= cut;
  }
  return { pieces, ...counts, dropped: droppedLength };
}

/** A position to split at, at or after `start`: after a nearby line break, never inside a surrogate pair. */
function cutAt(piece: string, start: number): number {
  const newline = piece.indexOf('\n', start);
  if (newline !== -1 && newline - start < 4096) return newline + 1;
  const first = piece.charCodeAt(start);
  return first >= 0xdc00 && first <= 0xdfff ? start + 1 : start;
}
