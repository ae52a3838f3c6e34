/**
 * Reads the frames that the template process sends (harness/python/svc_harness/template.py): type u8, run u32, length
 * u32.
 */
export const FRAME = { ready: 1, forked: 2, started: 3, out: 4, err: 5, exited: 6 } as const;

const HEADER_BYTES = 9;
function isPrinted(type: number): boolean {
  return type === FRAME.out || type === FRAME.err;
}

/** The template reads pipes in pieces of 64 KiB, so a much larger frame is not of this protocol. */
const MAX_PAYLOAD = 1024 * 1024;

export interface Frame {
  readonly type: number;
  readonly run: number;
  readonly payload: Buffer;
}

/**
 * Splits a byte stream into frames. Payloads are views of the pushed bytes where possible; a receiver that keeps them
 * copies them. The output of a run is passed on as it arrives, if need be one frame in several parts, which saves
 * another copy when a run prints a lot.
 */
export class FrameReader {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #header: { readonly type: number; readonly run: number; readonly length: number } | null = null;

  /** @throws RangeError when the stream does not consist of frames */
  push(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    for (;;) {
      if (this.#header === null) {
        if (this.#pendingBytes < HEADER_BYTES) return;
        const bytes = this.#consume(HEADER_BYTES);
        this.#header = {
          type: bytes.readUInt8(0),
          run: bytes.readUInt32LE(1),
          length: bytes.readUInt32LE(5),
        };
        if (this.#header.length > MAX_PAYLOAD) throw new RangeError('not a frame of the template');
      }
      const { type, run, length } = this.#header;
      if (isPrinted(type) && this.#pendingBytes < length) {
        if (this.#pendingBytes === 0) return;
        this.#header = { type, run, length: length - this.#pendingBytes };
        const pieces = this.#pending;
        this.#pending = [];
        this.#pendingBytes = 0;
        for (const payload of pieces) onFrame({ type, run, payload });
        return;
      }
      if (this.#pendingBytes < length) return;
      this.#header = null;
      onFrame({ type, run, payload: this.#consume(length) });
    }
  }

  #consume(length: number): Buffer {
    const first = this.#pending[0] ?? Buffer.alloc(0);
    this.#pendingBytes -= length;
    if (first.length >= length) {
      if (first.length === length) this.#pending.shift();
      else this.#pending[0] = first.subarray(length);
      return first.subarray(0, length);
    }
    const whole = Buffer.concat(this.#pending);
    this.#pending = whole.length > length ? [whole.subarray(length)] : [];
    return whole.subarray(0, length);
  }
}
