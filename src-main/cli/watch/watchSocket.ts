/**
 * The live WebSocket of `svc watch`: follows a session as a viewer, checks that the server is alive, and reconnects.
 */

import { WebSocket } from 'ws';
import { LAUNCH_TOKEN_HEADER } from '../../../src-shared/shell/handshake.ts';
import type { ReceivedFrame } from '../../../src-shared/wire/frames/server.ts';

/** How often the state is requested; an answer also shows that the server is alive (docs/spec/command-line.md, 5). */
const SYNC_MS = 2_500;
/** Without any frame for this long the connection is closed. */
const SILENCE_MS = 10_000;
const [RETRY_MS, MAX_RETRY_MS] = [1_000, 10_000];

interface WatchEvents {
  readonly onFrame: (frame: ReceivedFrame) => void;
  readonly onLink: (link: 'connected' | 'lost') => void;
  /** The server does not know the session, or refuses access. */
  readonly onRefused: () => void;
}

interface WatchSocket {
  sync(): void;
  close(): void;
}

/**
 * Follows a session as a viewer: requests the state at first and repeatedly, and reconnects after 1 s, doubling to 10
 * s.
 */
export function watchSocket(
  { base, sid, token }: { readonly base: URL; readonly sid: string; readonly token: string | null },
  events: WatchEvents,
): WatchSocket {
  const root = base.href.endsWith('/') ? base.href : `${base.href}/`;
  const address = new URL(`v1/notebooks/ws/${encodeURIComponent(sid)}?role=viewer&extensions=1`, root);
  address.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  const headers = token === null ? {} : { [LAUNCH_TOKEN_HEADER]: token };
  let socket: WebSocket | null = null;
  let retryMs = RETRY_MS;
  let heardAt = 0;
  let over = false;
  let retry: NodeJS.Timeout | undefined;
  const sync = (): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send('{"type":"notebook_sync"}');
  };
  const connect = (): void => {
    const mine = new WebSocket(address, { headers, perMessageDeflate: false });
    socket = mine;
    mine.on('open', () => {
      retryMs = RETRY_MS;
      heardAt = Date.now();
      events.onLink('connected');
      sync();
    });
    mine.on('message', (data) => {
      heardAt = Date.now();
      events.onFrame(JSON.parse(String(data)) as ReceivedFrame); // the server's own frames
    });
    mine.on('unexpected-response', (_request, { statusCode }) => {
      if (statusCode === 403) events.onRefused();
      mine.terminate();
    });
    // `close` follows and is handled.
    mine.on('error', () => undefined);
    mine.on('close', () => {
      if (over || socket !== mine) return;
      socket = null;
      events.onLink('lost');
      retry = setTimeout(connect, retryMs);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    });
  };
  const pulse = setInterval(() => {
    if (socket?.readyState === WebSocket.OPEN && Date.now() - heardAt > SILENCE_MS) socket.terminate();
    sync();
  }, SYNC_MS);
  connect();
  return {
    sync,
    close() {
      over = true;
      clearInterval(pulse);
      clearTimeout(retry);
      socket?.close();
    },
  };
}
