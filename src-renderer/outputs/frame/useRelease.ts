/** Hook that replaces the frame of a figure far from the viewport by a picture, which takes much less memory. */

import { useCallback, useEffect, useRef, useState } from 'react';
import type { OutputPlace } from '../useBlobText.ts';
import type { Release } from './liveFigures.ts';
import { takePicture } from './pictures.ts';

/** A frame that takes longer than this to return its picture, in ms, is released without one. */
const LONGEST_MS = 5_000;
/** The most bytes of a picture kept in memory; limited, because a frame runs untrusted code. */
const MAX_BYTES = 8_000_000;

/**
 * Releases a figure and keeps its picture, which is also printed, since a frame cannot be drawn again in time before
 * the page is printed.
 * @param version of the output; the picture of an earlier version is not shown
 * @param near whether the figure is drawn; its picture is then dropped
 * @param leave removes the frame; called once the picture has arrived or failed, unless the figure came near meanwhile
 * or has a new version
 */
export function useRelease(
  { sessionId, cellId, index }: OutputPlace,
  { version, near, leave }: { readonly version: unknown; readonly near: boolean; readonly leave: () => void },
): { readonly picture: Blob | null; readonly release: Release } {
  const [last, setLast] = useState<{ readonly version: unknown; readonly picture: Blob | null } | null>(null);
  const current = useRef(version);
  current.current = version;
  useEffect(() => {
    if (near) setLast(null);
  }, [near]);
  const release = useCallback<Release>(
    async (isStillFar) => {
      const picture = await pictureInTime({ sessionId, cellId, index });
      if (!isStillFar() || current.current !== version) return false;
      setLast({ version, picture });
      leave();
      return true;
    },
    [sessionId, cellId, index, version, leave],
  );
  return { picture: last?.version === version ? (last?.picture ?? null) : null, release };
}

async function pictureInTime(place: OutputPlace): Promise<Blob | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LONGEST_MS);
  });
  const picture = await Promise.race([takePicture(place, 'png'), late]);
  clearTimeout(timer);
  return picture === null || picture.size > MAX_BYTES ? null : picture;
}
