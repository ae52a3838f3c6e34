import { type Line, plain, type Run, textOfLine, widthOf } from './line.ts';

/** A line without colours is its text alone: a hundred thousand of them are kept. */
export type KeptLine = string | Run[];

/** Plain lines that came together: one text and where each line of it ends, not a string for each. */
interface Block {
  readonly text: string;
  readonly ends: Uint32Array;
  /** Lines of it that are no longer kept. */
  gone: number;
}

type Segment = KeptLine[] | Block;

/**
 * The lines of a console, the newest of them kept, each of which may still be written over. A flood of plain text
 * is kept in blocks: a string for each line is what the collector of the page would spend its time on.
 */
export class LineStore {
  /** The last one is a list. */
  readonly #segments: Segment[] = [['']];
  /** Number of each segment's first kept line, from 0, the first line ever kept. */
  readonly #firsts: number[] = [0];
  #end = 1;
  #trimmedCharacters = 0;

  /** Lines kept. */
  get count(): number {
    return this.#end - this.trimmedLines;
  }

  /** Lines left out before the first kept one, and how many characters they had with their ends. */
  get trimmedLines(): number {
    return this.#firsts[0] ?? 0;
  }

  get trimmedCharacters(): number {
    return this.#trimmedCharacters;
  }

  /** A kept line, by its place among them; empty where there is none. */
  kept(index: number): KeptLine {
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

  /** Columns of a kept line. */
  width(index: number): number {
    const { segment, at } = this.#find(index);
    if (!Array.isArray(segment)) return widthIn(segment, at);
    const line = segment[at] ?? '';
    return typeof line === 'string' ? line.length : widthOf(line);
  }

  /** Writes a kept line anew. */
  set(index: number, line: KeptLine): void {
    const { segment, at, place } = this.#find(index);
    if (Array.isArray(segment)) segment[at] = line;
    else {
      const lines: KeptLine[] = Array.from({ length: linesIn(segment) }, (_none, row) =>
        textIn(segment, row),
      );
      lines[at] = line;
      this.#segments[place] = lines;
    }
  }

  /** Begins a new last line, which is empty. */
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

  /** Leaves out the first `lines` kept lines; the last line stays. */
  trim(lines: number): void {
    for (let left = lines; left > 0; ) {
      const first = this.#segments[0];
      if (first === undefined) return;
      const size = Array.isArray(first) ? first.length : linesIn(first);
      const leaves = Math.min(left, size);
      this.#trimmedCharacters += Array.isArray(first) ? cutList(first, leaves) : cutBlock(first, leaves);
      left -= leaves;
      if (leaves === size && this.#segments.length > 1) {
        this.#segments.shift();
        this.#firsts.shift();
      } else this.#firsts[0] = this.trimmedLines + leaves;
    }
  }

  #find(index: number): { readonly segment: Segment; readonly at: number; readonly place: number } {
    const number = index + this.trimmedLines;
    let place = this.#firsts.length - 1;
    // Mostly it is the last one; else the half it is in is looked for.
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

/** A line as runs, which are the caller's. */
export function runsOf(line: KeptLine): Run[] {
  if (typeof line !== 'string') return [...line];
  return line === '' ? [] : [plain(line)];
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

/** Takes the first lines of a list away; answers how many characters they had with their ends. */
function cutList(list: KeptLine[], lines: number): number {
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
