import { describe, expect, it } from 'vitest';
import { PieceBuffers } from './pieceBuffers.ts';

describe('buffers of pieces', () => {
  it('[DP-112] are used again once they were given back, and only once for each time', () => {
    const buffers = new PieceBuffers();
    const [first, second] = [buffers.take(10), buffers.take(20)];
    expect(first.buffer).not.toBe(second.buffer);
    expect([first.length, second.length]).toEqual([10, 20]);
    buffers.giveBack(first);
    buffers.giveBack(first);
    const third = buffers.take(30);
    expect(third.buffer).toBe(first.buffer);
    expect([first.buffer, second.buffer]).not.toContain(buffers.take(1).buffer);
  });

  it('[DP-112] ignore memory that is not theirs', () => {
    const buffers = new PieceBuffers();
    const other = Buffer.alloc(64);
    buffers.giveBack(other);
    expect(buffers.take(1).buffer).not.toBe(other.buffer);
  });
});
