/**
 * Tests that any worker must pass (docs/spec/worker-protocol.md): health, both envelopes, refusals, cancels and R. For
 * the pull model see `pullContract.ts`.
 */

import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerHealth } from '../../src-shared/wire/worker/health.ts';
import {
  authorization,
  cancel,
  envelope,
  pullRaw,
  push,
  removeFolders,
  type WorkerUnderTest,
} from './workerCalls.ts';

export interface Conformance {
  /** A worker that can run at least two cells at the same time. */
  readonly worker: () => WorkerUnderTest;
}

export function workerConformance(name: string, { worker }: Conformance): void {
  describe(name, () => {
    afterAll(removeFolders);
    const run = (source: string, more = {}, inputs: unknown[] = [], parts: Parameters<typeof push>[2] = {}) =>
      push(worker(), envelope(source, more, inputs), parts);
    const health = async () => workerHealth.parse(await (await fetch(`${worker().url}/health`)).json());
    const json = (field: string, value: unknown, file = `${field}.json`) => ({
      field,
      file,
      bytes: JSON.stringify(value),
    });

    it('[WK-10] health has all that docs/spec/worker-protocol.md, 7, lists, without a token', async () => {
      const answer = await health();
      expect(answer.capabilities.protocol_versions).toContain('v1');
      expect(answer.capabilities.transform_refs).toContain('notebook_cell@v1');
      expect(answer.capabilities.features).toMatchObject({
        notebook_protocol_version: 'notebook-cell-v1',
        output_format: 'notebook-output-bundle@v1',
        pull_model: true,
        cancel: true,
      });
      expect(answer.hardware.cpus).toBeGreaterThan(0);
    });

    it('[WK-11] the answer to a cell is a bundle, with either protocol header', async () => {
      const { status, headers, bundle, dir } = await run(
        'y = x + 1\nprint("said", y)\ny',
        {},
        [{ name: 'x', format: 'json/object' }],
        { parts: [json('x', 41)] },
      );
      expect(status).toBe(200);
      expect(headers.get('x-svc-executor-protocol')).toBe('v1');
      expect(headers.get('x-svc-notebook-executor-protocol')).toBe('notebook-cell-v1');
      expect(bundle?.stdout).toBe('said 42\n');
      const y = bundle?.result.variables['y'];
      expect(y).toMatchObject({ content_type: 'json/object', preview: 42 });
      expect(bundle?.result.displays).toHaveLength(1);
      const file = y !== undefined && 'file' in y ? (y.file ?? '') : '';
      expect(await readFile(join(dir, file), 'utf8')).toBe('42');
    });

    it('[WK-11] a cell that raises is a 200 whose manifest has the error', async () => {
      const { status, bundle } = await run('print("before")\nraise ValueError("boom")');
      expect(status).toBe(200);
      expect(bundle?.result).toMatchObject({ success: false, variables: {} });
      expect(bundle?.result.success === false && bundle.result.error).toContain('boom');
      expect(bundle?.result.success === false && bundle.result.traceback).toContain('ValueError');
      expect(bundle?.stdout).toBe('before\n');
    });

    it('[WK-12] the part of an input is found by its name, its file and its file name, in both envelopes', async () => {
      const value = JSON.stringify(7);
      const descriptor = { name: 'Mixed', format: 'json/object', file: 'Mixed-f340b6d6.json' };
      const uploads = [
        { field: 'Mixed', file: 'blob', bytes: value },
        { field: 'Mixed-f340b6d6.json', file: 'Mixed-f340b6d6.json', bytes: value },
        { field: 'other', file: 'Mixed-f340b6d6.json', bytes: value },
      ];
      for (const part of uploads) {
        const { bundle } = await run('z = Mixed * 6', {}, [descriptor], { parts: [part] });
        expect(bundle?.result.variables['z']).toMatchObject({ preview: 42 });
      }
      const mixed = {
        protocol_version: 'notebook-cell-v1',
        source: 'z = Mixed * 6',
        timeout_seconds: 60,
        inputs: { Mixed: { content_type: 'json/object', file: 'Mixed.json' } },
        mounts: [],
        env: { GREETING: 'hello' },
      };
      const parts = [{ field: 'Mixed.json', file: 'Mixed.json', bytes: value }];
      const { bundle } = await push(worker(), mixed, { path: '/v1/notebook-execute', parts });
      expect(bundle?.result.variables['z']).toMatchObject({ preview: 42 });
    });

    it('[WK-12] a file input is a path to a file of its name, env and tables are passed, and changed inputs are returned', async () => {
      const { bundle } = await run(
        'import os\ntext = data.read_text()\nname = data.name\nword = os.environ["WORD"]\nsnap = t_snapshot\nxs.append(3)',
        {
          env: { WORD: 'mellow' },
          tables: { t: { uri: 'cat#ns.t', snapshot_id: 5 } },
          mutation_defines: ['xs'],
        },
        [
          { name: 'data', format: 'file/path', file: '__fetch_0_iris.csv' },
          { name: 'xs', format: 'json/object' },
        ],
        { parts: [{ field: 'data', file: 'iris.csv', bytes: 'a,b\n' }, json('xs', [1, 2])] },
      );
      const previews = Object.entries(bundle?.result.variables ?? {}).map(([key, one]) => [
        key,
        'preview' in one ? one.preview : null,
      ]);
      expect(Object.fromEntries(previews)).toMatchObject({
        text: 'a,b\n',
        name: 'iris.csv',
        word: 'mellow',
        snap: 5,
        xs: [1, 2, 3],
      });
    });

    const good = envelope('x = 1') as { transform: { params: object } };
    const bad: readonly (readonly [string, object | string | null, RegExp])[] = [
      ['no metadata', null, /no metadata/],
      ['metadata that is not JSON', '{', /not JSON/],
      ['metadata that is a list', '[]', /not a JSON object/],
      ['another protocol version', { ...good, protocol_version: 'v2' }, /protocol_version "v2"/],
      [
        'another transform',
        { ...good, transform: { ...good.transform, ref: 'sql@v1' } },
        /transform.ref "sql@v1"/,
      ],
      ['no transform', { ...good, transform: undefined }, /transform.ref/],
      ['no source', { ...good, transform: { ref: 'notebook_cell@v1', params: {} } }, /source/],
      ['an input without a name', { ...good, inputs: [{ format: 'json/object' }] }, /inputs/],
      ['two inputs of one name', { ...good, inputs: [{ name: 'a' }, { name: 'a' }] }, /twice/],
      [
        'an input without a part',
        { ...good, inputs: [{ name: 'a', format: 'json/object' }] },
        /no part .*"a"/,
      ],
      [
        'a file name with a path out of the folder',
        { ...good, inputs: [{ name: 'a', file: '..' }] },
        /no name for/,
      ],
      [
        'a mount of a folder on the sender’s machine',
        envelope('x = 1', { mounts: [{ name: 'm', uri: 'file:///etc', mode: 'ro' }] }),
        /Remote execution does not support file:\/\/ mount 'm'/,
      ],
      ['an unknown language', envelope('x = 1', { language: 'cobol' }), /cobol/],
    ];
    it.each(bad)('[WK-13] 400: %s', async (_name, metadata, words) => {
      const { status, body } = await push(worker(), metadata);
      expect(body?.['detail']).toMatch(words);
      expect(status).toBe(400);
    });

    it('[WK-13] 400: a flat envelope of another version; a protocol header of another version', async () => {
      const answer = await push(
        worker(),
        { protocol_version: 'v1', source: '' },
        { path: '/v1/notebook-execute' },
      );
      expect([answer.status, answer.body?.['detail']]).toEqual([
        400,
        expect.stringContaining('protocol_version'),
      ]);
      const headers = { 'x-svc-executor-protocol': 'v2' };
      expect((await push(worker(), good, { headers })).status).toBe(400);
    });

    const flat = { protocol_version: 'notebook-cell-v1', source: 'x = 1' };
    const badFlat: readonly (readonly [string, object | string | null, RegExp])[] = [
      ['no metadata', null, /no metadata/],
      ['metadata that is not JSON', '{', /not JSON/],
      ['no source', { ...flat, source: undefined }, /source/],
      ['inputs that are a list', { ...flat, inputs: [] }, /inputs/],
      ['an input without a part', { ...flat, inputs: { a: { file: 'a.json' } } }, /no part .*"a"/],
      [
        'a file name with a path out of the folder',
        { ...flat, inputs: { a: { file: '..' } } },
        /no name for/,
      ],
      ['an unknown language', { ...flat, language: 'cobol' }, /cobol/],
    ];
    it.each(badFlat)('[WK-13] 400 of the flat envelope: %s', async (_name, metadata, words) => {
      const { status, body } = await push(worker(), metadata, { path: '/v1/notebook-execute' });
      expect(body?.['detail']).toMatch(words);
      expect(status).toBe(400);
    });

    it('[WK-12] an input whose file name has folders is stored under the last part of the name', async () => {
      const input = { name: 'data', format: 'file/path', file: '../../etc/iris.csv' };
      const parts = [{ field: 'data', file: '../../etc/iris.csv', bytes: 'a,b\n' }];
      const { bundle } = await run('name = data.name\ninside = data.parent.name', {}, [input], { parts });
      expect(bundle?.result.variables).toMatchObject({
        name: { preview: 'iris.csv' },
        inside: { preview: expect.not.stringContaining('etc') },
      });
    });

    it('[WK-13] an upload whose sender disconnects leaves no files behind', async () => {
      const { hostname, port, pathname } = new URL(`${worker().url}/v1/execute`);
      const head = [
        `POST ${pathname} HTTP/1.1`,
        `Host: ${hostname}`,
        ...Object.entries(authorization(worker())).map(([key, value]) => `${key}: ${value}`),
        'Content-Type: multipart/form-data; boundary=x',
        'Content-Length: 1000000',
      ];
      const part = '--x\r\nContent-Disposition: form-data; name="df"; filename="df"\r\n\r\nabc';
      const socket = connect(Number(port), hostname);
      await new Promise<void>((sent, fail) => {
        socket.once('error', fail);
        socket.write(`${head.join('\r\n')}\r\n\r\n${part}`, () => sent());
      });
      socket.destroy();
      await expect.poll(() => active(worker())).toBe(0);
      expect((await run('x = 1')).status).toBe(200);
    });

    it('[WK-13] 400: a form that ends early, and a body that is no form', async () => {
      const headers = { ...authorization(worker()), 'content-type': 'multipart/form-data; boundary=x' };
      const post = async (body: string, type?: string) => {
        const response = await fetch(`${worker().url}/v1/execute`, {
          method: 'POST',
          body,
          headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
        });
        return [response.status, typeof ((await response.json()) as { detail: unknown }).detail];
      };
      const incompleteForm = '--x\r\nContent-Disposition: form-data; name="df"; filename="df"\r\n\r\nabc';
      expect(await post(incompleteForm)).toEqual([400, 'string']);
      expect(await post('{}', 'application/json')).toEqual([400, 'string']);
    });

    it('[WK-14] a wrong or missing token gets an exact message, which reveals nothing else about the worker', async () => {
      const { url, token } = worker();
      if (token === null) return;
      const ask = async (path: string, header?: string) => {
        const headers = header === undefined ? {} : { authorization: header };
        const response = await fetch(url + path, { method: 'POST', headers, body: 'x' });
        return [response.status, await response.json()];
      };
      const malformed = {
        detail: 'Missing or malformed Authorization header (expected Bearer token)',
      };
      for (const path of [
        '/v1/execute',
        '/v1/notebook-execute',
        '/v1/execute-manifest',
        '/execute',
        '/v1/executions/b/cancel',
      ]) {
        expect(await ask(path)).toEqual([401, malformed]);
        expect(await ask(path, 'Basic abc')).toEqual([401, malformed]);
        expect(await ask(path, 'Bearer ')).toEqual([401, malformed]);
        expect(await ask(path, `Bearer ${token}x`)).toEqual([401, { detail: 'Invalid worker token' }]);
      }
    });

    it('[WK-15] 408: a cell that runs longer than its limit', async () => {
      const { status, body } = await run('import time\ntime.sleep(60)', { timeout_seconds: 0.5 });
      expect([status, body?.['success'], typeof body?.['error'], typeof body?.['detail']]).toEqual([
        408,
        false,
        'string',
        'string',
      ]);
    });

    it('[WK-15] the flat envelope has the same answers: a cell that raises, runs too long, or ends without a result', async () => {
      const ask = (source: string, timeout_seconds = 60) =>
        push(worker(), { ...flat, source, timeout_seconds }, { path: '/v1/notebook-execute' });
      const [raised, late] = await Promise.all([
        ask('raise ValueError("boom")'),
        ask('import time\ntime.sleep(60)', 0.5),
      ]);
      const exited = await ask('import os\nos._exit(3)');
      expect([raised.status, raised.bundle?.result]).toMatchObject([200, { success: false }]);
      expect([late.status, exited.status]).toEqual([408, 500]);
      for (const { body } of [late, exited]) {
        expect(body).toMatchObject({ success: false, error: body?.['detail'], detail: expect.any(String) });
      }
    });

    it('[WK-15] 500: a locked environment whose lock does not match its key', async ({ skip }) => {
      const { features } = (await health()).capabilities;
      if (!features.locked_environments) return skip('this worker builds no locked environments');
      const lock = 'version = 1\nrequires-python = ">=3.10"\n';
      const environment = {
        key: 'a'.repeat(64),
        python: '',
        lockfile: lock,
        pyproject: '[project]\nname = "n"\n',
      };
      const answers = await Promise.all([
        run('x = 1', { environment }),
        push(worker(), { ...flat, environment }, { path: '/v1/notebook-execute' }),
      ]);
      for (const { status, body } of answers) {
        expect(status).toBe(500);
        expect(body).toMatchObject({ success: false, error: expect.stringMatching(/^locked environment: /) });
      }
    });

    it('[WK-15] 500: a process that ends without a result', async () => {
      const { status, body } = await run('import os, sys\nprint("last words", file=sys.stderr)\nos._exit(3)');
      expect(status).toBe(500);
      expect(body).toMatchObject({ success: false, detail: expect.stringContaining('last words') });
    });

    it('[WK-16] a running cell is cancelled with all its processes, and the route answers when they have ended', async () => {
      const metadata = {
        ...envelope('import subprocess, time\nsubprocess.Popen(["sleep", "300"])\ntime.sleep(300)'),
        build_id: 'b-run',
      };
      const answer = push(worker(), metadata);
      await expect.poll(async () => active(worker())).toBeGreaterThan(0);
      await expect
        .poll(async () => cancel(worker(), 'b-run'))
        .toEqual({ build_id: 'b-run', cancelled: true });
      const { status, body } = await answer;
      // A cancel before the harness has started is a 409; after that, the run left no result.
      expect([409, 500]).toContain(status);
      expect(body).toMatchObject({ success: false, error: expect.any(String) });
      expect(await active(worker())).toBe(0);
    });

    it('[WK-16] a cancel of an unknown build is not an error', async () => {
      expect(await cancel(worker(), 'nobody')).toEqual({ build_id: 'nobody', cancelled: false });
    });

    it('[WK-17] hints and unknown routes are 404', async () => {
      for (const path of ['/v1/hints', '/v1/else']) {
        const response = await fetch(worker().url + path, {
          method: 'POST',
          body: '{}',
          headers: { ...authorization(worker()), 'content-type': 'application/json' },
        });
        expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
      }
    });

    it('[WK-13] 400: invalid manifests', async () => {
      const manifest = {
        metadata: { executor_ref: 'notebook_cell@v1', params: { source: 'x = 1' } },
        inputs: [],
        output: { url: 'https://store.example/o' },
        finalize_url: 'https://store.example/f',
      };
      const rows: readonly string[] = [
        '[]',
        '{',
        JSON.stringify({ ...manifest, metadata: { ...manifest.metadata, executor_ref: 'other@v1' } }),
        JSON.stringify({ ...manifest, inputs: {} }),
        JSON.stringify({ ...manifest, inputs: [{ artifact_id: 'a', url: 'https://store.example' }] }),
        JSON.stringify({ ...manifest, output: {} }),
        JSON.stringify({ ...manifest, finalize_url: undefined }),
        JSON.stringify({
          ...manifest,
          metadata: {
            ...manifest.metadata,
            params: { source: '', input_specs: { a: { uri: 'svc://artifact/a@v=1' } } },
          },
        }),
      ];
      for (const body of rows) expect([body, (await pullRaw(worker(), body)).status]).toEqual([body, 400]);
    });

    describe('R', () => {
      let hasR = false;
      beforeAll(async () => {
        hasR = (await health()).capabilities.features.languages?.includes('r') === true;
      });

      it('[WK-18] an R cell is 500 on a worker without R', async ({ skip }) => {
        if (hasR) return skip('this worker has R');
        const { status, body } = await run('x <- 1', { language: 'r' });
        expect([status, body?.['error']]).toEqual([500, 'Rscript is not installed on this worker']);
      });

      it('[WK-18] an R cell runs with the same envelope', async ({ skip }) => {
        if (!hasR) return skip('this worker has no R');
        const { bundle } = await run(
          'y <- x * 2L\ncat("said", y, "\\n")',
          { language: 'r' },
          [{ name: 'x', format: 'json/object' }],
          {
            parts: [json('x', 21)],
          },
        );
        expect(bundle?.stdout).toContain('said 42');
        expect(bundle?.result.variables['y']).toMatchObject({ preview: 42 });
      });

      it('[WK-18] an R cell that fails is a 200 with its message', async ({ skip }) => {
        if (!hasR) return skip('this worker has no R');
        const { status, bundle } = await run('stop("boom")', { language: 'r' });
        expect(status).toBe(200);
        expect(bundle?.result.success === false && bundle.result.error).toContain('boom');
      });
    });
  });
}

async function active(worker: WorkerUnderTest): Promise<number> {
  const health = (await (await fetch(`${worker.url}/health`)).json()) as { active_executions: number };
  return health.active_executions;
}
