/** Splits the text of a console stream into lines as it arrives; a flood is read over several frames. */

import type { Line } from '../../../src-shared/terminal/line.ts';
import { TerminalText } from '../../../src-shared/terminal/terminalText.ts';
import type { ConsoleText } from '../../state/consoleText.ts';
import { consoleSlice } from '../../state/consoleText.ts';

/** Characters read per call, about 2 ms of work: a flood is read over several frames and never blocks the page. */
const PIECE = 256 * 1024;
/** The most lines of a console kept in the window. */
const MAX_LINES = 100_000;

/** The text read so far, and the number of characters of the stream before the first one read. */
interface Reading {
  readonly terminal: TerminalText;
  readonly from: number;
}

/**
 * The lines of one stream, kept in step with its text by `take`. Reads only what is new; a cleared, replaced or overrun
 * stream starts over. A replacement is shown only once it has been read completely, so that a result does not scroll
 * past. Lines are numbered from the first one read: trimming does not change their numbers.
 */
export class ConsoleLog {
  readonly #options: { readonly maxLines: number };
  /** The reading that is shown, and the one that is read into; they differ while a replacement is being read. */
  #shown: Reading;
  #read: Reading;
  #epoch = -1;
  /** The number of characters of the stream that have been read or skipped. */
  #taken = 0;
  /** The number of characters that the stream had when reading it began. */
  #begun = 0;

  constructor(options: { readonly maxLines: number } = { maxLines: MAX_LINES }) {
    this.#options = options;
    this.#shown = { terminal: new TerminalText(options), from: 0 };
    this.#read = this.#shown;
  }

  /** True while the previous text is still shown. */
  get isReplacing(): boolean {
    return this.#read !== this.#shown;
  }

  /** Reads at most PIECE characters; true once all of the text is read. */
  take(text: ConsoleText): boolean {
    const isAnother = text.epoch !== this.#epoch;
    if (isAnother || text.total < this.#taken || text.dropped > this.#taken) {
      this.#read = { terminal: new TerminalText(this.#options), from: text.dropped };
      // A flood that outruns the reading is shown from its remaining part on; otherwise it would never be shown.
      if (!isAnother || this.count === 0) this.#shown = this.#read;
      this.#epoch = text.epoch;
      this.#taken = text.dropped;
      this.#begun = text.total;
    }
    // A stream that still grows belongs to a running cell: the output of the previous run must not stay in its place.
    if (text.total > this.#begun) this.#shown = this.#read;
    if (this.#taken < text.total) {
      const piece = consoleSlice(text, this.#taken, PIECE);
      this.#read.terminal.feed(piece);
      this.#taken += piece.length;
    }
    const isWhole = this.#taken >= text.total;
    if (isWhole) this.#shown = this.#read;
    return isWhole;
  }

  /** Reads a piece of text that arrives without a ConsoleText. */
  feed(text: string): void {
    this.#read.terminal.feed(text);
  }

  /** The number of lines in the log; an empty last line does not count. */
  get count(): number {
    const { count } = this.#shown.terminal;
    return this.#shown.terminal.text(count - 1) === '' ? count - 1 : count;
  }

  line(index: number): Line {
    return this.#shown.terminal.line(index);
  }

  /** The width of a line, in columns. */
  width(index: number): number {
    return this.#shown.terminal.width(index);
  }

  /** The number of lines trimmed before the first one in the log. */
  get trimmed(): number {
    return this.#shown.terminal.trimmedLines;
  }

  /** The number of characters left out before the first line in the log. */
  get leftOut(): number {
    return this.#shown.from + this.#shown.terminal.trimmedCharacters;
  }

  /** All lines in the log as plain text. */
  text(): string {
    const lines: string[] = [];
    for (let at = 0; at < this.count; at += 1) lines.push(this.#shown.terminal.text(at));
    return lines.join('\n');
  }

  /** Numbers (from the first line ever read) of the lines that contain `needle`, ignoring case. */
  find(needle: string): number[] {
    if (needle === '') return [];
    const lowerNeedle = needle.toLowerCase();
    const lines: number[] = [];
    for (let at = 0; at < this.count; at += 1) {
      if (this.#shown.terminal.text(at).toLowerCase().includes(lowerNeedle)) lines.push(at + this.trimmed);
    }
    return lines;
  }
}
