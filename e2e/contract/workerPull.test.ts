import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../src-main/exec/outputBundle/readBundle.ts';
import { startTestWorker } from '../../src-main/worker/testWorker.ts';
import { answering, openSignedPlaces, type SignedPlaces } from '../conformance/signedPlaces.ts';
import { cancel, envelope, freshFolder, pullRaw, push, removeFolders } from '../conformance/workerCalls.ts';

const MAX_INPUT = 100_000;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
let places: SignedPlaces;

beforeAll(async () => {
  worker = await startTestWorker({
    SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1',
    SVC_WORKER_MAX_INPUT_BYTES: String(MAX_INPUT),
    SVC_WORKER_MAX_CONCURRENT: '1',
  });
  places = await openSignedPlaces();
});
afterEach(() => {
  places.received.length = 0;
});
afterAll(async () => {
  await worker.close();
  await places.close();
  await removeFolders();
});

const at = () => ({ url: worker.url, token: null });

function manifest(
  source: string,
  { output = {}, ...more }: { inputs?: Record<string, string>; output?: object; [key: string]: unknown } = {},
): string {
  const inputs = more.inputs ?? {};
  delete more.inputs;
  return JSON.stringify({
    build_id: 'nbbuild-1',
    metadata: {
      build_id: 'nbbuild-1',
      executor_ref: 'notebook_cell@v1',
      params: {
        source,
        timeout_seconds: 30,
        mounts: [],
        env: {},
        input_specs: Object.fromEntries(
          Object.keys(inputs).map((name) => [
            name,
            { uri: `svc://artifact/in_${name}@v=1`, content_type: 'json/object' },
          ]),
        ),
      },
      notebook_id: 'n',
      cell_id: 'c',
      origin: 'notebook',
    },
    inputs: Object.entries(inputs).map(([name, url]) => ({
      artifact_id: `in_${name}`,
      version: 1,
      url,
      expires_at: 4e9,
    })),
    output: { url: `${places.url}/upload?sig=1`, max_bytes: 1e9, expires_at: 4e9, method: 'POST', ...output },
    finalize_url: `${places.url}/finalize?sig=2`,
    ...more,
  });
}

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
  it('by plain POST, and says what the server said', async () => {
    good();
    const { status, body } = await pullRaw(
      at(),
      manifest('y = x + 1', { inputs: { x: `${places.url}/in?sig=0` } }),
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

  it('by PUT with the headers given; and under /execute', async () => {
    good();
    places.on('/upload', answering(201));
    const output = { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' } };
    expect((await pullRaw(at(), manifest('x = 1', { output }), '/execute')).status).toBe(200);
    const [uploaded] = to('/upload');
    expect(uploaded).toMatchObject({ method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' } });
    expect(Number(uploaded?.headers['content-length'])).toBe(uploaded?.body.length);
    expect((await bundleOf(uploaded?.body ?? Buffer.alloc(0))).result.success).toBe(true);
  });

  it('by form: the fields, then the bundle as `file`', async () => {
    good();
    const output = { fields: { key: 'out/é.tar', policy: 'p' } };
    expect((await pullRaw(at(), manifest('x = 1', { output }))).status).toBe(200);
    const [uploaded] = to('/upload');
    const form = await new Response(new Uint8Array(uploaded?.body ?? Buffer.alloc(0)), {
      headers: { 'content-type': uploaded?.headers['content-type'] ?? '' },
    }).formData();
    expect([...form.keys()]).toEqual(['key', 'policy', 'file']);
    expect(form.get('key')).toBe('out/é.tar');
    const file = form.get('file');
    const bytes = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
    expect(file instanceof File && file.name).toBe('bundle.tar');
    expect((await bundleOf(bytes)).result.success).toBe(true);
  });

  it('a cell that raises is delivered too', async () => {
    good();
    expect((await pullRaw(at(), manifest('1 / 0'))).status).toBe(200);
    const bundle = await bundleOf(to('/upload')[0]?.body ?? Buffer.alloc(0));
    expect(bundle.result).toMatchObject({ success: false, error: 'ZeroDivisionError: division by zero' });
  });
});

describe('[WK-23] what goes wrong on the way', () => {
  const rows: readonly (readonly [string, () => void, number, RegExp])[] = [
    [
      'an input that is not there',
      () => places.on('/in', answering(404, 'gone')),
      502,
      /Downloading .*answered 404: gone/,
    ],
    [
      'an input behind a redirect',
      () =>
        places.on('/in', (_request, response) => void response.writeHead(302, { location: '/else' }).end()),
      502,
      /302, and redirects are not followed/,
    ],
    [
      'an input that is cut off',
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
      'an input declared too large',
      () =>
        places.on('/in', (_request, response) => {
          response.writeHead(200, { 'content-length': String(MAX_INPUT + 1) });
          response.flushHeaders();
        }),
      413,
      /exceeds 100000 bytes/,
    ],
    [
      'an input that turns out too large',
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
      /exceeds 100000 bytes/,
    ],
    [
      'an upload that is refused',
      () => places.on('/upload', answering(403, 'expired')),
      502,
      /Uploading .*403: expired/,
    ],
    [
      'an upload that is torn',
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
    ['a finalize that says nothing', () => places.on('/finalize', answering(200, 'ok')), 502, /not JSON/],
  ];
  it.each(rows)('%s', async (_name, arrange, status, words) => {
    good();
    arrange();
    const answer = await pullRaw(at(), manifest('y = x', { inputs: { x: `${places.url}/in?secret=1` } }));
    expect(answer.body?.['detail']).toMatch(words);
    expect(answer.body?.['detail']).not.toContain('secret');
    expect(answer.status).toBe(status);
    expect(await (await fetch(`${worker.url}/health`)).json()).toMatchObject({ active_executions: 0 });
  });

  it('a bundle larger than the place takes is not sent', async () => {
    good();
    const answer = await pullRaw(at(), manifest('x = 1', { output: { max_bytes: 100 } }));
    expect([answer.status, to('/upload').length]).toEqual([502, 0]);
  });

  it('an address that is not to be gone to, before anything is done', async () => {
    good();
    for (const more of [
      { inputs: { x: 'http://169.254.169.254/latest' } },
      { finalize_url: 'http://[::ffff:10.0.0.1]/' },
      { output: { url: 'http://localhost:1/' } },
      { log_url: 'file:///etc/passwd' },
    ]) {
      const answer = await pullRaw(at(), manifest('x = 1', more));
      expect([answer.status, String(answer.body?.['detail'])]).toEqual([
        400,
        expect.stringContaining('URL refused'),
      ]);
    }
    expect(places.received).toEqual([]);
  });

  it('[WK-20] a full worker refuses before any input is fetched', async () => {
    good();
    const long = push(at(), { ...envelope('import time\ntime.sleep(60)'), build_id: 'hold' });
    const busy = () => fetch(`${worker.url}/health`).then((response) => response.json());
    await expect.poll(busy).toMatchObject({ active_executions: 1, max_concurrent: 1 });
    const refused = await pullRaw(at(), manifest('y = x', { inputs: { x: `${places.url}/in` } }));
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      503,
      '5',
      { detail: 'Worker is running 1 of 1 executions' },
    ]);
    expect((await push(at(), envelope('x = 1'))).status).toBe(503);
    expect(places.received).toEqual([]);
    await expect.poll(() => cancel(at(), 'hold')).toMatchObject({ cancelled: true });
    expect((await long).body).toMatchObject({ success: false });
  });

  it('[WK-16] a cancel while an input is on its way is a 409; the cell never starts', async () => {
    good();
    const asked = new Promise<void>((done) => places.on('/in', () => done()));
    const answer = pullRaw(at(), manifest('y = x', { inputs: { x: `${places.url}/in` } }));
    await asked;
    expect(await cancel(at(), 'nbbuild-1')).toMatchObject({ cancelled: true });
    expect(await answer).toMatchObject({
      status: 409,
      body: { success: false, error: 'execution was cancelled', detail: 'execution was cancelled' },
    });
    expect(to('/upload')).toEqual([]);
  });
});

describe('[WK-24] the console is posted while the cell runs', () => {
  it('each stream in order, numbered from 0, and whole in the bundle', async () => {
    good();
    places.on('/log', answering(202, '{"delivered":true}'));
    const source =
      'import sys, time\nfor i in range(3):\n  print("out", i, flush=True)\n  print("err", i, file=sys.stderr, flush=True)\n  time.sleep(0.1)';
    expect((await pullRaw(at(), manifest(source, { log_url: `${places.url}/log?t=1` }))).status).toBe(200);
    for (const stream of ['stdout', 'stderr']) {
      const posts = to('/log').filter(({ query }) => query.get('stream') === stream);
      expect(posts.map(({ query }) => Number(query.get('seq')))).toEqual(posts.map((_one, index) => index));
      expect(posts.every(({ query }) => query.get('t') === '1')).toBe(true);
      const text = posts.map(({ body }) => body.toString()).join('');
      expect(text).toBe([0, 1, 2].map((i) => `${stream.slice(3)} ${i}\n`).join(''));
    }
    const bundle = await bundleOf(to('/upload')[0]?.body ?? Buffer.alloc(0));
    expect(bundle.stdout).toBe('out 0\nout 1\nout 2\n');
  });

  it('a listener that fails holds up nothing', async () => {
    good();
    places.on('/log', (request) => void request.socket.destroy());
    expect((await pullRaw(at(), manifest('print(1)', { log_url: `${places.url}/log` }))).status).toBe(200);
  });
});
