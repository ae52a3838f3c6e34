type Piece = Uint8Array<ArrayBuffer>;

/** A file being made: its bytes a piece at a time, then null; asked for the next one when the last has come. */
export interface ExportPieces {
  next(): Piece | null | Promise<Piece>;
  /** Nobody wants more. Idempotent. */
  end(): void;
}
