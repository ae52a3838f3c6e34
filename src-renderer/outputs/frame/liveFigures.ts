/** Limits how many figures and widgets are drawn at once: the farthest is released. */

import { distance } from './drawQueue.ts';

/** A figure takes some 20 MB, and as much of the processor whenever the page changes its width or colours. */
const MAX_LIVE = 24;

/** Takes a frame away if it is still far away when that can be done. @returns whether the frame is gone */
export type Release = (isStillFar: () => boolean) => Promise<boolean>;

/** What a frame takes, as a share of a figure, and what takes it away. */
interface Counted {
  readonly share: number;
  /** Whether a person is in it: it is not released then. */
  readonly isInUse: () => boolean;
  readonly release: Release;
}

const live = new Map<Element, Counted>();

/**
 * Counts a frame that is drawn. Of more than 24 figures, or as many widgets as take that memory, the one farthest from the
 * window is released, and is drawn again from its data when it comes near; one that is in use or within three windows stays.
 * @returns ends the count
 */
export function countFigure(place: Element, { share, isInUse, release }: Counted): () => void {
  let isCounted = true;
  const own: Counted = {
    share,
    isInUse,
    release: async (isStillFar) => {
      const isGone = await release(isStillFar);
      if (!isGone && isCounted) live.set(place, own);
      return isGone;
    },
  };
  live.set(place, own);
  while (sharesOf() > MAX_LIVE && releaseFarthest());
  return () => {
    isCounted = false;
    live.delete(place);
  };
}

/** In CSS px, from the middle of the window. */
function farFrom(): number {
  return 3 * window.innerHeight;
}

function sharesOf(): number {
  let all = 0;
  for (const { share } of live.values()) all += share;
  return all;
}

/** @returns whether there was one to release */
function releaseFarthest(): boolean {
  let farthest: Element | null = null;
  let most = farFrom();
  for (const [place, { isInUse }] of live) {
    const away = distance(place);
    if (away <= most || isInUse()) continue;
    farthest = place;
    most = away;
  }
  if (farthest === null) return false;
  const place = farthest;
  const frame = live.get(place);
  live.delete(place);
  void frame?.release(() => distance(place) > farFrom() && !frame.isInUse());
  return true;
}
