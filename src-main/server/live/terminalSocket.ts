/** Serves one WebSocket of a terminal: passes its input to the terminal, and the output to the window. */

import type { RawData, WebSocket } from 'ws';
import { terminalRequest } from '../../../src-shared/wire/terminal.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';
import type { Logger } from '../../observe/log.ts';
import type { Terminal } from '../../terminal/terminal.ts';

interface TerminalSocketOptions {
  readonly socket: WebSocket;
  readonly terminal: Terminal;
  /** Counts as activity of the notebook. */
  readonly onUse: () => void;
  readonly log: Logger;
}

/** Close codes of a terminal's socket: 1000 the terminal was closed, 1008 a message it does not know, 1013 too slow. */
const CLOSE = {
  closed: { code: 1000, reason: 'Terminal closed' },
  slow: { code: 1013, reason: 'Too slow, connect again' },
} as const;

/** One window's view of a terminal, from the accepted upgrade to its end (docs/extensions.md). */
export function serveTerminalSocket({ socket, terminal, onUse, log }: TerminalSocketOptions): void {
  const attachment = terminal.attach({
    send: (message) => socket.send(JSON.stringify(message)),
    close: (why) => socket.close(CLOSE[why].code, CLOSE[why].reason),
  });
  socket.on('message', (data: RawData) => {
    const request = terminalRequest.safeParse(tryParseJson(String(data)));
    if (!request.success) return socket.close(1008, 'Unknown message');
    if (request.data.type === 'input') onUse();
    attachment.take(request.data);
  });
  socket.on('error', (error) => log.debug({ err: error }, 'terminal socket error'));
  socket.on('close', () => attachment.detach());
}
