/**
 * The WebSocket of one terminal panel, with its retries. Like the notebook's own connection it never gives up: the
 * owner ends it when the terminal is gone.
 */

import {
  type TerminalMessage,
  type TerminalRequest,
  terminalMessage,
} from '../../src-shared/wire/terminal.ts';
import { retryDelayMs } from './backoff.ts';
import { restUrl } from './serverUrls.ts';

interface TerminalLinkEvents {
  /** A connection was opened. The terminal's earlier output follows, so the drawn output must be cleared. */
  readonly onOpen: () => void;
  readonly onMessage: (message: TerminalMessage) => void;
  /** The connection was lost; the link tries to reconnect. */
  readonly onLost: () => void;
  /** The terminal was closed. */
  readonly onClosed: () => void;
}

export interface TerminalLink {
  /** Sends a request; without a connection it is dropped, including typed text. */
  send(request: TerminalRequest): void;
  close(): void;
}

const CLOSED = 1000;

export function connectTerminal(
  { sid, id }: { readonly sid: string; readonly id: string },
  events: TerminalLinkEvents,
): TerminalLink {
  const address = restUrl(`/v1/notebooks/ws/${encodeURIComponent(sid)}/terminals/${encodeURIComponent(id)}`);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  let socket: WebSocket | null = null;
  let timer: number | undefined;
  let attempt = 0;
  let isClosed = false;
  const connect = (): void => {
    const own = new WebSocket(address.href);
    socket = own;
    own.onopen = () => {
      attempt = 0;
      events.onOpen();
    };
    own.onmessage = ({ data }: MessageEvent<string>) =>
      events.onMessage(terminalMessage.parse(JSON.parse(data)));
    own.onclose = ({ code }) => {
      if (isClosed || socket !== own) return;
      socket = null;
      if (code === CLOSED) {
        events.onClosed();
        return;
      }
      events.onLost();
      timer = window.setTimeout(connect, retryDelayMs(attempt, Math.random()));
      attempt += 1;
    };
  };
  connect();
  return {
    send(request) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
    },
    close() {
      isClosed = true;
      window.clearTimeout(timer);
      socket?.close();
    },
  };
}
