import { expect, test } from 'vitest';
import { keepLatest } from './keepLatest.ts';

const rows: readonly { name: string; keys: string; left: string }[] = [
  { name: 'as many as allowed', keys: 'abc', left: 'abc' },
  { name: 'the oldest is removed', keys: 'abcd', left: 'bcd' },
  { name: 'a used entry becomes the newest', keys: 'abcad', left: 'cad' },
  { name: 'the newest used again changes nothing', keys: 'abccc', left: 'abc' },
];

test.each(rows)('$name', ({ keys, left }) => {
  const map = new Map<string, string>();
  for (const key of keys) keepLatest(map, [key, key.toUpperCase()], 3);
  expect([...map.keys()].join('')).toBe(left);
  expect([...map.values()].join('')).toBe(left.toUpperCase());
});
