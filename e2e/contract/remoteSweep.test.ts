/** Tests that a cell on a worker gets the results of a sweep as a dict, by push and by pull, in Python and in R. */

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBuilds } from '../../src-main/builds/builds.ts';
import { createWorkerTokens } from '../../src-main/exec/remote/call/workerTokens.ts';
import { createRemoteExecutor } from '../../src-main/exec/remote/remoteExecutor.ts';
import { startTestServer, type TestServer } from '../../src-main/server/testing/testServer.ts';
import { startTestWorker } from '../../src-main/worker/testing/testWorker.ts';
import type { StoredInput } from '../../src-shared/wire/harness.ts';
import { remoteRequest } from '../support/remoteRequest.ts';

let root = '';
let server: TestServer;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
const builds = createBuilds({ secret: null, expirySeconds: 600, maxOutputBytes: 1e6 });
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'remote-sweep-'));
  worker = await startTestWorker({ SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1' });
  server = await startTestServer({ builds });
});
afterAll(async () => {
  await server.close();
  await worker.close();
  await rm(root, { recursive: true });
});

/** One variant's value, in its own file. */
async function stored(name: string, value: unknown): Promise<StoredInput> {
  const file = join(root, `${name}.json`);
  await writeFile(file, JSON.stringify(value));
  return { content_type: 'json/object', file, uri: `svc://artifact/nb_${name}@v=1` };
}

it.each([
  ['direct', 'python', 'r = [list(s), s["hi"], s["o’ \\"k\\n"], type(s).__name__, T["only"]]'],
  ['signed', 'python', 'r = [list(s), s["hi"], s["o’ \\"k\\n"], type(s).__name__, T["only"]]'],
  ['direct', 'r', 'r <- s'],
] as const)(
  '[RW-30] a cell on a worker gets the results of a sweep as a dict: %s, %s',
  async (transport, language, source) => {
    const outputDir = await mkdtemp(join(root, 'out-'));
    await mkdir(outputDir, { recursive: true });
    const hi = await stored('hi', [1, 2.5]);
    const odd = await stored('odd', { deep: null });
    const executor = createRemoteExecutor({
      tokens: createWorkerTokens({}),
      builds,
      origin: 'run',
      provisioningSeconds: 60,
      maxMemberBytes: 1e9,
    });
    const outcome = await executor.run(
      remoteRequest({
        language,
        source,
        cwd: root,
        outputDir,
        store: ['r'],
        inputs: {
          s: { kind: 'sweep_dict', variants: { 'o’ "k\n': odd, hi } },
          T: { kind: 'sweep_dict', variants: { only: hi } },
        },
        worker: {
          name: 'far',
          backend: 'executor',
          runtime_id: null,
          config: { url: `${worker.url}/v1/execute`, transport },
        },
      }),
      { signal: new AbortController().signal, onConsole: () => undefined, onProgress: () => undefined },
    );
    if (language === 'r') {
      expect(outcome).toMatchObject({ kind: 'crashed', message: expect.stringMatching(/only Python cells/) });
    } else {
      const names = ['hi', 'o’ "k\n'];
      expect(outcome).toMatchObject({
        kind: 'finished',
        result: {
          success: true,
          variables: { r: { preview: [names, [1, 2.5], { deep: null }, 'dict', [1, 2.5]] } },
        },
      });
    }
    expect((await readdir(root)).filter((name) => name.endsWith('-sweeps'))).toEqual([]);
  },
);
