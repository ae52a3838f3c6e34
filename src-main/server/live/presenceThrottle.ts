/** Delays and combines presence frames of a session when many people join it. */

import type { AddressedFrame } from '../../session/state/requests.ts';

/** Up to this number of sockets, presence is sent at once. */
const UNDELAYED_SOCKETS = 16;
/** With more sockets, presence frames are collected for this time, and longer the more sockets there are. */
const GATHER_MS = 250;
const GATHER_MS_EACH = 2;

interface CalmPresence {
  send(frames: readonly AddressedFrame[]): void;
  close(): void;
}

/**
 * Delays presence frames in a crowd. A presence frame goes to every socket and names every other one, so n sockets that
 * join one by one would cause n³ entries. In a crowd only the newest frame is sent, after a short delay. Other frames
 * do not wait for it, and a few sockets see no difference.
 */
export function createPresenceThrottle(
  send: (frames: readonly AddressedFrame[]) => void,
  sockets: () => number,
): CalmPresence {
  let newest: readonly AddressedFrame[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    timer = null;
    const due = newest;
    newest = [];
    send(due);
  };
  return {
    send(frames) {
      const presence = frames.filter(({ frame }) => frame.type === 'presence');
      if (presence.length === 0 || (sockets() <= UNDELAYED_SOCKETS && timer === null)) {
        send(frames);
        return;
      }
      newest = presence;
      const rest = frames.filter(({ frame }) => frame.type !== 'presence');
      if (rest.length > 0) send(rest);
      timer ??= setTimeout(flush, GATHER_MS + GATHER_MS_EACH * sockets()).unref();
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
