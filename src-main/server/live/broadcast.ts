/** Sends the frames of one session to its live sockets, with the session's sequence numbers. */

import { SERVER_FRAMES } from '../../../src-shared/wire/frames/server.ts';
import type { AddressedFrame, FrameSink } from '../../session/state/requests.ts';
import { type JsonPart, joinParts, jsonParts } from '../jsonParts.ts';
import type { OutgoingFrame } from './outbox.ts';

/** One receiver of a session's frames. */
export interface Receiver {
  /** Whether it requested frames beyond the specification. */
  readonly extensions: boolean;
  deliver(frame: OutgoingFrame): void;
  /** Closes the socket after everything that was sent before; the default code is 1000. */
  close(reason: string, code?: number): void;
}

/** "Service restart": the client should connect again to the same URL. */
const COME_AGAIN = 1012;

/**
 * The sockets of one session, and the session's frame counter. It lives as long as the session, so numbers continue
 * across reconnects (docs/spec/live-protocol.md, 1). Frames of one batch share one time. Frames beyond the
 * specification take no number of their own, so that other sockets see no gap.
 */
export class Broadcast implements FrameSink {
  readonly #receivers = new Map<string, Receiver>();
  readonly #now: () => Date;
  readonly #onClosed: () => void;
  #seq: number;
  #over = false;

  /** `after`: the last frame number of the session that this one replaces. */
  constructor(options: {
    readonly onClosed: () => void;
    readonly now?: () => Date;
    readonly after?: number;
  }) {
    this.#onClosed = options.onClosed;
    this.#now = options.now ?? (() => new Date());
    this.#seq = options.after ?? 0;
  }

  /** The number of the last frame. */
  get seq(): number {
    return this.#seq;
  }

  join(socketId: string, receiver: Receiver): void {
    this.#receivers.set(socketId, receiver);
  }

  get size(): number {
    return this.#receivers.size;
  }

  /** Returns whether the socket still belonged to it. */
  leave(socketId: string): boolean {
    return this.#receivers.delete(socketId);
  }

  /** Sends nothing after `session_closed`: it is the last frame of a session (docs/spec/live-protocol.md, 7). */
  send(frames: readonly AddressedFrame[]): void {
    const ts = this.#now().toISOString();
    for (const { frame, to, sharesSeq } of frames) {
      if (this.#over) return;
      this.#over = frame.type === 'session_closed';
      const extension = isExtension(frame);
      if (!sharesSeq && !extension) this.#seq += 1;
      const outgoing = serialise(frame, { seq: this.#seq, ts });
      for (const [socketId, receiver] of this.#receivers) {
        if (isFor(to, socketId) && (!extension || receiver.extensions)) receiver.deliver(outgoing);
      }
    }
  }

  /** Another session has replaced this one: its sockets connect to the new one. */
  moved(): void {
    const receivers = [...this.#receivers.values()];
    this.#receivers.clear();
    for (const receiver of receivers) receiver.close('The notebook was opened again', COME_AGAIN);
  }

  closed(): void {
    const receivers = [...this.#receivers.values()];
    this.#receivers.clear();
    for (const receiver of receivers) receiver.close('Session closed');
    this.#onClosed();
  }
}

function isExtension({ type }: AddressedFrame['frame']): boolean {
  return 'extension' in SERVER_FRAMES[type];
}

function isFor(to: AddressedFrame['to'], socketId: string): boolean {
  return to.kind === 'all' || (to.kind === 'only') === (to.socketId === socketId);
}

/** Serialises the payload at most once for all sockets, and only when a socket needs it. */
function serialise(frame: AddressedFrame['frame'], stamp: { seq: number; ts: string }): OutgoingFrame {
  const { seq, ts } = stamp;
  const head = `{"type":"${frame.type}","seq":${seq}`;
  let payload: readonly JsonPart[] | null = null;
  let whole: Buffer | null = null;
  const bytesOf = (start: string): Buffer => {
    payload ??= jsonParts(frame.payload);
    return joinParts([`${start},"ts":"${ts}","payload":`, ...payload, '}']);
  };
  return {
    frame,
    seq,
    transient: SERVER_FRAMES[frame.type].transient,
    bytes: () => {
      whole ??= bytesOf(head);
      return whole;
    },
    bytesAfter: (prev) => bytesOf(`${head},"prev":${prev}`),
    instead: (other) => serialise(other, stamp),
  };
}
