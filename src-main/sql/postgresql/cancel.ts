/** Cancels a running statement of PostgreSQL over a second connection. */

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

interface CancelTarget {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly processId: number;
  readonly secretKey: number;
}

const CANCEL = 80_877_102;
const SSL = 80_877_103;
const TIMEOUT_MS = 5_000;

/** When the request is repeated, in ms from the first one. */
const REPEAT_MS = [20, 100, 500, 2_000];

/**
 * Sends the cancel request several times: the server drops a request that arrives between two messages of a statement,
 * and a statement whose connection is closed would then run to its end. Requests for an ended session have no effect.
 */
export function cancelRepeatedly(target: CancelTarget): void {
  void cancelRequest(target);
  for (const wait of REPEAT_MS) setTimeout(() => void cancelRequest(target), wait).unref();
}

/**
 * Asks the server, over a separate connection, to stop the statement of another session (the protocol's CancelRequest;
 * pg's own uses the object of the busy connection). Resolves when the server has closed the connection, or after five
 * seconds. Never rejects, because the request has no response and no caller waits for it.
 */
function cancelRequest(target: CancelTarget): Promise<void> {
  return new Promise((resolve) => {
    const { host, port } = target;
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const late = setTimeout(() => socket.destroy(), TIMEOUT_MS);
    const request = numbers([16, CANCEL, target.processId, target.secretKey]);
    socket.once('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
    socket.once('connect', () => (target.tls ? sendOverTls(socket, request) : socket.end(request)));
    // The socket must be read to its end, or it never emits 'close'.
    socket.resume();
  });
}

/** The certificate was checked when the session began; the request contains only the session's id and key. */
function sendOverTls(socket: Socket, request: Buffer): void {
  socket.pause();
  socket.once('data', (answer) => {
    if (answer[0] !== 0x53) return void socket.end(request);
    const secure = connectTls({ socket, rejectUnauthorized: false }, () => secure.end(request));
    secure.once('error', () => socket.destroy());
    return undefined;
  });
  socket.resume();
  socket.write(numbers([8, SSL]));
}

function numbers(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    buffer.writeInt32BE(value | 0, at * 4);
  });
  return buffer;
}
