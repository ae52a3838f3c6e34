import { expect, it } from 'vitest';
import type { ClientAccess } from '../../exec/clientAccess.ts';
import type { ExecOutcome, ExecRequest } from '../../exec/executor.ts';
import { withClient } from './clientExecutor.ts';

const ACCESS: ClientAccess = {
  url: 'http://127.0.0.1:1',
  headers: { authorization: 'Bearer t' },
  promote: null,
};
const ENDED: ExecOutcome = {
  kind: 'crashed',
  message: '',
  method: 'cold',
  durationMs: 0,
  stdout: '',
  stderr: '',
};
const REQUEST: ExecRequest = {
  runId: 'r',
  cellId: 'c',
  cellName: 'c',
  source: 'x = 1',
  inputs: {},
  env: {},
  language: 'python',
  mode: 'auto',
  store: 'all',
  interpreter: { path: '', identity: '' },
  mutationDefines: [],
  timeoutSeconds: 0,
  cwd: '',
  outputDir: '',
};
const stored = (content_type: string) => ({ content_type, file: 'f' });

it.each<readonly [string, Partial<ExecRequest>, boolean]>([
  ['its code does not have the name', {}, false],
  ['its code has the name', { source: 'print(svc.put(1))' }, true],
  ['only a longer word has it', { source: 'svc_a = msvc' }, false],
  ['its tests have the name', { tests: { source: 'svc', file: 't', name: 't' } }, true],
  ['the set-up cell has the name', { setup: { source: 'client = svc', cellName: 's' } }, true],
  ['code of another cell comes with it', { inputs: { f: stored('module/cell') } }, true],
  ['an object comes with it', { inputs: { f: stored('pickle/object') } }, true],
  [
    'a variant is code',
    { inputs: { f: { kind: 'sweep_dict', variants: { a: stored('module/cell') } } } },
    true,
  ],
  ['only data comes with it', { inputs: { f: stored('arrow/ipc') } }, false],
  ['it is in R', { source: 'svc', language: 'r' }, false],
])('[DP-86] a cell gets the credential of svc if %s: %o is %s', async (_when, part, gets) => {
  const requests: ExecRequest[] = [];
  let accesses = 0;
  const client = {
    access() {
      accesses += 1;
      return ACCESS;
    },
  };
  const executor = withClient(
    {
      async run(request) {
        requests.push(request);
        return ENDED;
      },
    },
    client,
  );
  await executor.run({ ...REQUEST, ...part }, { signal: AbortSignal.abort(), onConsole: () => undefined });
  expect([requests[0]?.client, accesses]).toEqual(gets ? [ACCESS, 1] : [undefined, 0]);
});
