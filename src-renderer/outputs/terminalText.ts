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

const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is made of them
  /\r\n|\n|\r|\x08|\x1b\[[0-9;:?]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78cDEHM]|[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|[^\x00-\x08\x0a-\x1f\x7f]+|\x1b/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CUT_ESCAPE = /\x1b(?:\[[0-9;:?]*|\][^\x07\x1b]{0,4096}|[()])?$/;
/** A line nobody ever ends is cut here, so that one endless line cannot freeze the window. */
const MAX_COLUMNS = 20_000;

export class TerminalText {
  readonly #anser = new Anser();
  /** How text is drawn since the last colour sequence. */
  #style: Style = PLAIN;
  readonly lines: Run[][] = [[]];
  /** Lines before this index have not changed since the last `takeDirty`. */
  #dirtyFrom = 0;
  #row = 0;
  #column = 0;
  #rest = '';

  feed(text: string): void {
    const input = this.#rest + text;
    const cut = CUT_ESCAPE.exec(input);
    // A `\r` at the very end may be half of `\r\n`; it waits too.
    const until = cut?.index ?? (input.endsWith('\r') ? input.length - 1 : input.length);
    this.#rest = input.slice(until);
    for (const [token] of input.slice(0, until).matchAll(TOKEN)) this.#token(token);
  }

  /** The first line that may have changed since this was last asked. */
  takeDirty(): number {
    const from = this.#dirtyFrom;
    this.#dirtyFrom = this.lines.length - 1;
    return Math.min(from, this.#row);
  }

  #token(token: string): void {
    if (token === '\n' || token === '\r\n') this.#newline();
    else if (token === '\r') this.#column = 0;
    else if (token === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (token.startsWith('\x1b[')) this.#control(token);
    else if (token.charCodeAt(0) >= 0x20 || token.startsWith('\t')) this.#write(token);
  }

  #newline(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row >= this.lines.length) this.lines.push([]);
  }

  #control(sequence: string): void {
    const kind = sequence.at(-1);
    const count = Number.parseInt(sequence.slice(2), 10) || 1;
    if (kind === 'm') this.#style = this.#styleAfter(sequence);
    else if (kind === 'K') this.#erase(Number.parseInt(sequence.slice(2), 10) || 0);
    else if (kind === 'A') this.#goTo(this.#row - count, this.#column);
    else if (kind === 'B') this.#goTo(Math.min(this.lines.length - 1, this.#row + count), this.#column);
    else if (kind === 'C') this.#column += Math.min(count, MAX_COLUMNS);
    else if (kind === 'D') this.#column = Math.max(0, this.#column - count);
    else if (kind === 'G') this.#column = Math.min(count - 1, MAX_COLUMNS);
  }

  #goTo(row: number, column: number): void {
    this.#row = Math.max(0, row);
    this.#column = column;
    this.#dirtyFrom = Math.min(this.#dirtyFrom, this.#row);
  }

  #erase(how: number): void {
    this.#dirtyFrom = Math.min(this.#dirtyFrom, this.#row);
    const line = this.lines[this.#row] ?? [];
    if (how === 2) this.lines[this.#row] = [];
    else if (how === 0) this.lines[this.#row] = slice(line, 0, this.#column);
    else this.lines[this.#row] = [plain(' '.repeat(this.#column)), ...slice(line, this.#column, Infinity)];
  }

  #write(text: string): void {
    this.#dirtyFrom = Math.min(this.#dirtyFrom, this.#row);
    if (this.#column >= MAX_COLUMNS) return;
    const run = { text: text.slice(0, MAX_COLUMNS - this.#column), ...this.#style };
    const line = this.lines[this.#row] ?? [];
    const width = line.reduce((sum, one) => sum + one.text.length, 0);
    const end = this.#column + run.text.length;
    if (this.#column === width) append(line, run);
    else {
      const before = slice(line, 0, this.#column);
      if (this.#column > width) before.push(plain(' '.repeat(this.#column - width)));
      append(before, run);
      this.lines[this.#row] = [...before, ...slice(line, end, Infinity)];
    }
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
    return {
      classes: classes.join(' '),
      color: reversed ? bg.rgb : fg.rgb,
      background: reversed ? fg.rgb : bg.rgb,
    };
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
function slice(line: readonly Run[], from: number, to: number): Run[] {
  const part: Run[] = [];
  let at = 0;
  for (const run of line) {
    const text = run.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (text !== '') part.push({ ...run, text });
    at += run.text.length;
  }
  return part;
}
