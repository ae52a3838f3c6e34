import { expect, test } from 'vitest';
import { isAnnounced } from './notifications.ts';

const LONG = { seconds: 11, hidden: true, wanted: true, permission: 'granted' } as const;

test.each([
  ['a long run, in a hidden window', LONG, true],
  ['a short run', { ...LONG, seconds: 10 }, false],
  ['a run of unknown length', { ...LONG, seconds: null }, false],
  ['a window in sight', { ...LONG, hidden: false }, false],
  ['turned off in the settings', { ...LONG, wanted: false }, false],
  ['not asked yet', { ...LONG, permission: 'default' as const }, false],
  ['forbidden by the browser', { ...LONG, permission: 'denied' as const }, false],
  ['a browser without notifications', { ...LONG, permission: 'missing' as const }, false],
])('[EX-98] %s is announced: %j', (_name, run, expected) => {
  expect(isAnnounced(run)).toBe(expected);
});
