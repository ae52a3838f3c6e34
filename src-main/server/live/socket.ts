import { isUtf8 } from 'node:buffer';
import type { RawData, WebSocket } from 'ws';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import type { Assistants } from '../../agent/assistants.ts';
import { releaseMemorySoon } from '../../lib/releaseMemory.ts';
import type { Logger } from '../../observe/log.ts';
import type { Session } from '../../session/api.ts';
import { type Caller, identityOf, principalOf } from '../caller.ts';
import { takeAssistantFrame } from './assistantFrames.ts';
import type { Broadcast, Receiver } from './broadcast.ts';
import { readClientFrame, type SocketRole } from './clientFrame.ts';
import { Outbox } from './outbox.ts';
import { meaningOf } from './requestOf.ts';

export interface LiveSocketOptions {
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
 * One client on one session, from the accepted upgrade to its end.
 * Frames are dispatched in the order they come; what they start is not waited for, so a run holds nothing up.
 * The session answers refusals itself; only what never reaches it is answered here.
 */
export function serveSocket(options: LiveSocketOptions): void {
  const { socket, socketId, session, broadcast, log } = options;
  let identity = identityOf(options.caller, undefined);
  /** Ended from here: what still comes is not read. What a client sent before it left is. */
  let ended = false;
  const end = (code: number, reason: string): void => {
    ended = true;
    socket.close(code, reason);
  };
  const outbox = new Outbox({
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
    send: (data, taken) => socket.send(data, { binary: false }, taken),
    terminate: (why) => {
      const { bufferedAmount: buffered } = socket;
      log.warn({ session_id: session.id, buffered, why }, 'a slow client was dropped');
      ended = true;
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
  /** Reaches the session at once, in order; its reply is only watched for faults. */
  const dispatch = async (...asked: Parameters<Session['dispatch']>): Promise<void> => {
    try {
      await session.dispatch(...asked);
    } catch (error) {
      fail(error);
    }
  };

  const receive = (data: RawData) => {
    const read = readClientFrame(data.toString(), options);
    if (read.kind === 'not_json') return end(1011, NOT_JSON);
    if (read.kind === 'refused') return refuse(read.error);
    const { frame } = read;
    const author = 'author' in frame.payload ? (frame.payload.author ?? undefined) : undefined;
    if (author !== undefined) identity = identityOf(options.caller, author);
    if (takeAssistantFrame(frame, () => options.assistants.of(session))) return session.touch();
    const { request, startsRun } = meaningOf(frame);
    if (request === 'nothing') return;
    if (request === 'unknown_cell') return refuse({ error: 'Cell not found' });
    if (startsRun && options.isDraining())
      return refuse({ error: 'Server is shutting down. Not accepting new runs.' });
    void dispatch(request, { kind: 'socket', socketId, identity, ...principalOf(options.caller) });
  };

  socket.on('message', (data, isBinary) => {
    if (ended) return;
    // Decoding would put question marks where a client meant something else, and save them.
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
    // After the session's own end there is nobody left to tell.
    if (broadcast.leave(socketId)) void dispatch({ type: 'leave' }, { kind: 'socket', socketId, identity });
  });
  broadcast.join(socketId, receiver);
  void dispatch({ type: 'join' }, { kind: 'socket', socketId, identity });
}
