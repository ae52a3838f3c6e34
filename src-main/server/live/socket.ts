/** Serves one live socket of a session: reads its frames, sends the frames of the session, and closes it. */

import { isUtf8 } from 'node:buffer';
import type { RawData, WebSocket } from 'ws';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import type { Assistants } from '../../agent/assistants.ts';
import { releaseMemorySoon } from '../../lib/releaseMemory.ts';
import type { Logger } from '../../observe/log.ts';
import type { Session } from '../../session/api.ts';
import { type Caller, identityOf, principalOf } from '../caller.ts';
import { handleAssistantFrame } from './assistantFrames.ts';
import type { Broadcast, Receiver } from './broadcast.ts';
import { readClientFrame, type SocketRole } from './clientFrame.ts';
import { Outbox } from './outbox.ts';
import { meaningOf } from './requestOf.ts';

interface LiveSocketOptions {
  readonly socket: WebSocket;
  readonly socketId: string;
  readonly session: Session;
  readonly broadcast: Broadcast;
  readonly caller: Caller;
  readonly role: SocketRole;
  readonly extensions: boolean;
  readonly isDraining: () => boolean;
  readonly assistants: Pick<Assistants, 'of'>;
  readonly log: Logger;
}

const NOT_JSON = 'Frames are JSON text';

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

/**
 * One client of one session, from the accepted upgrade to its end.
 * Frames are dispatched in order; the work they start is not awaited, so that a run delays nothing. The session answers
 * its refusals itself; only frames that never reach it are answered here.
 */
export function serveSocket(options: LiveSocketOptions): void {
  const { socket, socketId, session, broadcast, log } = options;
  let identity = identityOf(options.caller, undefined);
  /** Closed by the server: later messages are ignored. Messages that a client sent before it left are handled. */
  let isClosed = false;
  const end = (code: number, reason: string): void => {
    isClosed = true;
    socket.close(code, reason);
  };
  const outbox = new Outbox({
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (data, onTaken) => socket.send(data, { binary: false }, onTaken),
    terminate: (why) => {
      const { bufferedAmount: buffered } = socket;
      log.warn({ session_id: session.id, buffered, why }, 'a slow client was dropped');
      isClosed = true;
      socket.terminate();
    },
  });
  const receiver: Receiver = {
    extensions: options.extensions,
    deliver: (frame) => outbox.deliver(frame),
    close: (reason, code = 1000) => {
      outbox.flush();
      end(code, reason);
    },
  };
  const refuse = (error: ServerPayload<'error'>) =>
    broadcast.send([{ frame: { type: 'error', payload: error }, to: { kind: 'only', socketId } }]);
  const fail = (error: unknown) => {
    log.error({ err: error, session_id: session.id }, 'handling a frame failed');
    end(1011, 'Internal error');
  };
  /** Reaches the session at once and in order; only bugs are reported from its reply. */
  const dispatch = async (...args: Parameters<Session['dispatch']>): Promise<void> => {
    try {
      await session.dispatch(...args);
    } catch (error) {
      fail(error);
    }
  };

  const receive = (data: RawData) => {
    const result = readClientFrame(data.toString(), options);
    if (result.kind === 'not_json') return end(1011, NOT_JSON);
    if (result.kind === 'refused') return refuse(result.error);
    const { frame } = result;
    const author = 'author' in frame.payload ? (frame.payload.author ?? undefined) : undefined;
    if (author !== undefined) identity = identityOf(options.caller, author);
    if (handleAssistantFrame(frame, () => options.assistants.of(session))) return session.lifetime.touch();
    const { request, startsRun } = meaningOf(frame);
    if (request === 'nothing') return;
    if (request === 'unknown_cell') return refuse({ error: 'Cell not found' });
    if (startsRun && options.isDraining())
      return refuse({ error: 'Server is shutting down. Not accepting new runs.' });
    void dispatch(request, { kind: 'socket', socketId, identity, ...principalOf(options.caller) });
  };

  socket.on('message', (data, isBinary) => {
    if (isClosed) return;
    // Decoding would replace invalid bytes by replacement characters and save those.
    if (isBinary && !isUtf8(bytesOf(data))) return end(1011, NOT_JSON);
    try {
      receive(data);
    } catch (error) {
      fail(error);
    }
  });
  socket.on('error', (error) => log.debug({ err: error, session_id: session.id }, 'socket error'));
  socket.on('close', () => {
    releaseMemorySoon();
    // After the session's own end there is nothing left to notify.
    if (broadcast.leave(socketId)) void dispatch({ type: 'leave' }, { kind: 'socket', socketId, identity });
  });
  broadcast.join(socketId, receiver);
  void dispatch({ type: 'join' }, { kind: 'socket', socketId, identity });
}
