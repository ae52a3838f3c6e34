/**
 * The fake executor that other tests use: it keeps the contract of all executors, and fails a cell that it
 * cannot interpret.
 */

import { expect, test } from 'vitest';
import type { ExecRequest } from './executor.ts';
import { executorContract } from './testing/executorContract.ts';
import { createFakeExecutor } from './testing/fakeExecutor.ts';

const request = (source: string, overrides: Partial<ExecRequest> = {}): ExecRequest => ({
  runId: 'r',
  cellId: 'c',
  cellName: 'c',
  language: 'python',
  interpreter: { path: '/python', identity: 'one' },
  source,
  inputs: {},
  env: {},
  store: [],
  mutationDefines: [],
  timeoutSeconds: 30,
  cwd: '/notebook',
  outputDir: '/notebook/out',
  mode: 'auto',
  ...overrides,
});

executorContract('the fake', async () => ({ executor: createFakeExecutor(), request }));

test('an unknown line fails the cell', async () => {
  const executor = createFakeExecutor();
  const outcome = await executor.run(request('x = 1\nfor i in x: pass'), {
    signal: new AbortController().signal,
    onConsole() {},
  });
  expect(outcome).toMatchObject({ kind: 'finished', result: { success: false } });
  expect(executor.requests.map((request) => request.source)).toEqual(['x = 1\nfor i in x: pass']);
});
