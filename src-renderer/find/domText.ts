/**
 * Converts matches of find and replace to DOM ranges, which the browser paints. The page shows the text of the model in
 * other pieces: colours split a line into spans, line ends are `<br>`, and blanks may be non-breaking.
 */

import type { Area } from './searchText.ts';

interface Piece {
  readonly node: Text;
  readonly start: number;
}

/** The element that shows a part of a cell, or null while nothing does (an editor, a folded output). */
export function areaElement(cell: Element, area: Area): Element | null {
  if (area === 'source') return cell.querySelector('.code-text, .text-body');
  if (area === 'stdout' || area === 'stderr') return cell.querySelector(`.console-${area}`);
  if (area === 'error') return cell.querySelector('.error');
  return cell.querySelectorAll('.output')[Number(area.slice('display-'.length))] ?? null;
}

/** The text of an element as one string, and the positions of its text nodes. */
export interface Flat {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** The ranges of matches of a flattened text, given by their offsets. */
export function rangesAt({ pieces }: Flat, offsets: readonly number[]): readonly Range[] {
  const ranges: Range[] = [];
  for (let pair = 0; pair < offsets.length; pair += 2) {
    const range = rangeOf(pieces, offsets[pair] ?? 0, offsets[pair + 1] ?? 0);
    if (range !== null) ranges.push(range);
  }
  return ranges;
}

export function flatten(element: Element): Flat {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const pieces: Piece[] = [];
  let text = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) {
      pieces.push({ node, start: text.length });
      text += node.data.replaceAll('\u00a0', ' ');
    } else if (node instanceof HTMLElement && isLineEnd(node) && text !== '' && !text.endsWith('\n')) {
      text += '\n';
    } else if (node instanceof HTMLBRElement) {
      text += '\n';
    }
  }
  return { text, pieces };
}

/** Whether a line ends before the element: blocks begin on a line of their own. */
function isLineEnd(element: HTMLElement): boolean {
  return element.tagName === 'DIV' || element.tagName === 'P' || element.tagName === 'LI';
}

function rangeOf(pieces: readonly Piece[], start: number, end: number): Range | null {
  const from = pieces[lastBefore(pieces, start + 1)];
  const to = pieces[lastBefore(pieces, end)];
  if (from === undefined || to === undefined) return null;
  const range = document.createRange();
  range.setStart(from.node, Math.min(start - from.start, from.node.length));
  range.setEnd(to.node, Math.min(end - to.start, to.node.length));
  return range;
}

/** The last piece that starts before an offset, by binary search: a highlighted source has thousands. */
function lastBefore(pieces: readonly Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
