/** The send queue of one live socket: merges and drops frames for slow clients, and disconnects those that stall. */

import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import { mayPass, mergedConsole, supersedes } from './coalesce.ts';

/** The part of a WebSocket that sending needs; tests have their own. */
interface SendingSocket {
  /** Bytes accepted and not yet written to the network. */
  readonly bufferedAmount: number;
  /** `onTaken` is called when the message was written to the network, or never will be. */
  send(data: Buffer, onTaken: () => void): void;
  /** Ends the connection without a closing handshake. */
  terminate(why: DropReason): void;
}

type DropReason = 'too much waits' | 'nothing was sent for too long';

/** A frame to send: serialised once, sent to many. */
export interface OutgoingFrame {
  readonly frame: ServerFrame;
  readonly seq: number;
  readonly transient: boolean;
  /** The whole message. */
  readonly bytes: () => Buffer;
  /** The bytes with the field `prev`, for a socket whose last frame was not `seq - 1`. */
  readonly bytesAfter: (prev: number) => Buffer;
  /** Another frame with the same number and time, to be sent instead of this one. */
  readonly instead: (frame: ServerFrame) => OutgoingFrame;
}

/**
 * Bytes passed to the network and not yet written. Beyond this, frames are queued here, where they can still be merged.
 */
export const WINDOW_BYTES = 1024 * 1024;
/** Beyond this, frames that are not part of the state (console, progress) are dropped. */
export const SOFT_LIMIT_BYTES = 4 * 1024 * 1024;
/** Beyond this the socket is dropped. */
export const HARD_LIMIT_BYTES = 64 * 1024 * 1024;
/** A socket that accepted nothing for this long while frames are queued is dropped at the next frame. */
export const STALL_MS = 60_000;

/** How many queued frames are searched for one that console text can be appended to. */
const MAX_LOOKED_BACK = 64;

interface Waiting {
  readonly outgoing: OutgoingFrame;
  readonly bytes: number;
  /** Whether a frame before this one was dropped: the gap stays unexplained, so that the client requests the state. */
  afterLoss: boolean;
}

/**
 * The send queue of one socket.
 *
 * Numbers: `seq` counts the session's frames, so frames for other sockets leave gaps here. If nothing was lost, the
 * next frame shows this by `prev`, the last number this socket got. A client that knows `prev` need not sync; one that
 * does not treats the gap as docs/spec/live-protocol.md, 1 says.
 *
 * Slow clients: what the network does not accept at once is queued here, in order. Queued console text of one stream is
 * merged into one frame, and a status is replaced by the cell's newer one; neither loses anything. Beyond
 * SOFT_LIMIT_BYTES transient frames are dropped; beyond HARD_LIMIT_BYTES, or when nothing was accepted for STALL_MS,
 * the socket is dropped. Other sockets never wait.
 */
export class Outbox {
  readonly #socket: SendingSocket;
  readonly #nowMs: () => number;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #lastSeq: number | null = null;
  #lost = false;
  #dropped = false;
  #takenAtMs: number;

  constructor(socket: SendingSocket, nowMs: () => number = Date.now) {
    this.#socket = socket;
    this.#nowMs = nowMs;
    this.#takenAtMs = nowMs();
  }

  /** Sends, queues or drops a frame, or drops the socket. Never throws and never waits. */
  deliver(outgoing: OutgoingFrame): void {
    if (this.#dropped) return;
    if (this.#waiting.length === 0 && this.#socket.bufferedAmount < WINDOW_BYTES) {
      // The time of a stall starts when the first frame is queued.
      if (this.#socket.bufferedAmount === 0) this.#takenAtMs = this.#nowMs();
      this.#send(outgoing, this.#takeLost());
    } else if (this.#nowMs() - this.#takenAtMs > STALL_MS) this.#drop('nothing was sent for too long');
    else {
      this.#keep(outgoing);
      if (this.#held() > HARD_LIMIT_BYTES) this.#drop('too much waits');
    }
  }

  /** Passes all queued frames to the network, before the socket is closed. */
  flush(): void {
    for (const { outgoing, afterLoss } of this.#waiting.splice(0)) this.#send(outgoing, afterLoss);
    this.#waitingBytes = 0;
  }

  #keep(outgoing: OutgoingFrame): void {
    if (outgoing.transient && this.#held() > SOFT_LIMIT_BYTES) {
      this.#lost = true;
      return;
    }
    const merged = this.#lost ? null : this.#mergedWith(outgoing.frame);
    if (merged !== null) {
      const { bytes, afterLoss } = this.#takeOut(merged.at);
      const size = bytes + outgoing.bytes().length;
      this.#push({ outgoing: outgoing.instead(merged.frame), bytes: size, afterLoss });
      return;
    }
    const old = this.#waiting.findIndex((one) => supersedes(outgoing.frame, one.outgoing.frame));
    if (old !== -1) {
      // The next frame takes over the note that a frame was lost.
      const { afterLoss } = this.#takeOut(old);
      const next = this.#waiting[old];
      if (afterLoss && next !== undefined) next.afterLoss = true;
      else if (afterLoss) this.#lost = true;
    }
    this.#push({ outgoing, bytes: outgoing.bytes().length, afterLoss: this.#takeLost() });
  }

  /** The newest queued frame that can take this one's text, unless a frame between them depends on the order. */
  #mergedWith(frame: ServerFrame): { readonly at: number; readonly frame: ServerFrame } | null {
    const first = Math.max(0, this.#waiting.length - MAX_LOOKED_BACK);
    for (let at = this.#waiting.length - 1; at >= first; at -= 1) {
      const one = this.#waiting[at];
      if (one === undefined) break;
      const merged = mergedConsole(one.outgoing.frame, frame);
      if (merged !== null) return one.afterLoss ? null : { at, frame: merged };
      if (one.afterLoss || !mayPass(frame, one.outgoing.frame)) break;
    }
    return null;
  }

  #takeOut(at: number): Waiting {
    const [one] = this.#waiting.splice(at, 1);
    if (one === undefined) throw new Error('nothing waits there');
    this.#waitingBytes -= one.bytes;
    return one;
  }

  #push(one: Waiting): void {
    this.#waiting.push(one);
    this.#waitingBytes += one.bytes;
  }

  #takeLost(): boolean {
    const hadLost = this.#lost;
    this.#lost = false;
    return hadLost;
  }

  #held(): number {
    return this.#waitingBytes + this.#socket.bufferedAmount;
  }

  #send({ seq, bytes, bytesAfter }: OutgoingFrame, afterLoss: boolean): void {
    const last = this.#lastSeq;
    const skipped = last !== null && seq > last + 1 && !afterLoss;
    this.#lastSeq = seq;
    this.#socket.send(skipped ? bytesAfter(last) : bytes(), () => this.#taken());
  }

  #taken(): void {
    this.#takenAtMs = this.#nowMs();
    while (!this.#dropped && this.#socket.bufferedAmount < WINDOW_BYTES) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#waitingBytes -= next.bytes;
      this.#send(next.outgoing, next.afterLoss);
    }
  }

  #drop(why: DropReason): void {
    this.#dropped = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#socket.terminate(why);
  }
}
