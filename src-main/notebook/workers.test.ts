import { describe, expect, it } from 'vitest';
import type { Worker } from './file/notebookFile.ts';
import { resolveWorker, transportOf, whyNoWorkers } from './workers.ts';

const gpu: Worker = {
  name: 'gpu',
  backend: 'executor',
  runtime_id: null,
  config: { url: 'http://a:1/v1/execute' },
};

describe('[RW-1] names resolve: local, then the notebook, then what the server enables', () => {
  const theirs = { ...gpu, config: { url: 'http://b:1' }, enabled: true };
  const off = { ...gpu, name: 'off', enabled: false };
  const rows: readonly (readonly [string, boolean, string | null])[] = [
    ['local', true, 'local'],
    ['gpu', true, 'http://a:1/v1/execute'],
    ['gpu', false, 'http://b:1'],
    ['off', true, null],
    ['nobody', true, null],
    ['constructor', true, null],
  ];
  it.each(rows)('%s, notebooks define: %s', (name, notebooksDefine, expected) => {
    const worker = resolveWorker(name, {
      notebook: [gpu],
      server: { notebooksDefine, workers: [theirs, off] },
    });
    expect(worker === null ? null : (worker.config['url'] ?? worker.name)).toBe(expected);
  });
});

describe('[RW-2] transports', () => {
  it.each([
    [{}, 'direct'],
    [{ transport: 'direct' }, 'direct'],
    [{ transport: 'signed' }, 'signed'],
    [{ transport: 'manifest' }, 'signed'],
    [{ transport: 'build' }, 'signed'],
    [{ transport: 'http' }, 'direct'],
    [{ transport: 7 }, 'direct'],
    [{ url: 'embedded://local' }, 'embedded'],
    [{ url: 'embedded://notebook', transport: 'signed' }, 'embedded'],
  ])('%j is %s', (config, expected) => {
    expect(transportOf({ config })).toBe(expected);
  });
});

describe('[RW-3] unusable definitions are refused with a message', () => {
  const workerNamed = (name: string): Worker => ({ ...gpu, name });
  const reached = (config: Worker['config']): Worker => ({ ...gpu, config });
  const rows: readonly (readonly [string, readonly Worker[], RegExp | null])[] = [
    ['a good one', [gpu], null],
    ['none', [], null],
    ['local', [workerNamed('local')], /built in/],
    ['twice', [gpu, gpu], /Two workers are named 'gpu'/],
    ['a blank in the name', [workerNamed('a b')], /' is not a valid worker name/],
    ['a dash first', [workerNamed('-a')], /' is not a valid worker name/],
    [
      'http as transport',
      [reached({ url: 'http://a', transport: 'http' })],
      /transport "http" is not one of/,
    ],
    ['no address', [reached({})], /config.url is missing/],
    ['another scheme', [reached({ url: 'ws://a' })], /is not a valid address/],
    ['no host', [reached({ url: 'http://' })], /is not a valid address/],
    ['embedded', [reached({ url: 'embedded://local' })], null],
    ['of this machine', [{ ...gpu, backend: 'local', config: {} }], null],
  ];
  it.each(rows)('%s', (_what, workers, message) => {
    const problem = whyNoWorkers(workers);
    if (message === null) expect(problem).toBeNull();
    else expect(problem).toMatch(message);
  });
});
