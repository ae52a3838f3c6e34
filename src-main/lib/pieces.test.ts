import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesOf, type Piece, streamOf } from './pieces.ts';

const dir = mkdtempSync(join(tmpdir(), 'cellar-pieces-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A file of this size, in which no two blocks are equal. */
function file(bytes: number): Piece & { readonly path: string } {
  const path = join(dir, `f${bytes}`);
  writeFileSync(path, content(bytes));
  return { path, bytes };
}
const content = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, i) => (i ^ (i >> 9)) & 0xff));

describe('a body made of pieces', () => {
  it.each<readonly [string, readonly (number | string)[]]>([
    ['nothing', []],
    ['only bytes', ['a', 'b', 'c']],
    ['an empty file', ['a', 0, 'b']],
    ['a short file between bytes', ['a', 10, 'b']],
    ['a file exactly at the limit for short files', ['a', 65_536, 65_537, 'b']],
    ['files longer than one read', [700_001, 'x', 262_144, 300_000]],
    ['many short ones', Array.from({ length: 40 }, () => 20_000)],
  ])('%s', async (_name, parts) => {
    const pieces = parts.map((part) => (typeof part === 'number' ? file(part) : Buffer.from(part)));
    const expected = Buffer.concat(
      parts.map((part) => (typeof part === 'number' ? content(part) : Buffer.from(part))),
    );
    const joined = await buffer(streamOf(pieces));
    expect(joined.equals(expected)).toBe(true);
    expect(bytesOf(pieces)).toBe(expected.length);
  });

  it.each([
    ['shorter than announced', (): Piece => ({ ...file(90_000), bytes: 90_001 })],
    ['longer', (): Piece => ({ ...file(9), bytes: 8 })],
    ['a folder', (): Piece => ({ path: dir, bytes: 4_096 })],
    [
      'a link',
      (): Piece => {
        const { path } = file(7);
        symlinkSync(path, `${path}-link`);
        return { path: `${path}-link`, bytes: 7 };
      },
    ],
  ])('fails at a file that is %s', async (_name, piece) => {
    await expect(buffer(streamOf([Buffer.from('a'), piece()]))).rejects.toThrow(/changed|ELOOP/);
  });
});
