/**
 * Tests that any worker must pass for the pull model (docs/spec/worker-protocol.md, 5): it fetches inputs, runs the
 * cell and delivers the result.
 */

import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../src-main/exec/outputBundle/readBundle.ts';
import { workerHealth } from '../../src-shared/wire/worker/health.ts';
import { manifest } from './pullRequest.ts';
import { answering, boundedForm, openSignedPlaces, type SignedPlaces } from './signedPlaces.ts';
import {
  cancel,
  envelope,
  freshFolder,
  pullRaw,
  push,
  removeFolders,
  type WorkerUnderTest,
} from './workerCalls.ts';

export interface PullConformance {
  readonly worker: () => WorkerUnderTest;
  /** An address of this machine that the worker can reach and that its SVC_WORKER_ALLOWED_HOSTS allows. */
  readonly placesHost: () => string;
  /** The worker's SVC_WORKER_MAX_INPUT_BYTES; null if it is unknown. */
  readonly maxInputBytes: number | null;
}

export function pullConformance(name: string, { worker, placesHost, maxInputBytes }: PullConformance): void {
  describe(name, () => {
    let places: SignedPlaces;
    beforeAll(async () => {
      places = await openSignedPlaces(placesHost());
    });
    afterEach(() => {
      places.received.length = 0;
    });
    afterAll(async () => {
      await places.close();
      await removeFolders();
    });

    const asking = (source: string, changes: Parameters<typeof manifest>[2] = {}) =>
      manifest(places.url, source, changes);
    const health = async () => workerHealth.parse(await (await fetch(`${worker().url}/health`)).json());

    const to = (path: string) => places.received.filter((one) => one.path === path);

    async function bundleOf(bytes: Buffer) {
      return readBundle(Readable.from([bytes]), { dir: await freshFolder(), maxMemberBytes: 1e6 });
    }

    function good(): void {
      places.on('/in', answering(200, '41'));
      places.on('/upload', answering(204));
      places.on('/finalize', answering(200, '{"state":"ready"}'));
    }

    describe('[WK-22] a pull run fetches, runs and delivers', () => {
      it('uploads by POST, and reports the server’s answer', async () => {
        good();
        const { status, body } = await pullRaw(
          worker(),
          asking('y = x + 1', { inputs: { x: `${places.url}/in?sig=0` } }),
        );
        expect(status).toBe(200);
        const [uploaded] = to('/upload');
        expect(body).toEqual({
          success: true,
          build_id: 'nbbuild-1',
          byte_size: uploaded?.body.length,
          protocol_version: 'notebook-build-manifest@v1',
          finalize: { state: 'ready' },
        });
        expect(uploaded).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/x-tar' } });
        expect(uploaded?.query.get('sig')).toBe('1');
        const bundle = await bundleOf(uploaded?.body ?? Buffer.alloc(0));
        expect(bundle.result.variables['y']).toMatchObject({ preview: 42 });
        expect(JSON.parse(to('/finalize')[0]?.body.toString() ?? '')).toEqual({
          output_format: 'notebook-output-bundle@v1',
        });
      });

      it('uploads by PUT with the given headers, also when called at /execute', async () => {
        good();
        places.on('/upload', answering(201));
        const output = { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' } };
        expect((await pullRaw(worker(), asking('x = 1', { output }), '/execute')).status).toBe(200);
        const [uploaded] = to('/upload');
        expect(uploaded).toMatchObject({ method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' } });
        expect(Number(uploaded?.headers['content-length'])).toBe(uploaded?.body.length);
        expect((await bundleOf(uploaded?.body ?? Buffer.alloc(0))).result.success).toBe(true);
      });

      it('uploads by form: the signed fields, then the bundle as `file`', async () => {
        good();
        const fields = { key: 'out/é.tar', policy: 'p', 'x-amz-signature': 's' };
        expect((await pullRaw(worker(), asking('x = 1', { output: { fields } }))).status).toBe(200);
        const [uploaded] = to('/upload');
        const form = await new Response(new Uint8Array(uploaded?.body ?? Buffer.alloc(0)), {
          headers: { 'content-type': uploaded?.headers['content-type'] ?? '' },
        }).formData();
        expect([...form.keys()]).toEqual([...Object.keys(fields), 'file']);
        const file = form.get('file');
        const bytes = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
        expect(file instanceof File && file.name).toBe('bundle.tar');
        expect((await bundleOf(bytes)).result.success).toBe(true);
      });

      const FORMS: readonly (readonly [store: string, fields: Readonly<Record<string, string>>])[] = [
        [
          'S3',
          {
            key: 'k',
            policy: 'p',
            'x-amz-algorithm': 'AWS4-HMAC-SHA256',
            'x-amz-credential': 'c',
            'x-amz-date': 'd',
            'x-amz-signature': 's',
          },
        ],
        [
          'Google Cloud Storage',
          {
            key: 'k',
            policy: 'p',
            'x-goog-algorithm': 'GOOG4-RSA-SHA256',
            'x-goog-credential': 'c',
            'x-goog-date': 'd',
            'x-goog-signature': 's',
          },
        ],
      ];
      it.each(FORMS)('uploads by a form of %s, whose policy limits the length', async (_store, fields) => {
        good();
        places.on('/upload', boundedForm(fields, [1, 1e6]));
        expect((await pullRaw(worker(), asking('x = 1', { output: { fields } }))).status).toBe(200);
        places.on('/upload', boundedForm(fields, [1, 100]));
        const refused = await pullRaw(worker(), asking('x = 1', { output: { fields } }));
        expect([refused.status, String(refused.body?.['detail'])]).toEqual([
          502,
          expect.stringContaining('EntityTooLarge'),
        ]);
      });

      it('delivers the bundle of a cell that raises', async () => {
        good();
        expect((await pullRaw(worker(), asking('1 / 0'))).status).toBe(200);
        const bundle = await bundleOf(to('/upload')[0]?.body ?? Buffer.alloc(0));
        expect(bundle.result).toMatchObject({ success: false, error: 'ZeroDivisionError: division by zero' });
      });
    });

    describe('[WK-23] failures of a pull run', () => {
      const rows: readonly (readonly [string, () => void, number, RegExp])[] = [
        [
          'a missing input',
          () => places.on('/in', answering(404, 'gone')),
          502,
          /Downloading .*answered 404: gone/,
        ],
        [
          'an input behind a redirect',
          () =>
            places.on(
              '/in',
              (_request, response) => void response.writeHead(302, { location: '/else' }).end(),
            ),
          502,
          /302, and redirects are not followed/,
        ],
        [
          'an input whose download is cut off',
          () =>
            places.on('/in', (_request, response) => {
              response.writeHead(200, { 'content-length': '50000' });
              response.write('4');
              setImmediate(() => response.destroy());
            }),
          502,
          /Downloading/,
        ],
        [
          'an input whose declared length is too large',
          () =>
            places.on('/in', (_request, response) => {
              response.writeHead(200, { 'content-length': String((maxInputBytes ?? 0) + 1) });
              response.flushHeaders();
            }),
          413,
          /exceeds \d+ bytes/,
        ],
        [
          'an input that is too large without a declared length',
          () =>
            places.on('/in', (_request, response) => {
              response.writeHead(200);
              const more = () => {
                while (!response.destroyed && response.write(Buffer.alloc(16_384, 32)));
              };
              response.on('drain', more);
              more();
            }),
          413,
          /exceeds \d+ bytes/,
        ],
        [
          'an upload that is refused',
          () => places.on('/upload', answering(403, 'expired')),
          502,
          /Uploading .*403: expired/,
        ],
        [
          'an upload whose connection is cut',
          () => places.on('/upload', (request) => void request.socket.destroy()),
          502,
          /Uploading/,
        ],
        [
          'a finalize that is refused',
          () => places.on('/finalize', answering(409, 'lapsed')),
          502,
          /Finalizing .*409/,
        ],
        [
          'a finalize whose answer is not JSON',
          () => places.on('/finalize', answering(200, 'ok')),
          502,
          /not JSON/,
        ],
      ];
      it.each(rows)('%s', async (_name, arrange, status, words) => {
        if (status === 413 && maxInputBytes === null) return;
        good();
        arrange();
        const answer = await pullRaw(
          worker(),
          asking('y = x', { inputs: { x: `${places.url}/in?secret=1` } }),
        );
        expect(answer.body?.['detail']).toMatch(words);
        expect(answer.body?.['detail']).not.toContain('secret');
        expect(answer.status).toBe(status);
        expect(await (await fetch(`${worker().url}/health`)).json()).toMatchObject({ active_executions: 0 });
      });

      it('a bundle larger than the upload limit is not sent', async () => {
        good();
        const answer = await pullRaw(worker(), asking('x = 1', { output: { max_bytes: 100 } }));
        expect([answer.status, to('/upload').length]).toEqual([502, 0]);
      });

      const HIDDEN: readonly string[] = [
        'http://169.254.169.254/latest/meta-data',
        'http://[::ffff:169.254.169.254]/',
        'http://[::ffff:10.0.0.1]/',
        'http://localhost:1/',
        'http://127.0.0.2/',
        'http://2130706434/',
        'http://0.0.0.0/',
        'http://[::1]/',
        'http://[fe80::1]/',
        'http://100.64.0.1/',
        'http://224.0.0.1/',
        'file:///etc/passwd',
        'ftp://127.0.0.1/',
      ];
      const PARTS: readonly (readonly [string, (url: string) => Parameters<typeof manifest>[2]])[] = [
        ['an input', (url) => ({ inputs: { x: url } })],
        ['the output', (url) => ({ output: { url } })],
        ['finalize', (url) => ({ finalize_url: url })],
        ['the log', (url) => ({ log_url: url })],
      ];
      it.each(PARTS)('[WK-21] %s at a forbidden address is refused before any request', async (_part, at) => {
        good();
        const answers = await Promise.all(HIDDEN.map((url) => pullRaw(worker(), asking('x = 1', at(url)))));
        expect(answers.map(({ status, body }, i) => [HIDDEN[i], status, String(body?.['detail'])])).toEqual(
          HIDDEN.map((url) => [url, 400, expect.stringContaining('URL refused')]),
        );
        expect(places.received).toEqual([]);
      });

      const CELLS: readonly (readonly [string, string, object, number, RegExp])[] = [
        [
          '408: a cell that runs longer than its limit',
          'import time\ntime.sleep(60)',
          { timeout_seconds: 0.5 },
          408,
          /timed out/,
        ],
        ['500: a process that ends without a result', 'import os\nos._exit(3)', {}, 500, /harness-result/],
        ['400: an unknown language', '', { language: 'cobol' }, 400, /cobol/],
        [
          '400: a mount of a folder on the sender’s machine',
          '',
          { mounts: [{ name: 'm', uri: 'file:///etc', mode: 'ro' }] },
          400,
          /file:\/\/ mount 'm'/,
        ],
      ];
      it.each(CELLS)('[WK-15] %s, and nothing is delivered', async (_name, source, params, status, words) => {
        good();
        const answer = await pullRaw(worker(), asking(source, { params }));
        expect([answer.status, String(answer.body?.['detail'])]).toEqual([
          status,
          expect.stringMatching(words),
        ]);
        expect(places.received).toEqual([]);
      });

      it('[WK-16] a cell that is cancelled while it runs delivers nothing', async () => {
        good();
        places.on('/log', answering(202, '{"delivered":true}'));
        const source = 'import time\nprint("on", flush=True)\ntime.sleep(60)';
        const answer = pullRaw(worker(), asking(source, { log_url: `${places.url}/log` }));
        await expect.poll(() => to('/log').length).toBeGreaterThan(0);
        expect(await cancel(worker(), 'nbbuild-1')).toEqual({ build_id: 'nbbuild-1', cancelled: true });
        expect(await answer).toMatchObject({ status: 500, body: { success: false } });
        expect([to('/upload'), to('/finalize'), (await health()).active_executions]).toEqual([[], [], 0]);
      });

      it('[WK-20] a full worker refuses before any input is fetched', async ({ skip }) => {
        const { max_concurrent, gpu_slots } = await health();
        const most = Math.min(
          max_concurrent ?? Number.POSITIVE_INFINITY,
          gpu_slots ?? Number.POSITIVE_INFINITY,
        );
        if (!Number.isFinite(most)) return skip('this worker takes any number of cells at once');
        good();
        const names = Array.from({ length: most }, (_none, at) => `hold-${at}`);
        const long = names.map((build_id) =>
          push(worker(), { ...envelope('import time\ntime.sleep(60)'), build_id }),
        );
        await expect.poll(async () => (await health()).active_executions).toBe(most);
        const detail =
          most === max_concurrent
            ? `Worker is running ${most} of ${most} executions`
            : `All ${most} GPU slots are in use`;
        const refused = await pullRaw(worker(), asking('y = x', { inputs: { x: `${places.url}/in` } }));
        expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
          503,
          '5',
          { detail },
        ]);
        const flat = { protocol_version: 'notebook-cell-v1', source: 'x = 1' };
        expect([
          (await push(worker(), envelope('x = 1'))).status,
          (await push(worker(), flat, { path: '/v1/notebook-execute' })).status,
        ]).toEqual([503, 503]);
        expect(places.received).toEqual([]);
        for (const name of names) {
          await expect.poll(() => cancel(worker(), name)).toMatchObject({ cancelled: true });
        }
        for (const answer of await Promise.all(long)) expect(answer.body).toMatchObject({ success: false });
      });

      it('[WK-16] a cancel while an input is being fetched is 409, and the cell never starts', async () => {
        good();
        const inputRequest = new Promise<void>((done) => places.on('/in', () => done()));
        const answer = pullRaw(worker(), asking('y = x', { inputs: { x: `${places.url}/in` } }));
        await inputRequest;
        expect(await cancel(worker(), 'nbbuild-1')).toMatchObject({ cancelled: true });
        expect(await answer).toMatchObject({
          status: 409,
          body: { success: false, error: 'execution was cancelled', detail: 'execution was cancelled' },
        });
        expect(to('/upload')).toEqual([]);
      });
    });

    describe('[WK-24] the console is posted while the cell runs', () => {
      it('each stream is in order, numbered from 0, and complete in the bundle', async () => {
        good();
        places.on('/log', answering(202, '{"delivered":true}'));
        const source =
          'import sys, time\nfor i in range(3):\n  print("out", i, flush=True)\n  print("err", i, file=sys.stderr, flush=True)\n  time.sleep(0.1)';
        expect((await pullRaw(worker(), asking(source, { log_url: `${places.url}/log?t=1` }))).status).toBe(
          200,
        );
        for (const stream of ['stdout', 'stderr']) {
          const posts = to('/log').filter(({ query }) => query.get('stream') === stream);
          expect(posts.map(({ query }) => Number(query.get('seq')))).toEqual(
            posts.map((_one, index) => index),
          );
          expect(posts.every(({ query }) => query.get('t') === '1')).toBe(true);
          const text = posts.map(({ body }) => body.toString()).join('');
          expect(text).toBe([0, 1, 2].map((i) => `${stream.slice(3)} ${i}\n`).join(''));
        }
        const bundle = await bundleOf(to('/upload')[0]?.body ?? Buffer.alloc(0));
        expect(bundle.stdout).toBe('out 0\nout 1\nout 2\n');
      });

      it('a log address that fails does not delay the run', async () => {
        good();
        places.on('/log', (request) => void request.socket.destroy());
        expect((await pullRaw(worker(), asking('print(1)', { log_url: `${places.url}/log` }))).status).toBe(
          200,
        );
      });
    });
  });
}
