/**
 * Console text as a terminal would show it: `\r`, `\b`, tabs as they are, colours, line erasing, and the cursor
 * steps progress bars use. Text is fed as it comes; escape sequences may be cut anywhere.
 * Colours are read by anser into data; nothing here makes HTML.
 */
import Anser from 'anser';

export interface Run {
  readonly text: string;
  /** Space-separated class names; empty for plain text. */
  readonly classes: string;
  /** True colours, as `r, g, b`. */
  readonly color: string | null;
  readonly background: string | null;
}

export type Line = readonly Run[];

/** What is not plain text, read where the plain text before it ended. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is made of them
  /\r\n|\r|\x08|\x1b\[[0-9;:?]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78cDEHM]|[\x00-\x1f\x7f]/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CUT_ESCAPE = /\x1b(?:\[[0-9;:?]*|\][^\x07\x1b]{0,4096}|\][^\x07\x1b]{0,4096}\x1b|[()])?$/;
/** Where an escape sequence that is cut at the end of a text may begin, in characters from the end. */
const CUT_REACH = 4_200;
/** A line nobody ever ends is cut here, so that one endless line cannot freeze the window. */
const MAX_COLUMNS = 20_000;
/** A trim costs a pass over the lines: it is done once for so many. */
const TRIM_LINES = 10_000;

export class TerminalText {
  readonly #anser = new Anser();
  readonly #maxLines: number;
  /** How text is drawn since the last colour sequence. */
  #style: Style = PLAIN;
  /** Of a line without colours its text alone: a hundred thousand of them are kept. */
  readonly #lines: (string | Run[])[] = [''];
  /** Lines left out before the first of `lines`, and how many characters they showed. */
  trimmedLines = 0;
  trimmedCharacters = 0;
  #row = 0;
  #column = 0;
  #rest = '';

  /** At most `maxLines` lines and TRIM_LINES more are kept, the newest. */
  constructor(options: { maxLines: number } = { maxLines: 100_000 }) {
    this.#maxLines = options.maxLines;
  }

  /** Lines kept; the last may be empty still. */
  get count(): number {
    return this.#lines.length;
  }

  /** A kept line, from 0; empty where there is none. */
  line(index: number): Line {
    return runsOf(this.#lines[index] ?? '');
  }

  /** A kept line without its colours. */
  text(index: number): string {
    const line = this.#lines[index] ?? '';
    return typeof line === 'string' ? line : textOfLine(line);
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

  #token(token: string): void {
    if (token === '\r\n') this.#newline();
    else if (token === '\r') this.#column = 0;
    else if (token === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (token.startsWith('\x1b[')) this.#control(token);
  }

  #newline(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row < this.#lines.length) return;
    this.#lines.push('');
    const extra = this.#lines.length - this.#maxLines;
    if (extra < TRIM_LINES) return;
    for (const line of this.#lines.splice(0, extra)) {
      this.trimmedCharacters += (typeof line === 'string' ? line.length : widthOf(line)) + 1;
    }
    this.trimmedLines += extra;
    this.#row -= extra;
  }

  #control(sequence: string): void {
    const kind = sequence.at(-1);
    const count = Number.parseInt(sequence.slice(2), 10) || 1;
    if (kind === 'm') this.#style = this.#styleAfter(sequence);
    else if (kind === 'K') this.#erase(Number.parseInt(sequence.slice(2), 10) || 0);
    else if (kind === 'A') this.#goTo(this.#row - count, this.#column);
    else if (kind === 'B') this.#goTo(Math.min(this.#lines.length - 1, this.#row + count), this.#column);
    else if (kind === 'C') this.#column += Math.min(count, MAX_COLUMNS);
    else if (kind === 'D') this.#column = Math.max(0, this.#column - count);
    else if (kind === 'G') this.#column = Math.min(count - 1, MAX_COLUMNS);
  }

  #goTo(row: number, column: number): void {
    this.#row = Math.max(0, row);
    this.#column = column;
  }

  #erase(how: number): void {
    const line = this.line(this.#row);
    if (how === 2) this.#lines[this.#row] = [];
    else if (how === 0) this.#lines[this.#row] = sliceLine(line, 0, this.#column);
    else
      this.#lines[this.#row] = [plain(' '.repeat(this.#column)), ...sliceLine(line, this.#column, Infinity)];
  }

  #write(text: string): void {
    if (this.#column >= MAX_COLUMNS) return;
    const room = MAX_COLUMNS - this.#column;
    const shown = text.length > room ? text.slice(0, room) : text;
    const end = this.#column + shown.length;
    const kept = this.#lines[this.#row] ?? '';
    if (this.#style === PLAIN && typeof kept === 'string' && kept.length === this.#column) {
      this.#lines[this.#row] = kept + shown;
      this.#column = end;
      return;
    }
    const run = { text: shown, ...this.#style };
    const line = runsOf(kept);
    const width = widthOf(line);
    const before = sliceLine(line, 0, this.#column);
    if (this.#column > width) before.push(plain(' '.repeat(this.#column - width)));
    append(before, run);
    this.#lines[this.#row] = [...before, ...sliceLine(line, end, Infinity)];
    this.#column = end;
  }

  /** Anser remembers what earlier sequences set; the text after this one tells the sum. */
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

type Style = Omit<Run, 'text'>;
const PLAIN: Style = { classes: '', color: null, background: null };

/** Control characters that are more than a line's end or a tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is made of them
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f]/g;

/** Where the next of them stands, or `end`. */
function specialFrom(text: string, from: number, end: number): number {
  SPECIAL.lastIndex = from;
  return indexOr(SPECIAL.exec(text)?.index ?? -1, end);
}

/** What a search found, or `end` where it found nothing. */
function indexOr(found: number, end: number): number {
  return found === -1 ? end : found;
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

/** A line as runs, which are the caller's. */
function runsOf(line: string | Run[]): Run[] {
  if (typeof line !== 'string') return [...line];
  return line === '' ? [] : [plain(line)];
}

function plain(text: string): Run {
  return { text, ...PLAIN };
}

function append(line: Run[], run: Run): void {
  const last = line.at(-1);
  const same =
    last?.classes === run.classes && last.color === run.color && last.background === run.background;
  if (same && last !== undefined) line[line.length - 1] = { ...last, text: last.text + run.text };
  else line.push(run);
}

/** The part of a line between two columns. */
export function sliceLine(line: readonly Run[], from: number, to: number): Run[] {
  const part: Run[] = [];
  let at = 0;
  for (const run of line) {
    const text = run.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (text !== '') part.push({ ...run, text });
    at += run.text.length;
  }
  return part;
}
