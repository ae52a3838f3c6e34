import { expect, test } from 'vitest';
import { createSerialRunner } from './serialRunner.ts';

test('work is done in the order of the calls, and a failure only affects its caller', async () => {
  const inTurn = createSerialRunner();
  const log: string[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = inTurn(async () => {
    await gate;
    log.push('first');
    return 1;
  });
  const second = inTurn(async () => {
    log.push('second');
    throw new Error('no');
  });
  const third = inTurn(async () => {
    log.push('third');
    return 3;
  });
  const failed = expect(second).rejects.toThrow('no');
  expect(log).toEqual([]);
  release();
  expect([await first, await third]).toEqual([1, 3]);
  await failed;
  expect(log).toEqual(['first', 'second', 'third']);
});
