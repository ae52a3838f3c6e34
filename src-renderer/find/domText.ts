/**
 * Matches of a text as ranges of the page, for the browser to paint. The page shows what the model says, yet not in
 * the same pieces: colours split a line into spans, line ends are `<br>`, blanks may not break.
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

/** The ranges of what a pattern matches under an element, at most `most`. */
export function rangesIn(element: Element, regexp: RegExp, most: number): readonly Range[] {
  const { text, pieces } = flatten(element);
  const ranges: Range[] = [];
  for (const match of text.matchAll(regexp)) {
    if (match[0] === '') continue;
    const range = rangeOf(pieces, match.index, match.index + match[0].length);
    if (range !== null) ranges.push(range);
    if (ranges.length >= most) break;
  }
  return ranges;
}

function flatten(element: Element): { text: string; pieces: readonly Piece[] } {
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

/** Blocks begin on a line of their own. */
function isLineEnd(element: HTMLElement): boolean {
  return element.tagName === 'DIV' || element.tagName === 'P' || element.tagName === 'LI';
}

function rangeOf(pieces: readonly Piece[], start: number, end: number): Range | null {
  const from = pieces.filter((piece) => piece.start <= start).at(-1);
  const to = pieces.filter((piece) => piece.start < end).at(-1);
  if (from === undefined || to === undefined) return null;
  const range = document.createRange();
  range.setStart(from.node, Math.min(start - from.start, from.node.length));
  range.setEnd(to.node, Math.min(end - to.start, to.node.length));
  return range;
}
