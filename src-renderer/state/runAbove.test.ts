import { expect, it } from 'vitest';
import { runsAbove, setRunsAbove } from './runAbove.ts';

function memory(text: string | null = null) {
  let storedText = text;
  return {
    getItem: () => storedText,
    setItem: (_key: string, next: string) => {
      storedText = next;
    },
  };
}

it('[WI-311] the choice to run cells above is stored per notebook', () => {
  const storage = memory();
  setRunsAbove('/a', true, storage);
  expect([runsAbove('/a', storage), runsAbove('/b', storage)]).toEqual([true, false]);
  setRunsAbove('/a', false, storage);
  expect(runsAbove('/a', storage)).toBe(false);
});

it.each([['not JSON'], ['{}'], ['[1]'], ['null']])(
  '[WI-311] a damaged choice (%s) means a prompt',
  (text) => {
    const storage = memory(text);
    expect(runsAbove('/a', storage)).toBe(false);
    setRunsAbove('/a', true, storage);
    expect(runsAbove('/a', storage)).toBe(true);
  },
);

it('[WI-311] the oldest of many choices is forgotten', () => {
  const storage = memory();
  for (let at = 0; at <= 200; at++) setRunsAbove(`/${at}`, true, storage);
  expect([runsAbove('/0', storage), runsAbove('/1', storage), runsAbove('/200', storage)]).toEqual([
    false,
    true,
    true,
  ]);
});

it('[WI-311] a browser that forbids storage keeps the choice for the page', () => {
  const fail = (): never => {
    throw new Error('forbidden');
  };
  const storage = { getItem: fail, setItem: fail };
  expect(runsAbove('/a', storage)).toBe(false);
  setRunsAbove('/a', true, storage);
  expect(runsAbove('/a', storage)).toBe(true);
  setRunsAbove('/a', false, memory());
});
