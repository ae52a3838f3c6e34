import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ShortLines } from './shortLines.ts';

/** The lines from a text that arrives in these chunks. */
function heard(text: string, sizes: readonly number[], most: number): readonly string[] {
  const lines: string[] = [];
  const reader = new ShortLines(most, (line) => lines.push(line));
  const bytes = Buffer.from(text);
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  return lines;
}

it('yields complete lines and drops those that are too long, however the input is split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 30 }).map((line) => line.replace(/\n/g, ' '))),
      fc.array(fc.integer({ min: 1, max: 40 })),
      (lines, sizes) => {
        const text = lines.map((line) => `${line}\n`).join('');
        const short = lines
          .map((line) => Buffer.from(line).toString())
          .filter((line) => Buffer.byteLength(line) <= 20);
        expect(heard(`${text}no end`, sizes, 20)).toEqual(short);
      },
    ),
  );
});

it('does not buffer a line that never ends', () => {
  const reader = new ShortLines(1_000, () => expect.unreachable());
  const piece = Buffer.alloc(64 * 1024, 'x');
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 20_000; i += 1) reader.push(piece);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
});
