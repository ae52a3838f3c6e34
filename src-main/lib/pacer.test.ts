import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPacer } from './pacer.ts';

test.each([
  [0, true],
  [Number.POSITIVE_INFINITY, false],
])('steps with %s ms between yields let other work run: %s', async (mostMs, served) => {
  const between = createPacer(mostMs);
  let isServed = false;
  const other = nextTurn().then(() => {
    isServed = true;
  });
  for (let step = 0; step < 5; step += 1) await between();
  expect(isServed).toBe(served);
  await other;
});
