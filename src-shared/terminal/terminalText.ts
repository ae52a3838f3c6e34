/**
 * Turns console text into the lines that a terminal would show: with `\r`, `\b`, colours, erased lines and the cursor
 * movements of progress bars; tabs are unchanged. Text is fed in chunks; escape sequences may be split anywhere.
 * Colours are parsed by anser into data; nothing here creates HTML.
 */
import Anser from 'anser';
import { appendRun, type Line, PLAIN, plainLine, type Style, sliceLine, widthOf } from './line.ts';
import { LineStore, runsOf } from './lineStore.ts';

/** Everything but plain text, read at the end of the preceding plain text. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is made of them
  /\r\n|\r|\x08|\x1b\[[0-9;:?]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78cDEHM]|[\x00-\x1f\x7f]/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CUT_ESCAPE = /\x1b(?:\[[0-9;:?]*|\][^\x07\x1b]{0,4096}|\][^\x07\x1b]{0,4096}\x1b|[()])?$/;
/** The longest distance from the end of a text at which a split escape sequence may begin. */
const CUT_REACH = 4_200;
/** Maximum cursor movement without text, and the default maximum length of a line. */
const MAX_COLUMNS = 20_000;
/** The number of lines that a trim removes: many, because each trim is a pass over all lines. */
const TRIM_LINES = 10_000;
/** Plain text from this length on is stored in blocks. */
const BLOCK = 4_096;

/** The text of one console, fed in chunks. */
export class TerminalText {
  readonly #anser = new Anser();
  readonly #maxLines: number;
  readonly #maxColumns: number;
  /** The style set by the last colour sequence. */
  #style: Style = PLAIN;
  readonly #lines = new LineStore();
  #row = 0;
  #column = 0;
  #rest = '';

  /**
   * Keeps the newest `maxLines` lines, with up to TRIM_LINES more. The part of a line beyond `maxColumns` is
   * dropped: one endless line must not freeze the window.
   */
  constructor({
    maxLines = 100_000,
    maxColumns = MAX_COLUMNS,
  }: { maxLines?: number; maxColumns?: number } = {}) {
    this.#maxLines = maxLines;
    this.#maxColumns = maxColumns;
  }

  /** Number of stored lines; the last may still be empty. */
  get count(): number {
    return this.#lines.count;
  }

  /** A stored line, from 0; empty if there is none. */
  line(index: number): Line {
    return this.#lines.line(index);
  }

  /** A stored line without its colours. */
  text(index: number): string {
    return this.#lines.text(index);
  }

  /** Columns of a stored line. */
  width(index: number): number {
    return this.#lines.width(index);
  }

  /** Lines removed before the first stored one, and their number of characters. */
  get trimmedLines(): number {
    return this.#lines.trimmedLines;
  }

  get trimmedCharacters(): number {
    return this.#lines.trimmedCharacters;
  }

  feed(text: string): void {
    const input = this.#rest + text;
    const tail = Math.max(0, input.length - CUT_REACH);
    const cut = CUT_ESCAPE.exec(tail === 0 ? input : input.slice(tail));
    // A `\r` at the very end may be half of `\r\n`; it waits too.
    const until = cut === null ? (input.endsWith('\r') ? input.length - 1 : input.length) : tail + cut.index;
    this.#rest = input.slice(until);
    let [newline, special] = [-1, -1];
    for (let at = 0; at < until; ) {
      if (newline < at) newline = indexOr(input.indexOf('\n', at), until);
      if (special < at) special = specialFrom(input, at, until);
      const block = this.#block(input, at, special);
      if (block > at) {
        at = block;
        continue;
      }
      const end = Math.min(newline, special, until);
      if (end > at) this.#write(input.slice(at, end));
      if (end >= until) return;
      if (end === newline) {
        this.#newline();
        at = end + 1;
        continue;
      }
      TOKEN.lastIndex = end;
      const token = TOKEN.exec(input)?.[0] ?? '\x00';
      this.#token(token);
      at = end + token.length;
    }
  }

  /** Stores the plain lines from `at` up to `stop` as a block; returns their end, or `at`. */
  #block(input: string, at: number, stop: number): number {
    const atNewLine = this.#column === 0 && this.#row === this.count - 1 && this.text(this.#row) === '';
    if (stop - at < BLOCK || this.#style !== PLAIN || !atNewLine) return at;
    const ends: number[] = [];
    let from = at;
    for (let end = input.indexOf('\n', at); end !== -1 && end < stop; end = input.indexOf('\n', from)) {
      if (end - from > this.#maxColumns) break;
      ends.push(end - at);
      from = end + 1;
    }
    if (from - at < BLOCK) return at;
    this.#lines.pushBlock(input.slice(at, from), Uint32Array.from(ends));
    this.#row += ends.length;
    this.#trim();
    return from;
  }

  #token(token: string): void {
    if (token === '\r\n') this.#newline();
    else if (token === '\r') this.#column = 0;
    else if (token === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (token.startsWith('\x1b[')) this.#control(token);
  }

  #newline(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row < this.count) return;
    this.#lines.push();
    this.#trim();
  }

