/** Takes a figure's frame away and leaves its picture in its place. */

import { useCallback, useState } from 'react';
import type { OutputPlace } from '../useBlobText.ts';
import { takePicture } from './pictures.ts';

/** A frame that takes longer than this for its picture, in ms, is released without one. */
const LONGEST_MS = 5_000;
/** The most bytes of a picture that is kept in memory: a frame runs untrusted code. */
const MOST_BYTES = 8_000_000;

/**
 * What stays of a figure that is released: its picture, which paper gets too, since a frame cannot be drawn again
 * before the page is printed.
 * @param version of the output; the picture of an earlier one is not shown
 * @param leave takes the frame away; called once the picture is there, or there is none
 */
export function useRelease(
  { sessionId, cellId, index }: OutputPlace,
  version: unknown,
  leave: () => void,
): { readonly picture: Blob | null; readonly release: () => void } {
  const [last, setLast] = useState<{ readonly version: unknown; readonly picture: Blob | null } | null>(null);
  const release = useCallback((): void => {
    void pictureInTime({ sessionId, cellId, index }).then((picture) => {
      setLast({ version, picture });
      leave();
    });
  }, [sessionId, cellId, index, version, leave]);
  return { picture: last?.version === version ? (last?.picture ?? null) : null, release };
}

async function pictureInTime(place: OutputPlace): Promise<Blob | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LONGEST_MS);
  });
  const picture = await Promise.race([takePicture(place, 'png'), late]);
  clearTimeout(timer);
  return picture === null || picture.size > MOST_BYTES ? null : picture;
}
