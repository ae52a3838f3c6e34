import { distance } from './drawQueue.ts';

/** A figure takes some 20 MB, and as much of the processor whenever the page changes its width or colours. */
const MOST_LIVE = 24;

const live = new Map<Element, () => void>();

/**
 * Counts a figure that is drawn. Of more than 24, the one farthest from the window is released, and is drawn again from
 * its data when it comes near; one that is within three windows stays.
 * @param release takes the figure's frame away; @returns ends the count
 */
export function countFigure(place: Element, release: () => void): () => void {
  live.set(place, release);
  if (live.size > MOST_LIVE) releaseFarthest();
  return () => live.delete(place);
}

function releaseFarthest(): void {
  let farthest: Element | null = null;
  let most = 3 * window.innerHeight;
  for (const place of live.keys()) {
    const away = distance(place);
    if (away <= most) continue;
    farthest = place;
    most = away;
  }
  if (farthest === null) return;
  const release = live.get(farthest);
  live.delete(farthest);
  release?.();
}
