import { expect, test } from 'vitest';
import { askInTurn } from './askInTurn.ts';

test('runs requests one at a time, without the cancelled ones', async () => {
  const answers: string[] = [];
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  askInTurn(async () => {
    await gate;
    answers.push('first');
  });
  const takeBack = askInTurn(async () => {
    answers.push('taken back');
  });
  const done = new Promise<void>((resolve) => {
    askInTurn(async () => {
      answers.push('last');
      resolve();
    });
  });
  takeBack();
  letGo();
  await done;
  expect(answers).toEqual(['first', 'last']);
});
