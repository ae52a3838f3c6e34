import { expect, test } from 'vitest';
import { createInTurn } from './inTurn.ts';

test('work is done in the order of the calls, and a failure only affects its caller', async () => {
  const inTurn = createInTurn();
  const said: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = inTurn(async () => {
    await held;
    said.push('first');
    return 1;
  });
  const second = inTurn(async () => {
    said.push('second');
    throw new Error('no');
  });
  const third = inTurn(async () => {
    said.push('third');
    return 3;
  });
  const failed = expect(second).rejects.toThrow('no');
  expect(said).toEqual([]);
  release();
  expect([await first, await third]).toEqual([1, 3]);
  await failed;
  expect(said).toEqual(['first', 'second', 'third']);
});
