/** Tests pull runs of a worker whose inputs and results go through a bucket of a fake S3 or Azure server. */

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlobStore } from '../../src-main/blobs/openBlobStore.ts';
import { createBuilds } from '../../src-main/builds/builds.ts';
import type { ExecOutcome } from '../../src-main/exec/executor.ts';
import { createWorkerTokens } from '../../src-main/exec/remote/call/workerTokens.ts';
import { createRemoteExecutor } from '../../src-main/exec/remote/remoteExecutor.ts';
import { openObjectStore } from '../../src-main/mount/remote/openObjectStore.ts';
import { startTestServer, type TestServer } from '../../src-main/server/testing/testServer.ts';
import { startTestWorker } from '../../src-main/worker/testing/testWorker.ts';
import { type FormPolicyServer, startFormPolicy } from '../support/formPolicy.ts';
import { OBJECT_SERVERS, type ObjectServer } from '../support/objectServers.ts';
import { remoteRequest } from '../support/remoteRequest.ts';

const never = new AbortController().signal;
const MAX_OUTPUT = 60_000;
let root = '';
let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'bucket-pull-'));
  worker = await startTestWorker({ SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1' });
});
afterAll(async () => {
  await worker.close();
  await rm(root, { recursive: true });
});

// Google's buckets differ from S3 only in how addresses are signed, which the tests of src-main/blobs cover.
describe.for(['s3', 'az'] as const)('a worker that fetches from a bucket of %s', (scheme) => {
  const { missing, start } = OBJECT_SERVERS[scheme];
  /** Skipped where the server is not installed: `npm test` installs it. */
  describe.skipIf(missing !== null)(missing ?? 'by signed addresses', () => {
    let objects: ObjectServer;
    let forms: FormPolicyServer | null = null;
    let server: TestServer;
    let run: (source: string) => Promise<ExecOutcome>;
    const listed = async (): Promise<string[]> => {
      const store = await openObjectStore(
        { kind: 'remote', scheme, container: 'lab', prefix: '' },
        objects.credential,
      );
      return (await store.list('', never)).map(({ key }) => key);
    };
    beforeAll(async () => {
      objects = await start();
      if (scheme !== 'az') forms = await startFormPolicy(scheme, objects);
      await objects.createBucket('lab');
      const own = forms === null ? {} : { endpoint_url: forms.url };
      const options = { ...objects.credential, ...own };
      const bucket = openBlobStore({ scheme, container: 'lab', prefix: 'artifacts', options });
      const builds = createBuilds({ secret: null, expirySeconds: 600, maxOutputBytes: MAX_OUTPUT, bucket });
      server = await startTestServer({ builds });
      const executor = createRemoteExecutor({
        tokens: createWorkerTokens({}),
        builds,
        provisioningSeconds: 60,
        maxMemberBytes: 1e9,
      });
      let runs = 0;
      run = async (source) => {
        const outputDir = join(root, `${scheme}-${++runs}`);
        await mkdir(outputDir);
        const input = join(root, 'in.json');
        await writeFile(input, '41');
        const config = { url: `${worker.url}/v1/execute`, transport: 'signed' };
        const outcome = await executor.run(
          remoteRequest({
            source,
            cwd: root,
            outputDir,
            store: ['y'],
            inputs: { x: { content_type: 'json/object', file: input } },
            worker: { name: 'far', backend: 'executor', runtime_id: null, config },
          }),
          { signal: never, onConsole: () => undefined, onProgress: () => undefined },
        );
        // Cleans up like a client that has published the result, or the next run of this cell would resume this run.
        await outcome.discard?.();
        return outcome;
      };
    });
    afterAll(async () => {
      await server.close();
      await forms?.close();
      await objects.stop();
    });

    it('[BU-15] reads its input from the bucket, uploads its result to it, and leaves no files in it', async () => {
      expect(await run('y = x + 1')).toMatchObject({
        kind: 'finished',
        result: { success: true, variables: { y: { preview: 42 } } },
        remote: { buildState: 'ready', errorCode: null },
      });
      await expect.poll(listed).toEqual([]);
    });

    it('[BU-15] an oversized result names the variable with the limit, and leaves no files', async () => {
      expect(await run(`y = "x" * ${MAX_OUTPUT}`)).toMatchObject({
        kind: 'crashed',
        message: expect.stringMatching(/at most 60000 are taken\n.*SVC_BUILD_RUNNER_DEFAULT_MAX_OUTPUT/),
        remote: { errorCode: 'EXECUTOR_HTTP_ERROR' },
      });
      await expect.poll(listed).toEqual([]);
    });

    it('[BU-15] a bucket deleted during the run is named in the error, with what must be reachable', async () => {
      const [begun, gone] = ['begun', 'gone'].map((name) => join(root, `${scheme}-${name}`)) as [
        string,
        string,
      ];
      const lines = ['import pathlib, time', `pathlib.Path(${JSON.stringify(begun)}).touch()`];
      const until = `while not pathlib.Path(${JSON.stringify(gone)}).exists(): time.sleep(0.02)`;
      const running = run([...lines, until, 'y = 1'].join('\n'));
      await expect.poll(() => existsSync(begun)).toBe(true);
      await objects.deleteBucket('lab');
      await writeFile(gone, '');
      const failed = await running;
      expect(failed).toMatchObject({ kind: 'crashed', remote: { errorCode: 'EXECUTOR_HTTP_ERROR' } });
      expect('message' in failed && failed.message).toMatch(/object store at http:\/\/127/);
    });
  });
});
