/** Frames of the template process (harness/python/svc_harness/template.py): type u8, run u32, length u32. */
export const FRAME = { ready: 1, forked: 2, started: 3, out: 4, err: 5, exited: 6 } as const;

const HEADER_BYTES = 9;
function isPrinted(type: number): boolean {
  return type === FRAME.out || type === FRAME.err;
}

/** The template reads pipes in 64 KiB pieces; anything far larger is not the protocol. */
const MAX_PAYLOAD = 1024 * 1024;

export interface Frame {
  readonly type: number;
  readonly run: number;
  readonly payload: Buffer;
}

/**
 * Cuts a byte stream into frames. States: reading a header, reading a payload of known length. Payload
 * bytes are views on what was pushed where that is possible; a receiver that keeps them copies them. What a run printed
 * is handed on as it comes, one frame in several if need be, so that a flood is not copied once more.
 */
export class FrameReader {
  #held: Buffer[] = [];
  #heldBytes = 0;
  #header: { readonly type: number; readonly run: number; readonly length: number } | null = null;

  /** @throws RangeError when the stream is not made of frames */
  push(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    for (;;) {
      if (this.#header === null) {
        if (this.#heldBytes < HEADER_BYTES) return;
        const bytes = this.#consume(HEADER_BYTES);
        this.#header = {
          type: bytes.readUInt8(0),
          run: bytes.readUInt32LE(1),
          length: bytes.readUInt32LE(5),
        };
        if (this.#header.length > MAX_PAYLOAD) throw new RangeError('not a frame of the template');
      }
      const { type, run, length } = this.#header;
      if (isPrinted(type) && this.#heldBytes < length) {
        if (this.#heldBytes === 0) return;
        this.#header = { type, run, length: length - this.#heldBytes };
        const pieces = this.#held;
        this.#held = [];
        this.#heldBytes = 0;
        for (const payload of pieces) onFrame({ type, run, payload });
        return;
      }
      if (this.#heldBytes < length) return;
      this.#header = null;
      onFrame({ type, run, payload: this.#consume(length) });
    }
  }

  #consume(length: number): Buffer {
    const first = this.#held[0] ?? Buffer.alloc(0);
    this.#heldBytes -= length;
    if (first.length >= length) {
      if (first.length === length) this.#held.shift();
      else this.#held[0] = first.subarray(length);
      return first.subarray(0, length);
    }
    const whole = Buffer.concat(this.#held);
    this.#held = whole.length > length ? [whole.subarray(length)] : [];
    return whole.subarray(0, length);
  }
}
