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
const GIVE_UP_MS = 5_000;

/** When the request is repeated, in ms after the first one. */
const REPEAT_MS = [20, 100, 500, 2_000];

/**
 * Sends the request several times: the server ignores one that arrives between two messages of a statement, and a statement
 * without a connection would then run to its end. A session that has ended ignores it.
 */
export function cancelRepeatedly(target: CancelTarget): void {
  void cancelRequest(target);
  for (const wait of REPEAT_MS) setTimeout(() => void cancelRequest(target), wait).unref();
}

/**
 * Sends the protocol's CancelRequest on its own connection, to stop what another session runs (pg's own function uses the
 * busy connection's object). Resolves when the server closes the connection, or after five seconds; never rejects, since
 * there is no answer.
 */
function cancelRequest(target: CancelTarget): Promise<void> {
  return new Promise((resolve) => {
    const { host, port } = target;
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const timeout = setTimeout(() => socket.destroy(), GIVE_UP_MS);
    const request = numbers([16, CANCEL, target.processId, target.secretKey]);
    socket.once('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(timeout);
      resolve();
    });
    socket.once('connect', () => (target.tls ? sendOverTls(socket, request) : socket.end(request)));
    // Must be read to the end, or there is no 'close' event.
    socket.resume();
  });
}

/** The certificate was checked when the session began; the request only contains the session's number and key. */
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
