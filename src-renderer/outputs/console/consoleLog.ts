/** Lines of a console stream as they arrive. */

import type { Line } from '../../../src-shared/terminal/line.ts';
import { TerminalText } from '../../../src-shared/terminal/terminalText.ts';
import type { ConsoleText } from '../../state/consoleText.ts';
import { consoleSlice } from '../../state/consoleText.ts';

/** Characters read at once, about 2 ms of work: a flood is read over several frames, a page never waits for it. */
const PIECE = 256 * 1024;
/** The most lines of a console held in the window. */
const MAX_LINES = 100_000;

/** A text that is read, and the characters of its stream before the first one read. */
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
  /** What is shown, and what is read into: another one while a replacement is read. */
  #shown: Reading;
  #read: Reading;
  #epoch = -1;
  /** Characters of the stream that have been read or left out up to now. */
  #taken = 0;
  /** Characters of the stream when it began to be read. */
  #begun = 0;

  constructor(options: { readonly maxLines: number } = { maxLines: MAX_LINES }) {
    this.#options = options;
    this.#shown = { terminal: new TerminalText(options), from: 0 };
    this.#read = this.#shown;
  }

  /** True while the text that is shown is the one before. */
  get isReplacing(): boolean {
    return this.#read !== this.#shown;
  }

  /** Reads at most PIECE characters; true once all of the text is read. */
  take(text: ConsoleText): boolean {
    const isAnother = text.epoch !== this.#epoch;
    if (isAnother || text.total < this.#taken || text.dropped > this.#taken) {
      this.#read = { terminal: new TerminalText(this.#options), from: text.dropped };
      // A flood that is read too slowly goes on at what is left of it; it would be shown never.
      if (!isAnother || this.count === 0) this.#shown = this.#read;
      this.#epoch = text.epoch;
      this.#taken = text.dropped;
      this.#begun = text.total;
    }
    // What still grows is the next run and no result: what the last one printed is not left in its place.
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

  /** For a text that is read as it comes, without a ConsoleText. */
  feed(text: string): void {
    this.#read.terminal.feed(text);
  }

  /** The number of lines held; an empty last line does not count. */
  get count(): number {
    const { count } = this.#shown.terminal;
    return this.#shown.terminal.text(count - 1) === '' ? count - 1 : count;
  }

  line(index: number): Line {
    return this.#shown.terminal.line(index);
  }

  /** Columns of a line that is held. */
  width(index: number): number {
    return this.#shown.terminal.width(index);
  }

  /** Lines trimmed before the first one held. */
  get trimmed(): number {
    return this.#shown.terminal.trimmedLines;
  }

  /** Characters trimmed before the first line held. */
  get leftOut(): number {
    return this.#shown.from + this.#shown.terminal.trimmedCharacters;
  }

  /** All lines held, as plain text. */
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
