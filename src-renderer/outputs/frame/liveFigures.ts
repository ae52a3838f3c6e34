/** Limits how many figures and widgets are drawn at once: the farthest is released. */

import { distance } from './drawQueue.ts';

/** A figure takes some 20 MB, and as much of the processor whenever the page changes its width or colours. */
const MOST_LIVE = 24;

/** Takes a frame away if it is still far away when that can be done. @returns whether the frame is gone */
export type Release = (isStillFar: () => boolean) => Promise<boolean>;

/** What a frame takes, as a share of a figure, and what takes it away. */
interface Counted {
  readonly share: number;
  readonly release: Release;
}

const live = new Map<Element, Counted>();

/**
 * Counts a frame that is drawn. Of more than 24 figures, or as many widgets as take that memory, the one farthest from the
 * window is released, and is drawn again from its data when it comes near; one that is within three windows stays.
 * @returns ends the count
 */
export function countFigure(place: Element, { share, release }: Counted): () => void {
  let isCounted = true;
  const own: Counted = {
    share,
    release: async (isStillFar) => {
      const isGone = await release(isStillFar);
      if (!isGone && isCounted) live.set(place, own);
      return isGone;
    },
  };
  live.set(place, own);
  let all = 0;
  for (const counted of live.values()) all += counted.share;
  if (all > MOST_LIVE) releaseFarthest();
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
  const counted = live.get(place);
  live.delete(place);
  void counted?.release(() => distance(place) > farFrom());
}
