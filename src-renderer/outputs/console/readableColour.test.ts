import { expect, test } from 'vitest';
import { readableColour } from './readableColour.ts';

test.each<[string, { light: string; dark: string }]>([
  ['0, 0, 0', { light: 'rgb(0, 0, 0)', dark: 'rgb(140, 140, 140)' }],
  ['255, 255, 255', { light: 'rgb(115, 115, 115)', dark: 'rgb(255, 255, 255)' }],
  ['180, 80, 20', { light: 'rgb(180, 80, 20)', dark: 'rgb(195, 115, 67)' }],
])('%s is readable on both backgrounds', (rgb, expected) => {
  expect(readableColour(rgb)).toEqual(expected);
});
