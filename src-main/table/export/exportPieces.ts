/** A file being made: its bytes a piece at a time, then null; asked for the next one when the last has come. */
export interface ExportPieces {
  next(): Uint8Array | null | Promise<Uint8Array>;
  /** Memory of a piece that nobody reads any more: a later one may be made in it. */
  reuse(memory: SharedArrayBuffer): void;
  /** Nobody wants more. Idempotent. */
  end(): void;
}
