import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ValidityBitmap } from './growableArray.ts';

it('many present values added together equal the same values added one by one', () => {
  const step = fc.oneof(fc.boolean(), fc.integer({ min: 0, max: 40 }), fc.constant(3000));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const [many, single] = [new ValidityBitmap(), new ValidityBitmap()];
      for (const one of steps) {
        if (typeof one === 'boolean') {
          many.push(one);
          single.push(one);
        } else {
          many.pushPresent(one);
          for (let i = 0; i < one; i += 1) single.push(true);
        }
      }
      expect(many.take()).toEqual(single.take());
      // The bits of the next batch begin empty.
      many.pushPresent(9);
      many.push(false);
      expect(many.take().nullBitmap).toEqual(Uint8Array.from([0xff, 0x01]));
    }),
  );
});
