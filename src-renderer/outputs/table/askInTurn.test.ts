import { expect, test } from 'vitest';
import { askInTurn } from './askInTurn.ts';

test('runs requests one at a time, without the cancelled ones', async () => {
  const told: string[] = [];
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  askInTurn(async () => {
    await gate;
    told.push('first');
  });
  const takeBack = askInTurn(async () => {
    told.push('taken back');
  });
  const done = new Promise<void>((resolve) => {
    askInTurn(async () => {
      told.push('last');
      resolve();
    });
  });
  takeBack();
  letGo();
  await done;
  expect(told).toEqual(['first', 'last']);
});
