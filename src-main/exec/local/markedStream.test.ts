import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MarkedStream } from './markedStream.ts';

const MARK = '\x1emark\x1e';

it('[IN-4] output is split at the marks, for any split of the bytes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('', 'a', 'one\n', '\x1ema', 'é'), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      (texts, size) => {
        const stream = new MarkedStream(1024);
        const bytes = Buffer.from(texts.map((text) => text + MARK).join(''));
        const segments: string[] = [];
        const takeNext = (): void => stream.until(MARK, () => segments.push(stream.take()));
        takeNext();
        for (let at = 0; at < bytes.length; at += size) {
          stream.push(bytes.subarray(at, at + size));
          for (let countBefore = -1; countBefore !== segments.length && segments.length < texts.length; ) {
            countBefore = segments.length;
            takeNext();
          }
        }
        expect(segments).toEqual(texts);
      },
    ),
  );
});

it('[IN-4] without the mark no output is lost', () => {
  const stream = new MarkedStream(1024);
  stream.until(MARK, () => {});
  stream.push(Buffer.from('text \x1ema'));
  expect([stream.take(), stream.take()]).toEqual(['text \x1ema', '']);
});
