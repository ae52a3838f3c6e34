/** Replaces the notebook's secrets by `[hidden]` in live frames. */

import type { Redactor } from '../lib/redactor.ts';
import type { AddressedFrame } from '../session/state/requests.ts';
import { hideInAnswer } from './hideInAnswer.ts';

/** Hides secrets in frames. Live console text arrives in pieces and is hidden where the pieces are joined. */
export function hideInFrames(
  frames: readonly AddressedFrame[],
  redactor: Redactor,
): readonly AddressedFrame[] {
  if (redactor.isIdle) return frames;
  return frames.map((addressed) => {
    const { frame } = addressed;
    if (frame.type === 'cell_console') return addressed;
    return { ...addressed, frame: hideInAnswer(frame, redactor) };
  });
}
