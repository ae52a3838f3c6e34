/**
 * The document that the Python language server reads: cells in the order in which they would run, including the one
 * that the user edits. A position in a cell and the same position in the document differ only in the line.
 */

/** One piece of the document. */
export interface Segment {
  /** Null: lines that replace text that is not Python; they are never shown. */
  readonly cellId: string | null;
  readonly text: string;
}

export interface Position {
  /** From 0. */
  readonly line: number;
  /** From 0, in UTF-16 units. */
  readonly character: number;
}

export interface Span {
  readonly start: Position;
  readonly end: Position;
}

/** A change of the document, as the protocol sends it. */
export interface TextChange {
  readonly range: Span;
  readonly text: string;
}

interface Placed extends Segment {
  readonly firstLine: number;
  readonly lines: number;
}

export class VirtualDocument {
  readonly #placed: readonly Placed[];

  constructor(segments: readonly Segment[]) {
    const placedCells: Placed[] = [];
    let firstLine = 0;
    for (const { cellId, text } of segments) {
      const lines = lineCount(text);
      placedCells.push({ cellId, text, firstLine, lines });
      firstLine += lines;
    }
    this.#placed = placedCells;
  }

  get text(): string {
    return this.#placed.map(({ text }) => ended(text)).join('');
  }

  /**
   * The position in the document; null for a cell that is not in the document, and for a line that the cell does not
   * have.
   */
  toDocument(cellId: string, { line, character }: Position): Position | null {
    const segment = this.#placed.find((one) => one.cellId === cellId);
    if (segment === undefined || line < 0 || line >= segment.lines) return null;
    return { line: segment.firstLine + line, character };
  }

  /** The cell and the position in it; null if no cell has this line. */
  toCell({ line, character }: Position): { readonly cellId: string; readonly position: Position } | null {
    const segment = this.#segmentAt(line);
    if (segment === null || segment.cellId === null) return null;
    return { cellId: segment.cellId, position: { line: line - segment.firstLine, character } };
  }

  /** The cell and the span in it; null if the span is not within one cell. */
  spanToCell({ start, end }: Span): { readonly cellId: string; readonly span: Span } | null {
    const [from, to] = [this.toCell(start), this.toCell(end)];
    if (from === null || to === null || from.cellId !== to.cellId) return null;
    return { cellId: from.cellId, span: { start: from.position, end: to.position } };
  }

  /** One change that turns `before` into this document: the segments that differ; null: none. */
  changeFrom(before: VirtualDocument): TextChange | null {
    const [old, now] = [before.#placed, this.#placed];
    const most = Math.min(old.length, now.length);
    let head = 0;
    while (head < most && old[head]?.text === now[head]?.text) head += 1;
    let tail = 0;
    while (tail < most - head && old.at(-1 - tail)?.text === now.at(-1 - tail)?.text) tail += 1;
    const [removedLines, addedLines] = [
      old.slice(head, old.length - tail),
      now.slice(head, now.length - tail),
    ];
    if (removedLines.length === 0 && addedLines.length === 0) return null;
    const startLine = old.slice(0, head).reduce((sum, { lines }) => sum + lines, 0);
    const goneLines = removedLines.reduce((sum, { lines }) => sum + lines, 0);
    return {
      range: {
        start: { line: startLine, character: 0 },
        end: { line: startLine + goneLines, character: 0 },
      },
      text: addedLines.map(({ text }) => ended(text)).join(''),
    };
  }

  /** The segment that contains a line, by binary search: a document may have thousands. */
  #segmentAt(line: number): Placed | null {
    let [low, high] = [0, this.#placed.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const segment = this.#placed[middle];
      if (segment === undefined) return null;
      if (line < segment.firstLine) high = middle - 1;
      else if (line >= segment.firstLine + segment.lines) low = middle + 1;
      else return segment;
    }
    return null;
  }
}

/** A text and its last line end; after a carriage return, a line feed would become part of it. */
function ended(text: string): string {
  return text.endsWith('\r') ? `${text}\r\n` : `${text}\n`;
}

/** The number of lines by the protocol's rules: each of the three kinds of line ends counts. */
function lineCount(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count += 1;
  }
  return count;
}
