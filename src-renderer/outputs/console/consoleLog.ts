import type { ConsoleText } from '../../state/consoleText.ts';
import { consoleSlice } from '../../state/consoleText.ts';
import type { Line } from './line.ts';
import { TerminalText } from './terminalText.ts';

/** Characters read at once, about 4 ms of work: a flood is read over several frames, a page never waits for it. */
const PIECE = 512 * 1024;
/** Lines of a console kept in the window. */
const MAX_LINES = 100_000;

/**
 * The lines of one stream, kept in step with its text by `take`. Reads only what is new; a cleared, replaced or
 * overrun stream starts over. Lines are numbered from the first one read: trimmed ones keep their numbers.
 */
export class ConsoleLog {
  readonly #options: { readonly maxLines: number };
  #terminal: TerminalText;
  #epoch = -1;
  /** Characters of the stream before the first one read, and how many have been read up to now. */
  #from = 0;
  #taken = 0;

  constructor(options: { readonly maxLines: number } = { maxLines: MAX_LINES }) {
    this.#options = options;
    this.#terminal = new TerminalText(options);
  }

  /** Reads at most PIECE characters; true once all of the text is read. */
  take(text: ConsoleText): boolean {
    if (text.epoch !== this.#epoch || text.total < this.#taken || text.dropped > this.#taken) {
      this.#terminal = new TerminalText(this.#options);
      this.#epoch = text.epoch;
      this.#from = text.dropped;
      this.#taken = text.dropped;
    }
    if (this.#taken < text.total) {
      const piece = consoleSlice(text, this.#taken, PIECE);
      this.#terminal.feed(piece);
      this.#taken += piece.length;
    }
    return this.#taken >= text.total;
  }

  /** For a text that is read as it comes, without a ConsoleText. */
  feed(text: string): void {
    this.#terminal.feed(text);
  }

  /** The kept lines; a last one that is still empty is none. */
  get count(): number {
    const { count } = this.#terminal;
    return this.#terminal.text(count - 1) === '' ? count - 1 : count;
  }

  line(index: number): Line {
    return this.#terminal.line(index);
  }

  /** Columns of a kept line. */
  width(index: number): number {
    return this.#terminal.width(index);
  }

  /** Lines left out before the first kept one. */
  get trimmed(): number {
    return this.#terminal.trimmedLines;
  }

  /** Characters left out before the first kept line. */
  get leftOut(): number {
    return this.#from + this.#terminal.trimmedCharacters;
  }

  /** All kept lines as plain text. */
  text(): string {
    const lines: string[] = [];
    for (let at = 0; at < this.count; at += 1) lines.push(this.#terminal.text(at));
    return lines.join('\n');
  }

  /** Numbers (from the first line ever read) of the lines that hold `needle`, whatever its case. */
  find(needle: string): number[] {
    if (needle === '') return [];
    const wanted = needle.toLowerCase();
    const found: number[] = [];
    for (let at = 0; at < this.count; at += 1) {
      if (this.#terminal.text(at).toLowerCase().includes(wanted)) found.push(at + this.trimmed);
    }
    return found;
  }
}
