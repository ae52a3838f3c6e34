import { describe, expect, it } from 'vitest';
import { PIECE_BYTES, PieceBuffers } from './pieceBuffers.ts';

describe('buffers of pieces', () => {
  it('[DP-112] are reused after they are returned, once per return', () => {
    const buffers = new PieceBuffers();
    const [first, second] = [buffers.take(PIECE_BYTES), buffers.take(PIECE_BYTES - 20)];
    expect(first.buffer).not.toBe(second.buffer);
    expect([first.length, second.length]).toEqual([PIECE_BYTES, PIECE_BYTES - 20]);
    buffers.giveBack(first);
    buffers.giveBack(first);
    const third = buffers.take(PIECE_BYTES - 30);
    expect(third.buffer).toBe(first.buffer);
    expect([first.buffer, second.buffer]).not.toContain(buffers.take(PIECE_BYTES).buffer);
  });

  it('[DP-112] use no more memory than a small piece needs', () => {
    expect(new PieceBuffers().take(10).buffer.byteLength).toBe(10);
  });

  it('[DP-112] ignore memory that is not theirs', () => {
    const buffers = new PieceBuffers();
    const other = Buffer.alloc(64);
    buffers.giveBack(other);
    expect(buffers.take(PIECE_BYTES).buffer).not.toBe(other.buffer);
  });
});
