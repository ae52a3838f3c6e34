/**
 * Reads untrusted FlatBuffers: every offset and count is checked against the buffer's size before it is used. The Arrow
 * library does not check, and would loop two billion times over an empty vector.
 */

/** The error for bytes that are not a valid table. */
export class DamagedArrow extends Error {
  override readonly name = 'DamagedArrow';
}

/** The maximum nesting: deeper than real tables; the library reads nested types recursively. */
const MAX_DEPTH = 64;

/** One FlatBuffer: the metadata of one Arrow message. */
export class FlatBuffer {
  readonly #view: DataView;
  /** Byte budget for tables. Several fields can refer to one table, so few bytes could expand to very many tables. */
  #tableBudget: number;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#tableBudget = bytes.byteLength;
  }

  root(): FlatTable {
    return this.table(this.follow(0), 0);
  }

  /** The table at a position. @throws DamagedArrow if it does not fit into the bytes, or too many tables were read */
  table(at: number, depth: number): FlatTable {
    this.#tableBudget -= 4;
    if (depth > MAX_DEPTH) throw new DamagedArrow('its types are nested too deep');
    if (this.#tableBudget < 0) throw new DamagedArrow('its metadata refers to the same tables too often');
    const fields = at - this.int32(at);
    const size = this.uint16(fields);
    this.need(fields, Math.max(4, size));
    return new FlatTable(this, { at, fields, size, depth });
  }

  /** The position that an offset points to; offsets only point forwards. */
  follow(at: number): number {
    const offset = this.int32(at);
    if (offset <= 0) throw new DamagedArrow('an offset in its metadata points outside of the file');
    return at + offset;
  }

  need(at: number, bytes: number): void {
    if (at < 0 || bytes < 0 || at + bytes > this.#view.byteLength) {
      throw new DamagedArrow('its metadata is longer than the bytes there are');
    }
  }

  uint8(at: number): number {
    this.need(at, 1);
    return this.#view.getUint8(at);
  }

  uint16(at: number): number {
    this.need(at, 2);
    return this.#view.getUint16(at, true);
  }

  int32(at: number): number {
    this.need(at, 4);
    return this.#view.getInt32(at, true);
  }

  /** A 64-bit count. @throws DamagedArrow if it is negative or too large for a count */
  count(at: number): number {
    this.need(at, 8);
    const value = Number(this.#view.getBigInt64(at, true));
    if (value < 0 || !Number.isSafeInteger(value)) throw new DamagedArrow(`it declares a count of ${value}`);
    return value;
  }
}

interface TablePlace {
  readonly at: number;
  /** The position and the length of its list of fields. */
  readonly fields: number;
  readonly size: number;
  readonly depth: number;
}

/** A vector that fits into the bytes. */
interface FlatVector {
  readonly start: number;
  readonly length: number;
}

/** One table of a FlatBuffer; fields are identified by their number in the schema. */
export class FlatTable {
  readonly #buffer: FlatBuffer;
  readonly #place: TablePlace;

  constructor(buffer: FlatBuffer, place: TablePlace) {
    this.#buffer = buffer;
    this.#place = place;
  }

  /** The position of a field; null: it has its default. */
  #field(number: number): number | null {
    const { at, fields, size } = this.#place;
    const entry = 4 + number * 2;
    if (entry + 2 > size) return null;
    const offset = this.#buffer.uint16(fields + entry);
    return offset === 0 ? null : at + offset;
  }

  byte(number: number): number {
    const at = this.#field(number);
    return at === null ? 0 : this.#buffer.uint8(at);
  }

  count(number: number): number {
    const at = this.#field(number);
    return at === null ? 0 : this.#buffer.count(at);
  }

  table(number: number): FlatTable | null {
    const at = this.#field(number);
    return at === null ? null : this.#buffer.table(this.#buffer.follow(at), this.#place.depth + 1);
  }

  /** A vector of numbers or structs, or of the bytes of a text. */
  vector(number: number, width: number): FlatVector | null {
    const at = this.#field(number);
    if (at === null) return null;
    const start = this.#buffer.follow(at);
    const length = this.#buffer.int32(start);
    if (length < 0) throw new DamagedArrow('a list of its metadata has a negative length');
    this.#buffer.need(start + 4, length * width);
    return { start: start + 4, length };
  }

  tables(number: number): FlatTable[] {
    const vector = this.vector(number, 4);
    if (vector === null) return [];
    return Array.from({ length: vector.length }, (_, item) =>
      this.#buffer.table(this.#buffer.follow(vector.start + item * 4), this.#place.depth + 1),
    );
  }

  /** One count in a vector of structs of `width` bytes each. */
  countIn({ start }: FlatVector, { item, width, at }: { item: number; width: number; at: number }): number {
    return this.#buffer.count(start + item * width + at);
  }
}
