import { useEffect } from 'react';
import { areaElement, rangesIn } from './domText.ts';
import type { Area, Match } from './searchText.ts';

/** Ranges painted in one cell's part; more could not be told apart. */
const MOST_IN_AREA = 500;
/** How far from what is seen matches are painted, in screens. */
const AROUND = 1;

/**
 * Paints the matches near what is seen, and the present one in another colour; again after scrolling and after the
 * page changed. The browser paints ranges without touching the page (CSS Custom Highlight API).
 */
export function usePaint(matches: readonly Match[], present: Match | null, regexp: RegExp | null): void {
  useEffect(() => {
    const root = document.querySelector('[data-scroll-root]');
    if (root === null || regexp === null || typeof Highlight === 'undefined') return;
    let due = 0;
    const paint = (): void => {
      due = 0;
      const { all, one } = rangesNear(root, { matches, present, regexp });
      CSS.highlights.set('find', new Highlight(...all));
      const top = new Highlight(...one);
      top.priority = 1;
      CSS.highlights.set('find-present', top);
    };
    const soon = (): void => {
      if (due === 0) due = requestAnimationFrame(paint);
    };
    paint();
    const watch = new MutationObserver(soon);
    watch.observe(root, { subtree: true, childList: true, characterData: true });
    root.addEventListener('scroll', soon, { passive: true });
    return () => {
      cancelAnimationFrame(due);
      watch.disconnect();
      root.removeEventListener('scroll', soon);
      CSS.highlights.delete('find');
      CSS.highlights.delete('find-present');
    };
  }, [matches, present, regexp]);
}

/** Brings a match into sight: its cell first, which may be resting, then its very place. */
export function useReveal(
  present: Match | null,
  options: { readonly regexp: RegExp | null; readonly want: (cellId: string) => void },
): void {
  const { regexp, want } = options;
  useEffect(() => {
    if (present === null || regexp === null) return;
    want(present.cellId);
    let frame = 0;
    let watch: MutationObserver | null = null;
    const place = (): void => {
      const cell = cellElement(present.cellId);
      const element = cell === null ? null : areaElement(cell, present.area);
      if (element !== null) scrollConsole(element, present);
      const range = element === null ? undefined : rangeOf(element, present, regexp);
      const box = (range ?? element ?? cell)?.getBoundingClientRect();
      const root = document.querySelector('[data-scroll-root]');
      if (box === undefined || root === null) return;
      const view = root.getBoundingClientRect();
      if (box.top >= view.top + 48 && box.bottom <= view.bottom - 24) return;
      root.scrollBy({ top: box.top - view.top - view.height / 3 });
    };
    const reveal = (): boolean => {
      const cell = cellElement(present.cellId);
      if (cell === null) return false;
      cell.scrollIntoView({ block: 'nearest' });
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(place);
      });
      return true;
    };
    // A long notebook is still being drawn: the cell comes next.
    if (!reveal()) {
      watch = new MutationObserver(() => {
        if (reveal()) watch?.disconnect();
      });
      watch.observe(document.body, { subtree: true, childList: true });
    }
    return () => {
      cancelAnimationFrame(frame);
      watch?.disconnect();
    };
  }, [present, regexp, want]);
}

function cellElement(cellId: string): Element | null {
  return document.querySelector(`[data-cell-id="${CSS.escape(cellId)}"]`);
}

/** A long console draws the lines around what is seen of it: the match's line has to be seen first. */
function scrollConsole(element: Element, { line, lines }: Match): void {
  const box = element.querySelector('.console-box');
  if (box === null || box.scrollHeight <= box.clientHeight) return;
  const y = (line / lines) * box.scrollHeight;
  if (y < box.scrollTop + 20 || y > box.scrollTop + box.clientHeight - 40) {
    box.scrollTop = y - box.clientHeight / 2;
  }
}

/** A match in its element. Where only some of the lines are drawn, the one nearest to where it must be. */
function rangeOf(element: Element, match: Match, regexp: RegExp): Range | undefined {
  const ranges = rangesIn(element, regexp, MOST_IN_AREA);
  const box = element.querySelector('.console-box');
  if (box === null || match.nth < ranges.length) return ranges[match.nth];
  const top = box.getBoundingClientRect().top - box.scrollTop + (match.line / match.lines) * box.scrollHeight;
  const distance = (range: Range): number => Math.abs(range.getBoundingClientRect().top - top);
  return [...ranges].sort((a, b) => distance(a) - distance(b))[0];
}

function rangesNear(
  root: Element,
  what: { matches: readonly Match[]; present: Match | null; regexp: RegExp },
): { all: Range[]; one: Range[] } {
  const { matches, present, regexp } = what;
  const areas = areasByCell(matches);
  const all: Range[] = [];
  const one: Range[] = [];
  for (const cell of cellsNear(root)) {
    const cellId = cell.getAttribute('data-cell-id') ?? '';
    for (const area of areas.get(cellId) ?? []) {
      const element = areaElement(cell, area);
      if (element === null) continue;
      all.push(...rangesIn(element, regexp, MOST_IN_AREA));
      const isHere = present?.cellId === cellId && present.area === area;
      const range = isHere ? rangeOf(element, present, regexp) : undefined;
      if (range !== undefined) one.push(range);
    }
  }
  return { all, one };
}

const areasOf = new WeakMap<readonly Match[], ReadonlyMap<string, ReadonlySet<Area>>>();

/** Which parts of which cells have matches; made once for each result. */
function areasByCell(matches: readonly Match[]): ReadonlyMap<string, ReadonlySet<Area>> {
  const known = areasOf.get(matches);
  if (known !== undefined) return known;
  const areas = new Map<string, Set<Area>>();
  for (const { cellId, area } of matches) {
    const set = areas.get(cellId) ?? new Set();
    areas.set(cellId, set.add(area));
  }
  areasOf.set(matches, areas);
  return areas;
}

/** The cells in sight and a little around, found by halving: a long notebook is measured at a few places only. */
function cellsNear(root: Element): readonly Element[] {
  const view = root.getBoundingClientRect();
  const cells = root.querySelectorAll('[data-cell-id]');
  let low = 0;
  let high = cells.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const bottom = cells[middle]?.getBoundingClientRect().bottom ?? 0;
    if (bottom < view.top - view.height * AROUND) low = middle + 1;
    else high = middle;
  }
  const near: Element[] = [];
  for (let at = low; at < cells.length; at += 1) {
    const cell = cells[at];
    if (cell === undefined) break;
    if (cell.getBoundingClientRect().top > view.bottom + view.height * AROUND) break;
    near.push(cell);
  }
  return near;
}
