import { SERVER_FRAMES } from '../../../src-shared/wire/frames/server.ts';
import type { AddressedFrame, FrameSink } from '../../session/api.ts';
import { type JsonPart, joinParts, jsonParts } from '../jsonParts.ts';
import type { OutgoingFrame } from './outbox.ts';

/** One receiver of a session's frames. */
export interface Receiver {
  /** Whether it asked for frames the specification does not have. */
  readonly extensions: boolean;
  deliver(frame: OutgoingFrame): void;
  /** Ends the socket, with code 1000 where none is given, once what was sent before is out. */
  close(reason: string, code?: number): void;
}

/** "Service restart": the client is to connect again, to the same address. */
const COME_AGAIN = 1012;

/**
 * Everybody who listens to one session, and the session's one counter: it lives as long as the session, so numbers
 * go on across reconnects (live-protocol 1). Frames of one batch carry one time. Frames beyond the
 * specification take no number of their own, so that who did not ask for them meets neither one nor a gap.
 */
export class Broadcast implements FrameSink {
  readonly #receivers = new Map<string, Receiver>();
  readonly #now: () => Date;
  readonly #onClosed: () => void;
  #seq: number;
  #over = false;

  /** `after`: the number of the last frame of the session whose place this one's takes. */
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

  /** Answers whether the socket was still part of it. */
  leave(socketId: string): boolean {
    return this.#receivers.delete(socketId);
  }

  /** What comes after `session_closed` is sent to nobody: it is the last frame of a session (live-protocol 7). */
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

  /** Another session has taken this one's place: its listeners connect to that one. */
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

/** The payload is turned into bytes at most once, however many sockets get it, and not at all for none. */
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
