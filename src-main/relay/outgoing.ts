/** Sends the bodies of many requests over one WebSocket between relay and worker, in turns. */

import { MAX_CHUNK_BYTES, type RelayFrame } from '../../src-shared/wire/worker/relay.ts';
import { chunkOf, ID_BYTES, textOf } from './message.ts';
import { MessageBuffers } from './messageBuffers.ts';

/** The part of a WebSocket that sending needs; tests pass their own. */
export interface MessageSocket {
  /**
   * `onSent` is called once the network has taken the message, or never will; then its buffer may be reused.
   */
  send(message: string | Buffer, onSent: () => void): void;
}

/** Maximum bytes given to the socket and not yet sent: a cancel may have to wait for them. */
const IN_FLIGHT_BYTES = 512 * 1024;
/** Size of a message: small enough for streams to take turns. */
const CHUNK_BYTES = 256 * 1024;
/** Bytes one stream may queue before its writer must wait. */
const QUEUED_BYTES = 1024 * 1024;
/** Streams with at most this many bytes, sent and queued, go first: a cancel, a health check, a short reply. */
const SHORT_BYTES = 64 * 1024;

/**
 * Sends many streams on one socket, in turns of one chunk, short ones before long ones, so that a cancel
 * overtakes any number of long bodies. Never holds a complete body: a writer waits while its stream has a
 * mebibyte queued.
 */
export class Outgoing {
  readonly #socket: MessageSocket;
  readonly #streams = new Map<number, OutgoingStream>();
  readonly #buffers = new MessageBuffers(CHUNK_BYTES + ID_BYTES);
  #inFlight = 0;
  #closed = false;
  #whenSent: (() => void) | null = null;

  constructor(socket: MessageSocket) {
    this.#socket = socket;
  }

