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

/** When the server is asked again, in ms from the first time. */
const AGAIN_MS = [20, 100, 500, 2_000];

/**
 * Asks several times: what reaches the server between two messages of a statement is lost there, and a statement whose
 * line is gone goes on to its end unless one more comes. A session that has ended takes no notice.
 */
export function cancelUntilHeard(target: CancelTarget): void {
  void cancelRequest(target);
  for (const wait of AGAIN_MS) setTimeout(() => void cancelRequest(target), wait).unref();
}

/**
 * Asks the server, on a line of its own, to stop what another session runs (the protocol's CancelRequest; pg's own
 * goes over the busy line's object). Resolves when the server hung up, or after five seconds; never rejects: nothing
 * waits for its answer, and there is none.
 */
function cancelRequest(target: CancelTarget): Promise<void> {
  return new Promise((resolve) => {
    const { host, port } = target;
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const late = setTimeout(() => socket.destroy(), GIVE_UP_MS);
    const request = numbers([16, CANCEL, target.processId, target.secretKey]);
    socket.once('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
    socket.once('connect', () => (target.tls ? sendOverTls(socket, request) : socket.end(request)));
    // Read to its end, or 'close' never comes.
    socket.resume();
  });
}

/** The certificate was looked at when the session began; the request tells nothing but the session's number. */
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
