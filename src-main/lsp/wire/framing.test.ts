import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader, FramingError, frameOf } from './framing.ts';

const MESSAGES = [{ id: 1, result: 'a' }, { method: 'x', params: { text: 'é\r\n\r\n𝒳' } }, { id: 2 }];

describe('frames of the language server', () => {
  it('[LS-3] are the same however their bytes are split', () => {
    const bytes = Buffer.concat(MESSAGES.map(frameOf));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const reader = new FrameReader();
      const read = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))];
      expect(read).toEqual(MESSAGES);
    }
  });

  it('[LS-3] are the same in pieces of any size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        (values, size) => {
          const messages = values.map((value) => ({ value: JSON.parse(JSON.stringify(value)) as unknown }));
          const bytes = Buffer.concat(messages.map(frameOf));
          const reader = new FrameReader();
          const read: unknown[] = [];
          for (let at = 0; at < bytes.length; at += size)
            read.push(...reader.push(bytes.subarray(at, at + size)));
          expect(read).toEqual(messages);
        },
      ),
    );
  });

  it.each([
    ['no length', 'Content-Type: x\r\n\r\n{}'],
    ['a length that is too long', 'Content-Length: 99999999999\r\n\r\n'],
    ['no JSON', 'Content-Length: 2\r\n\r\nxx'],
    ['a header without an end', 'x'.repeat(5000)],
  ])('[LS-4] refuses a stream with %s', (_what, text) => {
    expect(() => new FrameReader().push(Buffer.from(text))).toThrow(FramingError);
  });
});
