/**
 * A file that is being made by an export of a table: returns its bytes one piece at a time, then null. Call `next` only
 * after the last piece arrived.
 */
export interface ExportPieces {
  next(): Uint8Array | null | Promise<Uint8Array>;
  /** Takes the memory of a piece that is no longer read: a later piece may be made in it. */
  reuse(memory: SharedArrayBuffer): void;
  /** Call when no more pieces are needed. Idempotent. */
  end(): void;
}
