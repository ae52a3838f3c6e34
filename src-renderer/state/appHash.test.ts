import { expect, test } from 'vitest';
import { APP_START, type AppPlace, appHash, appPlaceOf } from './appHash.ts';

const ROWS: readonly [place: Partial<AppPlace>, hash: string][] = [
  [{}, '#/app/s%201?path=%2Fn'],
  [{ embed: true }, '#/app/s%201?path=%2Fn&embed=1'],
  [{ edit: true, slide: 3 }, '#/app/s%201?path=%2Fn&edit=1&slide=3'],
  [{ tab: 'A & B' }, '#/app/s%201?path=%2Fn&tab=A+%26+B'],
];

test.each(ROWS)('[WI-395] %j has an address and is read from it', (place, hash) => {
  expect(appHash('s 1', '/n', place)).toBe(hash);
  expect(appPlaceOf(new URLSearchParams(hash.split('?')[1]))).toEqual({ ...APP_START, ...place });
});

test.each([
  ['slide=0', APP_START],
  ['slide=-1', APP_START],
  ['slide=1.5', APP_START],
  ['slide=x', APP_START],
  // A page around the app cannot open its editor.
  ['embed=1&edit=1', { ...APP_START, embed: true }],
])('[WI-395] %s', (query, place) => {
  expect(appPlaceOf(new URLSearchParams(query))).toEqual(place);
});
