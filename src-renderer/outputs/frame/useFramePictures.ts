/** Hook that registers the pictures that a sandboxed frame can make of its output, for copying and saving. */

import { useEffect, useMemo, useState } from 'react';
import type { OutputPlace } from '../useBlobText.ts';
import { offerPictures, type PictureFormat } from './pictures.ts';

const NO_FORMATS: readonly PictureFormat[] = [];

/** Handlers for a frame's messages about its pictures. */
interface FramePictures {
  /** The frame now offers these formats. */
  readonly offer: (formats: readonly PictureFormat[]) => void;
  /** The frame answered a request. */
  readonly answer: (id: number, blob: Blob | null) => void;
  /** The frame was replaced: pending requests get no picture. */
  readonly reset: () => void;
}

/**
 * Offers the pictures of a frame under the place of its output, even if that place changes while the frame stays.
 * @param post sends a message to the frame; its identity must not change
 */
export function useFramePictures(
  { sessionId, cellId, index }: OutputPlace,
  post: (message: object) => void,
): FramePictures {
  const [formats, setFormats] = useState(NO_FORMATS);
  const requests = useMemo(() => {
    const waiting = new Map<number, (blob: Blob | null) => void>();
    let count = 0;
    return {
      take: (format: PictureFormat): Promise<Blob | null> =>
        new Promise((resolve) => {
          count += 1;
          waiting.set(count, resolve);
          post({ kind: 'picture', id: count, format });
        }),
      answer: (id: number, blob: Blob | null): void => {
        waiting.get(id)?.(blob);
        waiting.delete(id);
      },
      end: (): void => {
        for (const resolve of waiting.values()) resolve(null);
        waiting.clear();
      },
    };
  }, [post]);
  useEffect(() => () => requests.end(), [requests]);
  useEffect(() => {
    if (formats.length === 0) return;
    return offerPictures({ sessionId, cellId, index }, { formats, take: requests.take });
  }, [sessionId, cellId, index, formats, requests]);
  return useMemo(
    () => ({
      offer: setFormats,
      answer: requests.answer,
      reset: () => {
        requests.end();
        setFormats(NO_FORMATS);
      },
    }),
    [requests],
  );
}
