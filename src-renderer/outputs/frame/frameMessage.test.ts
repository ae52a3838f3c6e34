import { expect, test } from 'vitest';
import { readFrameMessage } from './frameMessage.ts';

const long = `https://example.com/${'a'.repeat(600)}`;

/** What a frame sends, and what the window accepts of it. */
const ROWS: readonly (readonly [string, unknown, unknown])[] = [
  ['a height', { kind: 'height', px: 120 }, { kind: 'height', px: 120 }],
  ['an enormous height', { kind: 'height', px: 1e12 }, { kind: 'height', px: 20_000 }],
  ['no number', { kind: 'height', px: '9' }, null],
  ['NaN', { kind: 'height', px: Number.NaN }, null],
  ['the end of drawing', { kind: 'drawn', px: 9 }, { kind: 'drawn' }],
  [
    'an address',
    { kind: 'want', id: 1, address: 'https://a/b.js' },
    { kind: 'want', id: 1, address: 'https://a/b.js' },
  ],
  ['an address that runs code', { kind: 'want', id: 1, address: 'javascript:alert(1)' }, null],
  ['an address of the server', { kind: 'want', id: 1, address: '/v1/notebooks' }, null],
  ['an address that is too long', { kind: 'lacks', address: long }, null],
  ['a text that is not an address', { kind: 'lacks', address: 'Enter your password' }, null],
  [
    'formats',
    { kind: 'pictures', formats: ['svg', 'exe', 'png'] },
    { kind: 'pictures', formats: ['png', 'svg'] },
  ],
  [
    'a picture that is not a blob',
    { kind: 'picture', id: 3, blob: '<svg/>' },
    { kind: 'picture', id: 3, blob: null },
  ],
  [
    'a failure that is too long',
    { kind: 'failed', why: 'x'.repeat(9_999) },
    { kind: 'failed', why: 'x'.repeat(500) },
  ],
  ['another kind', { kind: 'run', id: 1 }, null],
  ['nothing', null, null],
];

test.each(ROWS)('[VA-47] the message of a frame: %s', (_name, sent, taken) => {
  expect(readFrameMessage(sent)).toEqual(taken);
});
