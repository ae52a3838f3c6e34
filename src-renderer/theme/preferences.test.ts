import { expect, test, vi } from 'vitest';
import { DEFAULT_PREFERENCES, parsePreferences } from './preferences.ts';

const ROWS: readonly [kept: string | null, expected: object][] = [
  [null, {}],
  ['{"theme":"dark","codeSize":14}', { theme: 'dark', codeSize: 14 }],
  ['{"theme":"mauve","contrast":"more","codeSize":"14","codeLigatures":1}', { contrast: 'more' }],
  ['{"codeSize":400,"motion":"reduced"}', { motion: 'reduced' }],
  ['{"codeLines":true}', { codeLines: true }],
  ['{"vimKeys":true}', { vimKeys: true }],
  ['{"vimKeys":"yes"}', {}],
  ['{"inlineSuggestions":true}', { inlineSuggestions: true }],
  ['{"inlineSuggestions":"yes"}', {}],
  ['{"aiPrices":"small-1 3 15"}', { aiPrices: 'small-1 3 15' }],
  ['{"aiPrices":{"small-1":3}}', {}],
  ['[1,2]', {}],
  ['"dark"', {}],
  ['{not json', {}],
];

test.each(ROWS)('the stored preferences %s are read value by value', (kept, expected) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(parsePreferences(kept)).toEqual({ ...DEFAULT_PREFERENCES, ...expected });
  expect(warn).toHaveBeenCalledTimes(kept === '{not json' ? 1 : 0);
  warn.mockRestore();
});
