import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MarkedStream } from './markedStream.ts';

const MARK = '\x1emark\x1e';

it('[IN-4] what was printed is cut at the marks, however the bytes arrive', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('', 'a', 'one\n', '\x1ema', 'é'), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      (texts, size) => {
        const stream = new MarkedStream(1024);
        const bytes = Buffer.from(texts.map((text) => text + MARK).join(''));
        const taken: string[] = [];
        const ask = (): void => stream.until(MARK, () => taken.push(stream.take()));
        ask();
        for (let at = 0; at < bytes.length; at += size) {
          stream.push(bytes.subarray(at, at + size));
          for (let before = -1; before !== taken.length && taken.length < texts.length; ) {
            before = taken.length;
            ask();
          }
        }
        expect(taken).toEqual(texts);
      },
    ),
  );
});

it('[IN-4] a mark that never comes costs nothing that was printed', () => {
  const stream = new MarkedStream(1024);
  stream.until(MARK, () => {});
  stream.push(Buffer.from('text \x1ema'));
  expect([stream.take(), stream.take()]).toEqual(['text \x1ema', '']);
});
