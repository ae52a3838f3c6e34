/** Accepts WebSockets of the live protocol and of terminals, and connects them to sessions. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { SessionId } from '../../../src-shared/notebook/ids.ts';
import type { Assistants } from '../../agent/assistants.ts';
import type { Logger } from '../../observe/log.ts';
import type { Session, Sessions } from '../../session/api.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Terminals } from '../../terminal/terminals.ts';
import { type Caller, PERSONAL_CALLER } from '../caller.ts';
import { hideInFrames } from '../hideInFrames.ts';
import { originForm, withoutBasePath } from '../pipeline/basePath.ts';
import { type HostCheck, namesTwoHosts } from '../pipeline/hostCheck.ts';
import type { TokenCheck } from '../pipeline/launchToken.ts';
import { judgeOrigin } from '../pipeline/originGuard.ts';
import type { PeerCheck } from '../pipeline/peerCheck.ts';
import { answerRaw } from '../pipeline/rawAnswer.ts';
import { requestId } from '../pipeline/requestId.ts';
import { Broadcast, type Receiver } from './broadcast.ts';
import type { SocketRole } from './clientFrame.ts';
import { createPresenceThrottle } from './presenceThrottle.ts';
import { serveSocket } from './socket.ts';
import { serveTerminalSocket } from './terminalSocket.ts';

interface LiveOptions {
  readonly sessions: Sessions;
  readonly hostCheck: HostCheck;
  readonly tokenCheck: TokenCheck;
  readonly peerCheck: PeerCheck;
  readonly corsAllowOrigins: readonly string[];
  readonly basePath: string;
  readonly isDraining: () => boolean;
  readonly assistants: Pick<Assistants, 'of'>;
  readonly terminals: Pick<Terminals, 'find'>;
  readonly log: Logger;
}

/** Larger messages end the connection (1009): a source is at most a million characters. */
const MAX_INBOUND_BYTES = 16 * 1024 * 1024;
/** How long a client may take to answer the closing handshake before its connection is closed. */
const CLOSING_MS = 1_000;

/** A notebook's frames, or one of its terminals. */
const PATH = /^\/v1\/notebooks\/ws\/([^/]+)(?:\/terminals\/([^/]+))?$/;

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

type Admitted =
  | AdmittedClient
  | { readonly kind: 'terminal'; readonly session: Session; readonly terminal: Terminal };

interface AdmittedClient {
  readonly kind: 'client';
  readonly session: Session;
  readonly broadcast: Broadcast;
  readonly caller: Caller;
  readonly role: SocketRole;
  readonly extensions: boolean;
}

/**
 * The live protocol's part of the HTTP server: accepts upgrades, and gives each open session its broadcast. Sockets of
 * terminals pass the same checks.
 * A refused upgrade is HTTP 403 before any WebSocket exists, for any cause (docs/spec/live-protocol.md, 2, 3).
 */
