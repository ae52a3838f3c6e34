/** Serves the requests that arrive on a worker's connection to its relay. */

import type { Server } from 'node:http';
import type { WebSocket } from 'ws';
import type { Logger } from '../../observe/log.ts';
import { Keepalive } from '../keepalive.ts';
import { readMessage } from '../message.ts';
import { Outgoing } from '../outgoing.ts';
import { ServedStream } from './servedStream.ts';
import { answerFull, MAX_STREAMS, welcomeOf } from './streamLimit.ts';

interface WorkerSocketOptions {
  /** The socket, open and paused, with the subprotocol agreed. */
  readonly socket: WebSocket;
  readonly server: Server;
  readonly reportsReads: boolean;
  readonly log: Logger;
  /** Aborted when the worker stops: the connection is closed as soon as its open requests are answered. */
  readonly leaving: AbortSignal;
  /** Maximum concurrent requests; tests pass fewer. */
  readonly maxStreams?: number;
}

/**
 * How long a leaving worker waits for its open requests. It ends its runs in less time (their replies should still be
 * sent); requests open after it are cut.
 */
const LEAVE_MS = 30_000;

/**
 * One connection of a worker to its relay, from the accepted handshake to its end: reads frames, gives each
 * request its own stream and serves all concurrently. While one stream has too much unread data, nothing is
 * read from the socket. Resolves with the close code and reason; open requests are cut then, and their cells
 * continue.
 */
export function serveRelay(options: WorkerSocketOptions): Promise<string> {
  const { socket, server, reportsReads, log, leaving, maxStreams = MAX_STREAMS } = options;
  const streams = new Map<number, ServedStream>();
  const outgoing = new Outgoing({ send: (message, onSent) => socket.send(message, onSent) });
  const full = new Set<number>();
  const keepalive = new Keepalive({
    ping: () => socket.ping(),
    lost: () => {
      log.warn('the relay did not answer a ping; reconnecting');
      socket.terminate();
    },
    isPaused: () => full.size > 0,
  });

  /** Closes the connection once no request is open. Pending data is sent before the closing frame. */
  const closeIfDone = (): void => {
    if (leaving.aborted && streams.size === 0)
      outgoing.whenSent(() => socket.close(1001, 'worker is leaving'));
  };
  let late: NodeJS.Timeout | null = null;
  const leave = (): void => {
    late = setTimeout(() => socket.terminate(), LEAVE_MS);
    closeIfDone();
  };

  const receive = (data: Buffer, isBinary: boolean): void => {
    const message = readMessage(data, isBinary);
    if (message === null) return;
    if (message.kind === 'chunk') {
      streams.get(message.id)?.chunk(message.bytes);
      return;
    }
    const { frame } = message;
    if (frame.type === 'end') streams.get(frame.id)?.end();
    if (frame.type === 'abort') streams.get(frame.id)?.cut();
    if (frame.type !== 'request' || streams.has(frame.id)) return;
    const welcome = welcomeOf(frame, { streams: streams.size, unsent: outgoing.streams, maxStreams });
    if (welcome === 'leave') {
      log.warn('the relay sends requests faster than it reads responses; reconnecting');
      socket.terminate();
    }
    if (welcome === 'refuse') answerFull(outgoing, frame.id, streams.size);
    if (welcome !== 'serve') return;
    const stream = new ServedStream({
      frame,
      server,
      outgoing,
      reportsReads,
      full: (isFull) => {
        if (isFull) full.add(frame.id);
        else full.delete(frame.id);
        if (full.size === 0) socket.resume();
        else socket.pause();
      },
      over: () => {
        if (streams.get(frame.id) === stream) streams.delete(frame.id);
        closeIfDone();
      },
    });
    streams.set(frame.id, stream);
  };

  return new Promise((resolve) => {
    // Always buffers: the socket's binary type is the default.
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      keepalive.heard();
      receive(data, isBinary);
    });
    socket.on('pong', () => keepalive.heard());
    socket.on('error', (error) => log.debug({ err: error }, 'relay socket error'));
    socket.once('close', (code, reason) => {
      keepalive.stop();
      leaving.removeEventListener('abort', leave);
      if (late !== null) clearTimeout(late);
      for (const stream of [...streams.values()]) stream.cut();
      outgoing.close();
      resolve(reason.length === 0 ? `close code ${code}` : `close code ${code}: ${reason}`);
    });
    socket.resume();
    leaving.addEventListener('abort', leave, { once: true });
    if (leaving.aborted) leave();
  });
}
