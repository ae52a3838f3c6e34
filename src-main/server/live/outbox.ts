import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import { mayPass, mergedConsole, supersedes } from './coalesce.ts';

/** The part of a WebSocket that sending needs; tests bring their own. */
export interface SendingSocket {
  /** Bytes accepted and not yet given to the network. */
  readonly bufferedAmount: number;
  /** `taken` is called when the network has the message, or never will. */
  send(data: Buffer, taken: () => void): void;
  /** Ends the connection without a closing handshake. */
  terminate(why: DropReason): void;
}

export type DropReason = 'too much waits' | 'nothing was taken for too long';

/** A frame ready to go: serialised once, sent to many. */
export interface OutgoingFrame {
  readonly frame: ServerFrame;
  readonly seq: number;
  readonly transient: boolean;
  /** The whole message. */
  readonly bytes: () => Buffer;
  /** The same with `prev`, for a socket whose last frame was not `seq - 1`. */
  readonly bytesAfter: (prev: number) => Buffer;
  /** The same number and time around another frame: what is told instead of this one. */
  readonly instead: (frame: ServerFrame) => OutgoingFrame;
}

/** What the network has been given and not yet taken; what is more waits here, where it can still be made less. */
export const WINDOW_BYTES = 1024 * 1024;
/** Beyond this, what is not kept in the state (console, progress) is left out. */
export const SOFT_LIMIT_BYTES = 4 * 1024 * 1024;
/** Beyond this the socket is dropped. */
export const HARD_LIMIT_BYTES = 64 * 1024 * 1024;
/** A socket that has taken nothing for so long, while something waits, is dropped at the next frame. */
export const STALL_MS = 60_000;

/** How far back text looks for what it may join. */
const MOST_LOOKED_BACK = 64;

interface Waiting {
  readonly outgoing: OutgoingFrame;
  readonly bytes: number;
  /** Something before it was left out: the gap stays unexplained, so that the client asks for the state. */
  afterLoss: boolean;
}

/**
 * What goes out on one socket.
 *
 * Numbers: `seq` counts the session's frames, so frames for somebody else leave gaps here. Where nothing was lost
 * the next frame says so by `prev`, the number this socket saw last; a client that knows it need not sync, one that
 * does not treats the gap as live-protocol 1 says.
 *
 * Slow clients: what the network does not take at once waits here, in order. While it waits, console text of one
 * stream becomes one frame and a status gives way to the cell's newer one; nothing is lost by either. Beyond
 * SOFT_LIMIT_BYTES transient frames are left out; beyond HARD_LIMIT_BYTES, or when nothing was taken for STALL_MS,
 * the socket is dropped. Nobody else waits.
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

  /** Sends, keeps for later, leaves out or drops; never throws and never waits. */
  deliver(outgoing: OutgoingFrame): void {
    if (this.#dropped) return;
    if (this.#waiting.length === 0 && this.#socket.bufferedAmount < WINDOW_BYTES) {
      // The clock of a stall begins when something begins to wait.
      if (this.#socket.bufferedAmount === 0) this.#takenAtMs = this.#nowMs();
      this.#send(outgoing, this.#takeLost());
    } else if (this.#nowMs() - this.#takenAtMs > STALL_MS) this.#drop('nothing was taken for too long');
    else {
      this.#keep(outgoing);
      if (this.#held() > HARD_LIMIT_BYTES) this.#drop('too much waits');
    }
  }

  /** Gives all that waits to the network, whose end comes after it. */
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
      // What it would have said of a loss, the one behind it says.
      const { afterLoss } = this.#takeOut(old);
      const next = this.#waiting[old];
      if (afterLoss && next !== undefined) next.afterLoss = true;
      else if (afterLoss) this.#lost = true;
    }
    this.#push({ outgoing, bytes: outgoing.bytes().length, afterLoss: this.#takeLost() });
  }

  /** The newest that waits and may take this one's text, unless something between the two depends on their order. */
  #mergedWith(frame: ServerFrame): { readonly at: number; readonly frame: ServerFrame } | null {
    const first = Math.max(0, this.#waiting.length - MOST_LOOKED_BACK);
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
    const lost = this.#lost;
    this.#lost = false;
    return lost;
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
