/** Stores the newest lines of a console, which later output may still overwrite. */

import { type Line, plainLine, type Run, textOfLine, widthOf } from './line.ts';

/** A line without colours is stored as its text: there may be a hundred thousand of them. */
export type StoredLine = string | Run[];

/** Plain lines that arrived together: one text with the end of each line, instead of a string for each. */
interface Block {
  readonly text: string;
  readonly ends: Uint32Array;
  /** Number of its lines that were removed. */
  gone: number;
}

type Segment = StoredLine[] | Block;

/**
 * The newest lines of a console, each of which may still be overwritten. Large plain output is stored in
 * blocks, because a string for each line would keep the page's garbage collector busy.
 */
export class LineStore {
  /** The lines, in blocks and lists; the last segment is a list. */
  readonly #segments: Segment[] = [['']];
  /** Number of each segment's first stored line, counted from the first line ever added. */
  readonly #firsts: number[] = [0];
  #end = 1;
  #trimmedCharacters = 0;

  /** Number of stored lines. */
  get count(): number {
    return this.#end - this.trimmedLines;
  }

  /** Lines removed before the first stored one, and their number of characters including line ends. */
  get trimmedLines(): number {
    return this.#firsts[0] ?? 0;
  }

  get trimmedCharacters(): number {
    return this.#trimmedCharacters;
  }

  /** A stored line by index; empty if there is none. */
  kept(index: number): StoredLine {
    const { segment, at } = this.#find(index);
    return (Array.isArray(segment) ? segment[at] : textIn(segment, at)) ?? '';
  }

  line(index: number): Line {
    return runsOf(this.kept(index));
  }

  text(index: number): string {
    const line = this.kept(index);
    return typeof line === 'string' ? line : textOfLine(line);
  }

  /** Columns of a stored line. */
  width(index: number): number {
    const { segment, at } = this.#find(index);
    if (!Array.isArray(segment)) return widthIn(segment, at);
    const line = segment[at] ?? '';
    return typeof line === 'string' ? line.length : widthOf(line);
  }

  /** Replaces a stored line. */
  set(index: number, line: StoredLine): void {
    const { segment, at, place } = this.#find(index);
    if (Array.isArray(segment)) segment[at] = line;
    else {
      const lines: StoredLine[] = Array.from({ length: linesIn(segment) }, (_none, row) =>
        textIn(segment, row),
      );
      lines[at] = line;
      this.#segments[place] = lines;
    }
  }

  /** Starts a new, empty last line. */
  push(): void {
    const last = this.#segments.at(-1);
    if (Array.isArray(last)) last.push('');
    this.#end += 1;
  }

  /** Adds plain lines, each with its end at `ends`, before the last line, which is empty. */
  pushBlock(text: string, ends: Uint32Array): void {
    const last = this.#segments.at(-1);
    if (Array.isArray(last)) last.pop();
    if (Array.isArray(last) && last.length === 0) {
      this.#segments.pop();
      this.#firsts.pop();
    }
    const first = this.#end - 1;
    this.#segments.push({ text, ends, gone: 0 }, ['']);
    this.#firsts.push(first, first + ends.length);
    this.#end += ends.length;
  }

  /** Removes the first `lines` lines; the last line always stays. */
  trim(lines: number): void {
    for (let remaining = lines; remaining > 0; ) {
      const first = this.#segments[0];
      if (first === undefined) return;
      const size = Array.isArray(first) ? first.length : linesIn(first);
      const leaves = Math.min(remaining, size);
      this.#trimmedCharacters += Array.isArray(first) ? cutList(first, leaves) : cutBlock(first, leaves);
      remaining -= leaves;
      if (leaves === size && this.#segments.length > 1) {
        this.#segments.shift();
        this.#firsts.shift();
      } else this.#firsts[0] = this.trimmedLines + leaves;
    }
  }

  #find(index: number): { readonly segment: Segment; readonly at: number; readonly place: number } {
    const number = index + this.trimmedLines;
    let place = this.#firsts.length - 1;
    // Usually the last one; otherwise a binary search.
    if ((this.#firsts[place] ?? 0) > number) {
      let low = 0;
      while (low < place) {
        const middle = (low + place + 1) >> 1;
        if ((this.#firsts[middle] ?? 0) <= number) low = middle;
        else place = middle - 1;
      }
    }
    return { segment: this.#segments[place] ?? [], at: number - (this.#firsts[place] ?? 0), place };
  }
}

/** A line as runs, which the caller owns. */
export function runsOf(line: StoredLine): Run[] {
  if (typeof line !== 'string') return [...line];
  return line === '' ? [] : [plainLine(line)];
}

function linesIn(block: Block): number {
  return block.ends.length - block.gone;
}

function startIn({ ends, gone }: Block, at: number): number {
  const before = ends[at + gone - 1];
  return before === undefined ? 0 : before + 1;
}

function textIn(block: Block, at: number): string {
  return block.text.slice(startIn(block, at), block.ends[at + block.gone] ?? 0);
}

function widthIn(block: Block, at: number): number {
  return (block.ends[at + block.gone] ?? 0) - startIn(block, at);
}

/** Removes the first lines of a list; returns their number of characters including line ends. */
function cutList(list: StoredLine[], lines: number): number {
  let characters = 0;
  for (const line of list.splice(0, lines)) {
    characters += (typeof line === 'string' ? line.length : widthOf(line)) + 1;
  }
  return characters;
}

function cutBlock(block: Block, lines: number): number {
  const from = startIn(block, 0);
  block.gone += lines;
  return startIn(block, 0) - from;
}
