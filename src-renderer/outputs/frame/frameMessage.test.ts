import { expect, test } from 'vitest';
import { readFrameMessage } from './frameMessage.ts';

const long = `https://example.com/${'a'.repeat(600)}`;

/** What a frame sends, and what is taken of it. */
const ROWS: readonly (readonly [string, unknown, unknown])[] = [
  ['a height', { kind: 'height', px: 120 }, { kind: 'height', px: 120 }],
  ['a height without end', { kind: 'height', px: 1e12 }, { kind: 'height', px: 20_000 }],
  ['no number', { kind: 'height', px: '9' }, null],
  ['NaN', { kind: 'height', px: Number.NaN }, null],
  ['the end of drawing', { kind: 'drawn', px: 9 }, { kind: 'drawn' }],
  [
    'an address',
    { kind: 'want', id: 1, address: 'https://a/b.js' },
    { kind: 'want', id: 1, address: 'https://a/b.js' },
  ],
  ['a way out of the table', { kind: 'want', id: 1, address: 'javascript:alert(1)' }, null],
  ['an address of the server', { kind: 'want', id: 1, address: '/v1/notebooks' }, null],
  ['an endless address', { kind: 'lacks', address: long }, null],
  ['a text that is no address', { kind: 'lacks', address: 'Enter your password' }, null],
  [
    'formats',
    { kind: 'pictures', formats: ['svg', 'exe', 'png'] },
    { kind: 'pictures', formats: ['png', 'svg'] },
  ],
  [
    'a picture that is none',
    { kind: 'picture', id: 3, blob: '<svg/>' },
    { kind: 'picture', id: 3, blob: null },
  ],
  [
    'a failure without end',
    { kind: 'failed', why: 'x'.repeat(9_999) },
    { kind: 'failed', why: 'x'.repeat(500) },
  ],
  ['another kind', { kind: 'run', id: 1 }, null],
  ['nothing', null, null],
];

test.each(ROWS)('[VA-47] of a frame, %s', (_name, sent, taken) => {
  expect(readFrameMessage(sent)).toEqual(taken);
});
