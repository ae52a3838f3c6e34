/**
 * The notice that a remote cell prints when its worker cannot build the notebook's Python or R environment.
 * The worker is a fake.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkerTokens } from './call/workerTokens.ts';
import { createRemoteExecutor } from './remoteExecutor.ts';
import { PROTOCOL, standInWorker } from './testing/standInWorker.ts';
import { testRun } from './testing/testRun.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remote-without-'));
});
afterEach(() => rm(dir, { recursive: true }));

const WITH_LOCK = {
  'uv.lock': 'version = 1\nrequires-python = ">=3.13"\n',
  'pyproject.toml': '[project]\nname = "n"\n',
};
const WITH_R = { 'renv.lock': '{}' };

/** The features that the worker reports → the notice that the cell prints before it runs; null: none. */
it.each<[string, object | null, Readonly<Record<string, string>>, 'python' | 'r', RegExp | null]>([
  ['can build it', { locked_environments: true }, WITH_LOCK, 'python', null],
  [
    'reports why it cannot, and its Python version',
    {
      locked_environments: false,
      locked_environments_problem: 'uv is\nnot installed',
      python_version: '3.11.7',
    },
    WITH_LOCK,
    'python',
    /^Worker 'gpu' cannot build .* \(uv is not installed\)\. .* own Python 3\.11\.7 .*\n$/,
  ],
  [
    'reports that it cannot',
    { locked_environments: false },
    WITH_LOCK,
    'python',
    /environment\. .* own Python and/,
  ],
  [
    'reports invalid values',
    { locked_environments: 0, locked_environments_problem: [1] },
    WITH_LOCK,
    'python',
    /environment\. /,
  ],
  ['is too old to report it', null, WITH_LOCK, 'python', /cannot build the notebook's environment\. /],
  ['cannot, for a notebook without a lock file', { locked_environments: false }, {}, 'python', null],
  ['cannot restore R', { locked_r_environments: false }, WITH_R, 'r', /R packages \(renv\.lock\)/],
  ['can restore R', { locked_r_environments: true }, WITH_R, 'r', null],
])(
  '[RW-41] a worker that %s: the cell prints what it runs on before it is sent',
  async (_name, features, files, language, pattern) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
    const printedWhenSent: string[] = [];
    const worker = await standInWorker({
      health: (response) =>
        features === null
          ? response.writeHead(404).end()
          : response.end(JSON.stringify({ status: 'healthy', capabilities: { features } })),
      execute: (_request, response, tar) => {
        printedWhenSent.push(printed());
        response.writeHead(200, PROTOCOL).end(tar);
      },
    });
    let printed = (): string => '';
    try {
      const options = { tokens: createWorkerTokens({}), provisioningSeconds: 60, maxMemberBytes: 1e9 };
      const executor = createRemoteExecutor({ ...options, consoleAfterMs: 60_000 });
      let output = '';
      printed = () => output;
      const recording: typeof executor = {
        run: (request, run) =>
          executor.run(request, {
            ...run,
            onConsole: (text) => {
              output += text.text;
              run.onConsole(text);
            },
          }),
      };
      const { outcome } = await testRun(recording, { dir, url: worker.url, language });
      expect(outcome).toMatchObject({ kind: 'finished', stdout: 'hello\n' });
      const notice = pattern === null ? /^$/ : pattern;
      expect(printedWhenSent).toEqual([expect.stringMatching(notice)]);
      expect(outcome.stderr).toMatch(notice);
    } finally {
      await worker.close();
    }
  },
);

it('[RW-41] a cell that fails keeps its notice', async () => {
  for (const [name, text] of Object.entries(WITH_LOCK)) await writeFile(join(dir, name), text);
  const worker = await standInWorker({
    execute: (_request, response) => response.writeHead(500).end('{"detail":"no"}'),
  });
  try {
    const options = { tokens: createWorkerTokens({}), provisioningSeconds: 60, maxMemberBytes: 1e9 };
    const { outcome } = await testRun(createRemoteExecutor(options), { dir, url: worker.url });
    expect(outcome).toMatchObject({ kind: 'crashed', stderr: expect.stringMatching(/cannot build/) });
  } finally {
    await worker.close();
  }
});
