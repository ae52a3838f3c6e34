import { expect, test } from 'vitest';
import { damagedNotice } from './damaged.ts';

test.each([
  [[], true, null],
  [
    ['runtime'],
    true,
    '.svc/runtime.json is damaged, so cells do not show their earlier runs; their results are kept. It was renamed to runtime.json.bad.',
  ],
  [
    ['settings'],
    false,
    '.svc/settings.json is damaged, so the settings of this notebook on this machine have their defaults. It was left as it is.',
  ],
] as const)(
  '[WI-403] a damaged file is reported with the consequence: %j, trusted: %s',
  (damaged, trusted, words) => {
    expect(damagedNotice(damaged, trusted)).toBe(words);
  },
);
