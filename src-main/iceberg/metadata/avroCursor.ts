/** Reads the values of Avro's binary encoding one after another, for the manifests of Iceberg tables. */

/** The error for data that is not valid Avro: too short, or inconsistent with its schema. The caller names the file. */
export class AvroProblem extends Error {
  override readonly name = 'AvroProblem';
}

/** Maximum length of a variable-length integer: 64 bits in groups of 7. */
const LONGEST_VARINT = 10;

/**
 * Reads Avro's binary encoding from memory. Every count is checked against the remaining bytes before it is
 * used.
 */
export class AvroCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.byteLength - this.#at;
  }

  #take(count: number): number {
    if (count < 0 || count > this.remaining) throw new AvroProblem('it ends too early');
    const at = this.#at;
    this.#at += count;
    return at;
  }

  byte(): number {
    return this.#bytes[this.#take(1)] ?? 0;
  }

  long(): bigint {
    let raw = 0n;
    for (let i = 0; i < LONGEST_VARINT; i += 1) {
      const byte = this.byte();
      raw |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if ((byte & 0x80) === 0) {
        const unsigned = BigInt.asUintN(64, raw);
        return (unsigned >> 1n) ^ -(unsigned & 1n);
      }
    }
    throw new AvroProblem('it holds an integer of more than 64 bits');
  }

  /** A number of bytes or items: an integer, not negative, and at most the number of remaining bytes. */
  count(): number {
    const count = this.long();
    if (count < 0n || count > BigInt(this.remaining)) throw new AvroProblem('it ends too early');
    return Number(count);
  }

  float(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  bytes(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }
}
