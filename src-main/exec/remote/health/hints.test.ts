import { expect, it } from 'vitest';
import { createWorkerTokens } from '../call/workerTokens.ts';
import { createHints, type Hint } from './hints.ts';

const worker = {
  name: 'gpu',
  backend: 'executor',
  runtime_id: null,
  config: { url: 'http://w/v1/execute' },
} as const;
const hint: Hint = { sessionId: 's', notebookId: 'n', worker, reason: 'focus' };

it('[RW-9] a worker gets one hint per minute and session, also when sending fails', () => {
  let at = 0;
  const requests: unknown[] = [];
  const hints = createHints({
    now: () => at,
    tokenOf: () => 'tok',
    send: async (url, body, token) => {
      requests.push([url, body, token]);
      throw new Error('connection refused');
    },
  });
  hints.give(hint);
  hints.give({ ...hint, reason: 'run_all' });
  hints.give({ ...hint, sessionId: 'other' });
  at = 59_999;
  hints.give(hint);
  expect(requests).toHaveLength(2);
  at = 60_000;
  hints.give(hint);
  expect(requests).toHaveLength(3);
  const body = { worker: 'gpu', runtime_id: null, notebook_id: 'n', reason: 'focus' };
  expect(requests[0]).toEqual(['http://w/v1/hints', body, 'tok']);
});

it.each([
  ['of this machine', { ...worker, backend: 'local' as const }],
  ['without an address', { ...worker, config: {} }],
  ['embedded', { ...worker, config: { url: 'embedded://local' } }],
])('[RW-9] no hint for a worker %s', (_what, other) => {
  const requests: string[] = [];
  const hints = createHints({ tokenOf: () => null, send: async (url) => void requests.push(url) });
  hints.give({ ...hint, worker: other });
  expect(requests).toEqual([]);
});

it.each<readonly [string, Record<string, unknown>, string | null]>([
  ['the variable', { token_env: 'FULL', token: 'written' }, 'from-env'],
  ['the file, when the variable is empty', { token_env: 'EMPTY', token: 'written' }, 'written'],
  ['memory, when the file has none', { token_env: 'NONE' }, 'kept'],
  ['memory, when there is nothing else', {}, 'kept'],
])('[RW-10] a token comes from %s', (_what, config, expected) => {
  const hidden: string[] = [];
  const tokens = createWorkerTokens({ FULL: 'from-env', EMPTY: '' }, (values) => hidden.push(...values));
  const url = 'http://gpu/v1/execute';
  tokens.set('n', { name: 'gpu', url }, 'kept');
  expect(tokens.resolve('n', { name: 'gpu', config: { ...config, url } })).toBe(expected);
  expect(hidden).toContain(expected);
  expect(tokens.resolve('other', { name: 'gpu', config: { url } })).toBeNull();
  tokens.set('n', { name: 'gpu', url: null }, null);
  expect(tokens.resolve('n', { name: 'gpu', config: { url } })).toBeNull();
});