export class LiveServer {
  readonly #options: LiveOptions;
  readonly #broadcasts = new Map<SessionId, Broadcast>();
  readonly #wss = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_INBOUND_BYTES,
    perMessageDeflate: false,
    // Handles one message of a socket per turn of the event loop, so that other requests run between the messages of a
    // burst.
    allowSynchronousEvents: false,
  });

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#wss.on('headers', (headers, request) => headers.push(`X-Request-ID: ${requestId(request)}`));
    this.#wss.on('wsClientError', (error, socket, request) =>
      answerRaw(socket, {
        ...(request.method === 'GET'
          ? { status: '400 Bad Request', headers: { 'Sec-WebSocket-Version': '13' } }
          : { status: '405 Method Not Allowed', headers: { Allow: 'GET' } }),
        requestId: requestId(request),
        detail: `Invalid WebSocket handshake: ${error.message}.`,
      }),
    );
    for (const session of options.sessions.list()) this.#attach(session);
    options.sessions.onOpened((session) => this.#attach(session));
  }

  /** Listener of the HTTP server's `upgrade` event. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', (error) => this.#options.log.debug({ err: error }, 'upgrade socket error'));
    const passes = this.#options.peerCheck(request.socket);
    if (typeof passes === 'boolean') this.#answer(passes, { request, socket, head });
    else void passes.then((passed) => this.#answer(passed, { request, socket, head }));
  };

  #answer(passes: boolean, { request, socket, head }: Upgrade): void {
    const admitted = passes ? this.#admit(request) : null;
    if (admitted === null) {
      answerRaw(socket, { status: '403 Forbidden', requestId: requestId(request) });
      return;
    }
    this.#wss.handleUpgrade(request, socket, head, (ws) => {
      const { isDraining, assistants, log } = this.#options;
      if (admitted.kind === 'terminal') {
        const { session, terminal } = admitted;
        serveTerminalSocket({ socket: ws, terminal, onUse: () => session.lifetime.touch(), log });
        return;
      }
      serveSocket({ ...admitted, socket: ws, socketId: randomUUID(), isDraining, assistants, log });
    });
  }

  /**
   * Adds a receiver to a session's frames, like a socket with this id. @returns a function that removes it; null for an
   * unknown session
   */
  listen(sid: SessionId, socketId: string, receiver: Receiver): (() => void) | null {
    const broadcast = this.#broadcasts.get(sid);
    broadcast?.join(socketId, receiver);
    return broadcast === undefined ? null : () => void broadcast.leave(socketId);
  }

  /** Closes connections whose clients did not finish closing. Called when the sessions have ended. */
  async close(): Promise<void> {
    const open = [...this.#wss.clients];
    const closed = open.map((ws) => new Promise<void>((resolve) => ws.once('close', () => resolve())));
    for (const ws of open) ws.close(1000, 'Session closed');
    const cut = setTimeout(() => {
      for (const ws of open) ws.terminate();
    }, CLOSING_MS);
    await Promise.all(closed);
    clearTimeout(cut);
    this.#wss.close();
  }

  /** A session has replaced another one with the same id. */
  #attach(session: Session): void {
    const before = this.#broadcasts.get(session.id);
    const broadcast = new Broadcast({
      onClosed: () => this.#broadcasts.delete(session.id),
      after: before?.seq ?? 0,
    });
    this.#broadcasts.set(session.id, broadcast);
    const calm = createPresenceThrottle(
      (frames) => broadcast.send(hideInFrames(frames, session.views.notebook.redactor())),
      () => broadcast.size,
    );
    session.attach({
      send: (frames) => calm.send(frames),
      closed: () => {
        calm.close();
        broadcast.closed();
      },
    });
    before?.moved();
  }

  #admit(request: IncomingMessage): Admitted | null {
    const { sessions, terminals, hostCheck, tokenCheck, corsAllowOrigins, basePath } = this.#options;
    const { host, origin } = request.headers;
    if (namesTwoHosts(request.rawHeaders) || !hostCheck(host) || !tokenCheck(request)) return null;
    if (judgeOrigin({ origin, host }, corsAllowOrigins).kind === 'foreign') return null;
    const url = withoutBasePath(originForm(request.url ?? '/'), basePath);
    const [path = '/', query = ''] = url.split('?', 2);
    const [, sid, terminalId] = PATH.exec(path) ?? [];
    if (sid === undefined) return null;
    const session = sessions.find(sid);
    if (terminalId !== undefined) {
      const terminal = session === null ? null : terminals.find(session.id, terminalId);
      return session === null || terminal === null ? null : { kind: 'terminal', session, terminal };
    }
    const broadcast = session === null ? undefined : this.#broadcasts.get(session.id);
    if (session === null || broadcast === undefined) return null;
    const parameters = new URLSearchParams(query);
    const role = parameters.get('role') === 'viewer' ? 'viewer' : 'editor';
    const extensions = parameters.get('extensions') === '1';
    return { kind: 'client', session, broadcast, caller: PERSONAL_CALLER, role, extensions };
  }
}
