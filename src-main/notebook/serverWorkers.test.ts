import { expect, it } from 'vitest';
import { readServerWorkers } from './serverWorkers.ts';

const url = { url: 'http://a:1' };

it.each<readonly [string, unknown, number | RegExp]>([
  ['nothing', undefined, 0],
  ['none', [], 0],
  ['only a name', [{ name: 'here' }], 1],
  ['a remote one', [{ name: 'gpu', backend: 'executor', config: url }], 1],
  ['an odd transport', [{ name: 'gpu', backend: 'executor', config: { ...url, transport: 'http' } }], 1],
  ['switched off', [{ name: 'gpu', enabled: false }], 1],
  ['no list', { name: 'gpu' }, /not a list/],
  ['no name', [{ name: 'a' }, {}], /\[1\] is not a worker/],
  ['an odd backend', [{ name: 'a', backend: 'slurm' }], /\[0\] is not a worker/],
  ['local', [{ name: 'local' }], /built in/],
  ['twice', [{ name: 'a' }, { name: 'a' }], /Two workers/],
])('[RW-5] the server’s list: %s', (_what, value, expected) => {
  const result = readServerWorkers(value);
  if (typeof expected === 'number') expect(result).toHaveLength(expected);
  else expect('problem' in result ? result.problem : '').toMatch(expected);
});
