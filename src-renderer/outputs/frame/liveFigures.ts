/** Limits how many figures are drawn at once: the farthest is released. */

import { distance } from './drawQueue.ts';

/** A figure takes some 20 MB, and as much of the processor whenever the page changes its width or colours. */
const MOST_LIVE = 24;

/** Takes a figure's frame away if it is still far away when that can be done. @returns whether the frame is gone */
export type Release = (isStillFar: () => boolean) => Promise<boolean>;

const live = new Map<Element, Release>();

/**
 * Counts a figure that is drawn. Of more than 24, the one farthest from the window is released, and is drawn again from
 * its data when it comes near; one that is within three windows stays.
 * @returns ends the count
 */
export function countFigure(place: Element, release: Release): () => void {
  let isCounted = true;
  live.set(place, async (isStillFar) => {
    const isGone = await release(isStillFar);
    if (!isGone && isCounted) countAgain();
    return isGone;
  });
  const own = live.get(place);
  const countAgain = (): void => {
    if (own !== undefined) live.set(place, own);
  };
  if (live.size > MOST_LIVE) releaseFarthest();
  return () => {
    isCounted = false;
    live.delete(place);
  };
}

/** In CSS px, from the middle of the window. */
function farFrom(): number {
  return 3 * window.innerHeight;
}

function releaseFarthest(): void {
  let farthest: Element | null = null;
  let most = farFrom();
  for (const place of live.keys()) {
    const away = distance(place);
    if (away <= most) continue;
    farthest = place;
    most = away;
  }
  if (farthest === null) return;
  const place = farthest;
  const release = live.get(place);
  live.delete(place);
  void release?.(() => distance(place) > farFrom());
}