  /** In multiples of TRIM_LINES, so that the same lines are removed however the text was split. */
  #trim(): void {
    const extra = Math.floor((this.count - this.#maxLines) / TRIM_LINES) * TRIM_LINES;
    if (extra <= 0) return;
    this.#lines.trim(extra);
    this.#row -= extra;
  }

  #control(sequence: string): void {
    const kind = sequence.at(-1);
    const count = Number.parseInt(sequence.slice(2), 10) || 1;
    if (kind === 'm') this.#style = this.#styleAfter(sequence);
    else if (kind === 'K') this.#erase(Number.parseInt(sequence.slice(2), 10) || 0);
    else if (kind === 'A') this.#goTo(this.#row - count, this.#column);
    else if (kind === 'B') this.#goTo(Math.min(this.count - 1, this.#row + count), this.#column);
    else if (kind === 'C') this.#column = Math.max(this.#column, Math.min(this.#column + count, MAX_COLUMNS));
    else if (kind === 'D') this.#column = Math.max(0, this.#column - count);
    else if (kind === 'G') this.#column = Math.min(count - 1, MAX_COLUMNS);
  }

  #goTo(row: number, column: number): void {
    this.#row = Math.max(0, row);
    this.#column = column;
  }

  #erase(how: number): void {
    const line = this.line(this.#row);
    if (how === 2) this.#lines.set(this.#row, []);
    else if (how === 0) this.#lines.set(this.#row, sliceLine(line, 0, this.#column));
    else {
      const rest = sliceLine(line, this.#column, Infinity);
      this.#lines.set(this.#row, [plainLine(' '.repeat(this.#column)), ...rest]);
    }
  }

  #write(text: string): void {
    if (this.#column >= this.#maxColumns) return;
    const room = this.#maxColumns - this.#column;
    const visible = text.length > room ? text.slice(0, room) : text;
    const end = this.#column + visible.length;
    const current = this.#lines.kept(this.#row);
    if (this.#style === PLAIN && typeof current === 'string' && current.length === this.#column) {
      this.#lines.set(this.#row, current + visible);
      this.#column = end;
      return;
    }
    const run = { text: visible, ...this.#style };
    const line = runsOf(current);
    const width = widthOf(line);
    const before = sliceLine(line, 0, this.#column);
    if (this.#column > width) before.push(plainLine(' '.repeat(this.#column - width)));
    appendRun(before, run);
    this.#lines.set(this.#row, [...before, ...sliceLine(line, end, Infinity)]);
    this.#column = end;
  }

  /** Anser keeps the state of earlier sequences; the style of a test character shows the total. */
  #styleAfter(sequence: string): Style {
    const entry = this.#anser.ansiToJson(`${sequence}x`, { json: true, use_classes: true }).at(-1);
    if (entry === undefined) return PLAIN;
    const reversed = entry.decorations.includes('reverse');
    const classes: string[] = entry.decorations.map((name) => `ansi-${name}`);
    const fg = colourOf(entry.fg, entry.fg_truecolor);
    const bg = colourOf(entry.bg, entry.bg_truecolor);
    if (fg.name !== null) classes.push(reversed ? `${fg.name}-bg` : `${fg.name}-fg`);
    if (bg.name !== null) classes.push(reversed ? `${bg.name}-fg` : `${bg.name}-bg`);
    const [color, background] = reversed ? [bg.rgb, fg.rgb] : [fg.rgb, bg.rgb];
    if (classes.length === 0 && color === null && background === null) return PLAIN;
    return { classes: classes.join(' '), color, background };
  }
}

/** A named colour of the theme, or exact ones: true colours and the 240 of the palette. */
function colourOf(
  name: string | null,
  truecolor: string | null,
): { name: string | null; rgb: string | null } {
  if (!name) return { name: null, rgb: null };
  if (name === 'ansi-truecolor') return { name: null, rgb: truecolor };
  const index = Number(/^ansi-palette-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(index)) return { name, rgb: null };
  if (index >= 232)
    return {
      name: null,
      rgb: Array(3)
        .fill(8 + (index - 232) * 10)
        .join(', '),
    };
  const step = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return {
    name: null,
    rgb: [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step).join(', '),
  };
}

/** Control characters other than line ends and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is made of them
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** The index of the next one, or `end`. */
function specialFrom(text: string, from: number, end: number): number {
  SPECIAL.lastIndex = from;
  return indexOr(SPECIAL.exec(text)?.index ?? -1, end);
}

/** A search result, or `end` if there was none. */
function indexOr(index: number, end: number): number {
  return index === -1 ? end : index;
}
