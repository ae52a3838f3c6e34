/**
 * What one console stream of a cell shows: the tail of what was printed, capped, in pieces as it came.
 * `total` and `epoch` let a view read only what is new: while `epoch` stays the same the text only grew.
 * The cost of appending depends on the appended text, not on the stored text.
 */
export interface ConsoleText {
  /** In order; together at most CONSOLE_LIMIT characters and one piece, the newest. */
  readonly pieces: readonly string[];
  /** Characters left out before `pieces`. */
  readonly dropped: number;
  /** Characters received since the stream was last cleared. */
  readonly total: number;
  /** Counts clears and replacements. */
  readonly epoch: number;
}

/** The window stores 8 Mi characters per stream (100,000 lines of 80); the server has the whole log. */
export const CONSOLE_LIMIT = 8 * 1024 * 1024;
/** Shorter pieces are joined, so that a stream of single letters stays a short list. */
const PIECE = 64 * 1024;

export const emptyConsole: ConsoleText = { pieces: [], dropped: 0, total: 0, epoch: 0 };

/** Adds what was printed, keeping the newest CONSOLE_LIMIT characters. */
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

/** Console rule 3: a result's string takes the place of what was streamed. */
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
 * The characters from place `from` of the stream (0 is the first ever received), at most `most` of them.
 * `from` must not be before the stored text.
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

/** Pieces of a text, none of which ends inside a surrogate pair. */
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

/** A place at or after `start`: behind a line end where one is near, never inside a surrogate pair. */
function cutAt(piece: string, start: number): number {
  const newline = piece.indexOf('\n', start);
  if (newline !== -1 && newline - start < 4096) return newline + 1;
  const first = piece.charCodeAt(start);
  return first >= 0xdc00 && first <= 0xdfff ? start + 1 : start;
}
