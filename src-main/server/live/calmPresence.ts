import type { AddressedFrame } from '../../session/api.ts';

/** Up to so many sockets hear at once who came and went. */
const FEW = 16;
/** Beyond them news are gathered: for so long, and longer the more there are to be told. */
const GATHER_MS = 250;
const GATHER_MS_EACH = 2;

export interface CalmPresence {
  send(frames: readonly AddressedFrame[]): void;
  close(): void;
}

/**
 * Who is where is told to every socket, and names every other: of a crowd of n that comes in one by one that would be
 * n³ places. In a crowd only the newest is sent, after a short while; nothing else waits for it, and a few people see
 * no difference.
 */
export function createCalmPresence(
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
      if (presence.length === 0 || (sockets() <= FEW && timer === null)) {
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
