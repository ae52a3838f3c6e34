import { useEffect } from 'react';
import { areaElement, rangesIn } from './domText.ts';
import type { Match } from './searchText.ts';

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
export function useReveal(present: Match | null, regexp: RegExp | null): void {
  useEffect(() => {
    if (present === null || regexp === null) return;
    let frame = 0;
    let watch: MutationObserver | null = null;
    const place = (): void => {
      const cell = cellElement(present.cellId);
      const element = cell === null ? null : areaElement(cell, present.area);
      const range = element === null ? undefined : rangesIn(element, regexp, MOST_IN_AREA)[present.nth];
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
    // A long notebook is still being drawn: the cell comes within moments.
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
  }, [present, regexp]);
}

function cellElement(cellId: string): Element | null {
  return document.querySelector(`[data-cell-id="${CSS.escape(cellId)}"]`);
}

function rangesNear(
  root: Element,
  what: { matches: readonly Match[]; present: Match | null; regexp: RegExp },
): { all: Range[]; one: Range[] } {
  const { matches, present, regexp } = what;
  const view = root.getBoundingClientRect();
  const all: Range[] = [];
  const one: Range[] = [];
  const done = new Set<string>();
  for (const { cellId, area } of matches) {
    const key = `${cellId} ${area}`;
    if (done.has(key)) continue;
    done.add(key);
    const cell = cellElement(cellId);
    if (cell === null) continue;
    const box = cell.getBoundingClientRect();
    const isNear =
      box.bottom > view.top - view.height * AROUND && box.top < view.bottom + view.height * AROUND;
    const element = isNear ? areaElement(cell, area) : null;
    if (element === null) continue;
    const ranges = rangesIn(element, regexp, MOST_IN_AREA);
    all.push(...ranges);
    const isHere = present?.cellId === cellId && present.area === area;
    const range = isHere ? ranges[present.nth] : undefined;
    if (range !== undefined) one.push(range);
  }
  return { all, one };
}
