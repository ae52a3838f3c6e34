import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FRAME, type Frame, FrameReader } from './frames.ts';

const frame = fc.record({
  type: fc.integer({ min: 1, max: 6 }),
  run: fc.nat(0xffff_ffff),
  payload: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
});

function encode({ type, run, payload }: Frame): Buffer {
  const header = Buffer.alloc(9);
  header.writeUInt8(type, 0);
  header.writeUInt32LE(run, 1);
  header.writeUInt32LE(payload.length, 5);
  return Buffer.concat([header, payload]);
}

/** Joins the pieces in which the output of one frame may arrive. An empty piece counts as none. */
function joinPieces(frames: readonly Frame[]): readonly Frame[] {
  const all: Frame[] = [];
  for (const frame of frames) {
    const last = all.at(-1);
    const isPrinted = frame.type === FRAME.out || frame.type === FRAME.err;
    if (isPrinted && last?.type === frame.type && last.run === frame.run)
      all[all.length - 1] = { ...last, payload: Buffer.concat([last.payload, frame.payload]) };
    else if (!isPrinted || frame.payload.length > 0) all.push(frame);
  }
  return all;
}

test('any split of the bytes produces the same frames', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 30 })),
      (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(encode));
        const reader = new FrameReader();
        const received: Frame[] = [];
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          reader.push(bytes.subarray(at, at + cut), ({ payload, ...head }) =>
            received.push({ ...head, payload: Buffer.from(payload) }),
          );
          at += cut;
        }
        expect(joinPieces(received)).toEqual(joinPieces(frames));
      },
    ),
  );
});

test('bytes that are not frames are rejected', () => {
  expect(() => new FrameReader().push(Buffer.from('Python 3.11.7 crashed'), () => {})).toThrow(RangeError);
});
