/** For tests of the live protocol: fake sockets, sample frames, and a room with such sockets. */

import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import type { AddressedFrame } from '../../session/state/requests.ts';
import { Broadcast } from '../live/broadcast.ts';
import { Outbox } from '../live/outbox.ts';

interface Sent {
  readonly type: string;
  readonly seq: number;
  readonly prev?: number;
  readonly ts: string;
  readonly payload: unknown;
}

export class FakeSocket {
  /** Bytes in the network's buffer that were not sent by the socket. */
  stuck = 0;
  terminated: string | null = null;
  readonly sent: Sent[] = [];
  #taken: (() => void)[] = [];
  get bufferedAmount(): number {
    return this.stuck;
  }
  send(data: Buffer, taken: () => void): void {
    this.sent.push(JSON.parse(data.toString()));
    this.#taken.push(taken);
  }
  /** The network accepts everything buffered, and all later bytes. */
  drain(): void {
    this.stuck = 0;
    for (let next = this.#taken.shift(); next !== undefined; next = this.#taken.shift()) next();
  }
  terminate(why: string): void {
    this.terminated = why;
  }
}

export const consoleFrame = (text: string, chunkSeq: number | null = 1): ServerFrame => ({
  type: 'cell_console',
  payload: { cell_id: 'a', stream: 'stdout', text, chunk_seq: chunkSeq },
});
export const stderrFrame = (text: string): ServerFrame => ({
  type: 'cell_console',
  payload: { cell_id: 'a', stream: 'stderr', text, chunk_seq: 1 },
});
export const status: ServerFrame = { type: 'cell_status', payload: { cell_id: 'a', status: 'ready' } };
export const toAll = (frame: ServerFrame): AddressedFrame => ({ frame, to: { kind: 'all' } });
export const to = (kind: 'only' | 'except', socketId: string): AddressedFrame => ({
  frame: status,
  to: { kind, socketId },
});

export function room(...names: string[]) {
  let isEnded = false;
  const clock = { nowMs: 0 };
  const broadcast = new Broadcast({ onClosed: () => (isEnded = true), now: () => new Date(0) });
  const closed: string[] = [];
  const sockets = names.map((name) => {
    const socket = new FakeSocket();
    const outbox = new Outbox(socket, () => clock.nowMs);
    broadcast.join(name, {
      extensions: false,
      deliver: (frame) => outbox.deliver(frame),
      close: (why, code) => closed.push(`${name}: ${why}${code === undefined ? '' : ` ${code}`}`),
    });
    return socket;
  });
  return { broadcast, sockets, closed, clock, ended: () => isEnded };
}

/** The frame numbers that a socket got, with `prev` if the frame has one. */
export const seqs = ({ sent }: FakeSocket) =>
  sent.map(({ seq, prev }) => (prev === undefined ? seq : [seq, prev]));
