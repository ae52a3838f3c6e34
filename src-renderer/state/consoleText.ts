/**
 * What one console stream of a cell shows: the tail of what was printed, capped.
 * `total` and `epoch` let a view append only what is new: while `epoch` stays the same the text only grew.
 */
export interface ConsoleText {
  /** At most CONSOLE_LIMIT characters, the newest. */
  readonly text: string;
  /** Characters left out before `text`. */
  readonly dropped: number;
  /** Characters received since the stream was last cleared. */
  readonly total: number;
  /** Counts clears and replacements. */
  readonly epoch: number;
}

/** 256 Ki characters per stream are kept in the window; the whole log is the server's. */
export const CONSOLE_LIMIT = 256 * 1024;

export const emptyConsole: ConsoleText = { text: '', dropped: 0, total: 0, epoch: 0 };

/** Adds what was printed, keeping the newest CONSOLE_LIMIT characters. */
export function appendConsole(console: ConsoleText, text: string): ConsoleText {
  if (text === '') return console;
  return withTail(console.text + text, { total: console.total + text.length, epoch: console.epoch });
}

export function clearConsole(console: ConsoleText): ConsoleText {
  if (console.total === 0) return console;
  return { ...emptyConsole, epoch: console.epoch + 1 };
}

/** Console rule 3: a result's string takes the place of what was streamed. */
export function replaceConsole(console: ConsoleText, text: string): ConsoleText {
  if (console.dropped === 0 && console.text === text) return console;
  return withTail(text, { total: text.length, epoch: console.epoch + 1 });
}

function withTail(whole: string, counts: { total: number; epoch: number }): ConsoleText {
  const text = whole.length > CONSOLE_LIMIT ? tailOf(whole) : whole;
  return { text, dropped: counts.total - text.length, ...counts };
}

/** The newest characters, cut at a line start where one is near, never inside a surrogate pair. */
function tailOf(whole: string): string {
  const start = whole.length - CONSOLE_LIMIT;
  const newline = whole.indexOf('\n', start);
  if (newline !== -1 && newline - start < 4096) return whole.slice(newline + 1);
  const first = whole.charCodeAt(start);
  return whole.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}