  /**
   * Opens the outgoing half of a stream with its first frame (`request` or `response`). @param window chunks
   * that may be unread at the other end; null if it does not report reads
   */
  open(first: RelayFrame, window: number | null = null): OutgoingStream {
    const stream: OutgoingStream = new OutgoingStream(first, window, {
      changed: () => this.#pump(),
      late: (frame) => this.now(frame),
      dropped: () => {
        // The id may already belong to another stream.
        if (this.#streams.get(first.id) === stream) this.#streams.delete(first.id);
      },
    });
    if (this.#closed) stream.drop();
    else this.#streams.set(first.id, stream);
    this.#pump();
    return stream;
  }

  /** Streams with data left to send. */
  get streams(): number {
    return this.#streams.size;
  }

  /** Sends a frame outside the order of the streams. */
  now(frame: RelayFrame): void {
    if (!this.#closed) this.#send(textOf(frame));
  }

  /** Calls back once everything is sent. */
  whenSent(onSent: () => void): void {
    if (this.#streams.size === 0) onSent();
    else this.#whenSent = onSent;
  }

  /** Drops everything; writers stop waiting and their data is discarded. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#streams.values()) stream.drop();
    this.#streams.clear();
  }

  #pump(): void {
    while (!this.#closed && this.#inFlight < IN_FLIGHT_BYTES) {
      const next = this.#next();
      if (next === null) return;
      const message = next.take(this.#buffers);
      // Its turn is over: it goes to the end of the queue, or is removed.
      this.#streams.delete(next.id);
      if (!next.isOver) this.#streams.set(next.id, next);
      if (message !== null) this.#send(message);
      if (this.#streams.size === 0) this.#whenSent?.();
    }
  }

  #next(): OutgoingStream | null {
    let long: OutgoingStream | null = null;
    for (const stream of this.#streams.values()) {
      if (!stream.isReady) continue;
      if (stream.isShort) return stream;
      long ??= stream;
    }
    return long;
  }

  #send(message: string | Buffer): void {
    const size = message.length;
    this.#inFlight += size;
    this.#socket.send(message, () => {
      this.#inFlight -= size;
      if (typeof message !== 'string') this.#buffers.give(message);
      this.#pump();
      if (this.#inFlight === 0 && this.#streams.size === 0) this.#buffers.clear();
    });
  }
}

interface Watch {
  readonly changed: () => void;
  /** A frame for a stream that has sent its last one. */
  readonly late: (frame: RelayFrame) => void;
  readonly dropped: () => void;
}

/** The outgoing half of one stream: its first frame, the bytes of its body, its last frame. */
export class OutgoingStream {
  readonly id: number;
  readonly #watch: Watch;
  #allowance: number | null;
  #first: RelayFrame | null;
  #pieces: Buffer[] = [];
  #queuedBytes = 0;
  #last: RelayFrame | null = null;
  #ended = false;
  #dropped = false;
  #waiting: (() => void)[] = [];
  #sentBytes = 0;

  constructor(first: RelayFrame, window: number | null, watch: Watch) {
    this.id = first.id;
    this.#first = first;
    this.#allowance = window;
    this.#watch = watch;
  }

  get isReady(): boolean {
    if (this.#first !== null) return true;
    if (this.#pieces.length > 0) return this.#allowance !== 0;
    return this.#last !== null;
  }

  get isShort(): boolean {
    return this.#sentBytes + this.#queuedBytes <= SHORT_BYTES;
  }

  /** Whether nothing more of it will be sent. */
  get isOver(): boolean {
    return this.#dropped || (this.#ended && this.#last === null);
  }

  /** Queues bytes of the body. Resolves when more may be written; null if there is room now. */
  write(bytes: Buffer): Promise<void> | null {
    if (this.#dropped || this.#ended || bytes.length === 0) return null;
    this.#pieces.push(bytes);
    this.#queuedBytes += bytes.length;
    this.#watch.changed();
    if (this.#queuedBytes < QUEUED_BYTES) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The body is complete: `end` follows it. */
  end(): void {
    if (this.#dropped || this.#ended) return;
    this.#ended = true;
    this.#last = { type: 'end', id: this.id };
    this.#watch.changed();
  }

  /** Aborts the stream, with a complete body or not: `abort` follows as soon as the head is sent. */
  abort(): void {
    if (this.#dropped) return;
    const last: RelayFrame = { type: 'abort', id: this.id };
    if (this.isOver) {
      this.#dropped = true;
      this.#watch.late(last);
      return;
    }
    this.#forget();
    this.#ended = true;
    this.#last = last;
    this.#watch.changed();
  }

  /** Drops the rest without a frame. */
  drop(): void {
    if (this.#dropped) return;
    this.#dropped = true;
    this.#first = null;
    this.#last = null;
    this.#forget();
    this.#watch.dropped();
  }

  /** The other end has read `chunks` more. */
  grant(chunks: number): void {
    if (this.#allowance === null) return;
    this.#allowance += chunks;
    this.#watch.changed();
  }

  /** The stream's next message; null when there is none. */
  take(buffers: MessageBuffers): string | Buffer | null {
    const first = this.#first;
    this.#first = null;
    if (first !== null) return textOf(first);
    if (this.#pieces.length > 0) return this.#takeChunk(buffers);
    const last = this.#last;
    this.#last = null;
    return last === null ? null : textOf(last);
  }

  #takeChunk(buffers: MessageBuffers): Buffer {
    // Credit counts messages, so data that waited for credit is sent in few large ones.
    const most = this.#allowance === null || this.#allowance > 2 ? CHUNK_BYTES : MAX_CHUNK_BYTES;
    if (this.#allowance !== null) this.#allowance -= 1;
    const message = chunkOf(this.id, this.#pieces, most, (length) => buffers.take(length));
    const count = message.length - ID_BYTES;
    this.#queuedBytes -= count;
    this.#sentBytes += count;
    let rest = count;
    while (rest > 0) {
      const [first] = this.#pieces;
      if (first === undefined) break;
      if (first.length > rest) this.#pieces[0] = first.subarray(rest);
      else this.#pieces.shift();
      rest -= Math.min(rest, first.length);
    }
    if (this.#queuedBytes < QUEUED_BYTES) this.#wake();
    return message;
  }

  #forget(): void {
    this.#pieces = [];
    this.#queuedBytes = 0;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
