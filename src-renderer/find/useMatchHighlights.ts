/** Highlights the matches of find and replace in the page, and scrolls to a match. */

import { useEffect } from 'react';
import { areaElement, type Flat, flatten, rangesAt } from './domText.ts';
import { search } from './search.ts';
import type { Area, Match, Pattern } from './searchText.ts';

/** The most matches highlighted in one area of a cell; more could not be distinguished. */
const MAX_IN_AREA = 500;
/** How far outside the visible part matches are painted, in screens. */
const AROUND = 1;

type Wanted = Extract<Pattern, { kind: 'pattern' }>;

/**
 * Highlights the matches near the viewport, with the current one in another colour, and updates them after scrolling
 * and after changes of the page. The browser paints ranges without modifying the page (CSS Custom Highlight API).
 */
export function useMatchHighlights(
  matches: readonly Match[],
  present: Match | null,
  pattern: Wanted | null,
): void {
  useEffect(() => {
    const root = document.querySelector('[data-scroll-root]');
    if (root === null || pattern === null || typeof Highlight === 'undefined') return;
    let due = 0;
    let drop = (): void => undefined;
    const paint = (): void => {
      due = 0;
      drop();
      const nearbyMatches = visibleAreas(root, matches);
      drop = rangesOf(nearbyMatches, pattern, (ranges) => {
        CSS.highlights.set('find', new Highlight(...ranges.flat()));
        const here = nearbyMatches.findIndex(
          ({ cellId, area }) => cellId === present?.cellId && area === present.area,
        );
        const [element, cellRanges] = [nearbyMatches[here]?.element, ranges[here]];
        const one =
          present === null || element === undefined || cellRanges === undefined
            ? undefined
            : nearestRange(element, present, cellRanges);
        const top = new Highlight(...(one === undefined ? [] : [one]));
        top.priority = 1;
        CSS.highlights.set('find-present', top);
      });
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
      drop();
      watch.disconnect();
      root.removeEventListener('scroll', soon);
      CSS.highlights.delete('find');
      CSS.highlights.delete('find-present');
    };
  }, [matches, present, pattern]);
}

/** Scrolls to a match: first to its cell, which may not be drawn yet, then to its exact position. */
export function useScrollToMatch(
  present: Match | null,
  options: { readonly pattern: Wanted | null; readonly want: (cellId: string) => void },
): void {
  const { pattern, want } = options;
  useEffect(() => {
    if (present === null || pattern === null) return;
    want(present.cellId);
    let frame = 0;
    let watch: MutationObserver | null = null;
    let drop = (): void => undefined;
    const scrollTo = (target: Element | Range | null | undefined): void => {
      const box = target?.getBoundingClientRect();
      const root = document.querySelector('[data-scroll-root]');
      if (box === undefined || root === null) return;
      const view = root.getBoundingClientRect();
      if (box.top >= view.top + 48 && box.bottom <= view.bottom - 24) return;
      root.scrollBy({ top: box.top - view.top - view.height / 3 });
    };
    const place = (): void => {
      const cell = cellElement(present.cellId);
      const element = cell === null ? null : areaElement(cell, present.area);
      if (element === null) {
        scrollTo(cell);
        return;
      }
      scrollConsole(element, present);
      drop = rangesOf([{ element }], pattern, ([ranges = []]) =>
        scrollTo(nearestRange(element, present, ranges) ?? element),
      );
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
    // A long notebook is still being drawn; the cell follows.
    if (!reveal()) {
      watch = new MutationObserver(() => {
        if (reveal()) watch?.disconnect();
      });
      watch.observe(document.body, { subtree: true, childList: true });
    }
    return () => {
      cancelAnimationFrame(frame);
      drop();
      watch?.disconnect();
    };
  }, [present, pattern, want]);
}

/**
 * Computes the ranges of the matches under each element, in order. If the search takes too long, nothing is
 * highlighted.
 */
function rangesOf(
  matches: readonly { readonly element: Element }[],
  pattern: Wanted,
  tell: (ranges: readonly (readonly Range[])[]) => void,
): () => void {
  if (matches.length === 0) {
    tell([]);
    return () => undefined;
  }
  const flats: readonly Flat[] = matches.map(({ element }) => flatten(element));
  const texts = flats.map(({ text }) => text);
  const task = {
    kind: 'find',
    regexp: pattern.regexp,
    texts,
    most: Number.POSITIVE_INFINITY,
    mostEach: MAX_IN_AREA,
  } as const;
  return search(
    task,
    (outcome) => {
      const offsets = outcome.kind === 'done' ? outcome.answer : [];
      tell(flats.map((flat, at) => rangesAt(flat, offsets[at] ?? [])));
    },
    pattern,
  );
}

function cellElement(cellId: string): Element | null {
  return document.querySelector(`[data-cell-id="${CSS.escape(cellId)}"]`);
}

/** Scrolls a long console to the match's line, because a console draws only the lines near its visible part. */
function scrollConsole(element: Element, { line, lines }: Match): void {
  const box = element.querySelector('.console-box');
  if (box === null || box.scrollHeight <= box.clientHeight) return;
  const y = (line / lines) * box.scrollHeight;
  if (y < box.scrollTop + 20 || y > box.scrollTop + box.clientHeight - 40) {
    box.scrollTop = y - box.clientHeight / 2;
  }
}

/** The range of a match in its element. If only some lines are drawn, the range nearest to the expected position. */
function nearestRange(element: Element, match: Match, ranges: readonly Range[]): Range | undefined {
  const box = element.querySelector('.console-box');
  if (box === null || match.nth < ranges.length) return ranges[match.nth];
  const top = box.getBoundingClientRect().top - box.scrollTop + (match.line / match.lines) * box.scrollHeight;
  const distance = (range: Range): number => Math.abs(range.getBoundingClientRect().top - top);
  return [...ranges].sort((a, b) => distance(a) - distance(b))[0];
}

interface Shown {
  readonly cellId: string;
  readonly area: Area;
  readonly element: Element;
}

/** Elements with matches that are visible, or nearly. */
function visibleAreas(root: Element, matches: readonly Match[]): readonly Shown[] {
  const areas = areasByCell(matches);
  return cellsNear(root).flatMap((cell) => {
    const cellId = cell.getAttribute('data-cell-id') ?? '';
    return [...(areas.get(cellId) ?? [])].flatMap((area) => {
      const element = areaElement(cell, area);
      return element === null ? [] : [{ cellId, area, element }];
    });
  });
}

const areasOf = new WeakMap<readonly Match[], ReadonlyMap<string, ReadonlySet<Area>>>();

/** Which parts of which cells have matches; computed once for each result. */
function areasByCell(matches: readonly Match[]): ReadonlyMap<string, ReadonlySet<Area>> {
  const cachedAreas = areasOf.get(matches);
  if (cachedAreas !== undefined) return cachedAreas;
  const areas = new Map<string, Set<Area>>();
  for (const { cellId, area } of matches) {
    const set = areas.get(cellId) ?? new Set();
    areas.set(cellId, set.add(area));
  }
  areasOf.set(matches, areas);
  return areas;
}

/** The cells in and near the viewport, by binary search, which measures only a few cells of a long notebook. */
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
