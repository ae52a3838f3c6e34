/** The part of a WebSocket that sending needs; tests bring their own. */
export interface SendingSocket {
  /** Bytes accepted and not yet given to the network. */
  readonly bufferedAmount: number;
  send(data: Buffer): void;
  /** Ends the connection without a closing handshake. */
  terminate(): void;
}

/** A frame ready to go: serialised once, sent to many. */
export interface OutgoingFrame {
  readonly seq: number;
  readonly transient: boolean;
  /** The whole message. */
  readonly bytes: () => Buffer;
  /** The same with `prev`, for a socket whose last frame was not `seq - 1`. */
  readonly bytesAfter: (prev: number) => Buffer;
}

export const SOFT_LIMIT_BYTES = 4 * 1024 * 1024;
export const HARD_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * What goes out on one socket.
 *
 * Numbers: `seq` counts the session's frames, so frames for somebody else leave gaps here. Where nothing was lost
 * the next frame says so by `prev`, the number this socket saw last; a client that knows it need not sync, one that
 * does not treats the gap as document 3 tells it to.
 *
 * Slow clients: beyond 4 MiB waiting, transient frames (console, progress) are left out for this socket, and the gap
 * is left unexplained, so the client asks for the state; beyond 64 MiB the socket is dropped. Nobody else waits.
 */
export class Outbox {
  readonly #socket: SendingSocket;
  #lastSeq: number | null = null;
  #lost = false;
  #dropped = false;

  constructor(socket: SendingSocket) {
    this.#socket = socket;
  }

  /** Sends, leaves out or drops; never throws and never waits. */
  deliver(frame: OutgoingFrame): void {
    if (this.#dropped) return;
    const waiting = this.#socket.bufferedAmount;
    if (waiting > HARD_LIMIT_BYTES) {
      this.#dropped = true;
      this.#socket.terminate();
      return;
    }
    if (frame.transient && waiting > SOFT_LIMIT_BYTES) {
      this.#lost = true;
      return;
    }
    const last = this.#lastSeq;
    const skipped = last !== null && frame.seq > last + 1 && !this.#lost;
    this.#socket.send(skipped ? frame.bytesAfter(last) : frame.bytes());
    this.#lastSeq = frame.seq;
    this.#lost = false;
  }
}
