/** Limits how many figures and widgets are drawn at once: the farthest is released. */

import { distance } from './drawQueue.ts';

/**
 * The most figures drawn at a time: each takes some 20 MB, and processor time whenever the page changes its width or
 * colours.
 */
const MAX_LIVE = 24;

/** Removes a frame if it is still far away when its picture has been taken. @returns whether the frame was removed */
export type Release = (isStillFar: () => boolean) => Promise<boolean>;

/** A frame's memory as a share of a figure's, and the function that releases it. */
interface Counted {
  readonly share: number;
  /** Whether a person is using it: then it is not released. */
  readonly isInUse: () => boolean;
  readonly release: Release;
}

const live = new Map<Element, Counted>();

/**
 * Counts a frame that is drawn. If there are more than 24 figures, or widgets that take as much memory, the one
 * farthest from the window is released, and is drawn again from its data when it comes near. A frame that is in use or
 * within three window heights stays.
 * @returns a function that stops counting the frame
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
  while (totalShare() > MAX_LIVE && releaseFarthest());
  return () => {
    isCounted = false;
    live.delete(place);
  };
}

/** The distance from the middle of the window, in CSS px, beyond which a frame may be released. */
function leastReleaseDistance(): number {
  return 3 * window.innerHeight;
}

function totalShare(): number {
  let all = 0;
  for (const { share } of live.values()) all += share;
  return all;
}

/** Releases the farthest frame. @returns whether there was one to release */
function releaseFarthest(): boolean {
  let farthest: Element | null = null;
  let most = leastReleaseDistance();
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
  void frame?.release(() => distance(place) > leastReleaseDistance() && !frame.isInUse());
  return true;
}
