import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../src-shared/wire/worker/protocol.ts';
import type { NewBuild } from './build.ts';
import { BuildRefusal, LEASE_LOST, OutputProblem } from './buildRefusal.ts';
import { createBuilds } from './builds.ts';
import { ChunkOrder } from './chunkOrder.ts';

const never = new AbortController().signal;
let dir = '';
let atMs = 1_000_000;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'builds-'));
  atMs = 1_000_000;
});
afterEach(() => rm(dir, { recursive: true }));

const DONE = { output_format: BUNDLE_FORMAT };
const body = (text: string, declaredBytes: number | null = text.length) => ({
  stream: Readable.from([Buffer.from(text)]),
  declaredBytes,
});
const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams);

async function startedBuild(changes: Partial<NewBuild> = {}, maxOutputBytes = 100) {
  const builds = createBuilds({ secret: 's', expirySeconds: 600, maxOutputBytes, now: () => atMs });
  builds.setAddress('http://127.0.0.1:7/base/');
  const events: string[] = [];
  const build = await builds.begin(
    {
      notebookId: 'n',
      metadata: { executor_ref: NOTEBOOK_CELL_REF, params: { source: 'x' } },
      inputs: [{ artifactId: 'in', version: 3, path: join(dir, 'in') }],
      serverUrl: null,
      lifetimeSeconds: 10,
      dir: join(dir, 'build'),
      accept: async (file) => void events.push(await readFile(file, 'utf8')),
      onConsole: (stream, chunk) => void events.push(`${stream}:${chunk.toString()}`),
      ...changes,
    },
    never,
  );
  if (build === null) throw new Error('no build started');
  const { manifest, buildId } = build;
  const upload = (text = 'out', from = manifest) => builds.upload(queryOf(from.output.url), body(text));
  const finalize = async (from = manifest, said: unknown = DONE) =>
    builds.finalize(buildId, queryOf(from.finalize_url), said);
  return { builds, build, manifest, seen: events, upload, finalize };
}

const refused = (status: number, message: string | RegExp) =>
  expect.objectContaining({
    status,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });

it.each([
  [600, 'given', 1600],
  [60, 'expired', 1060],
])(
  '[DP-103] an address is good for SVC_SIGNED_URL_EXPIRY_SECONDS: %s',
  async (expirySeconds, outcome, expiresAt) => {
    const builds = createBuilds({ secret: 's', expirySeconds, maxOutputBytes: 100, now: () => atMs });
    builds.setAddress('http://127.0.0.1:7/');
    const build = await builds.begin(
      {
        notebookId: 'n',
        metadata: { executor_ref: NOTEBOOK_CELL_REF, params: { source: 'x' } },
        inputs: [{ artifactId: 'in', version: 3, path: join(dir, 'in') }],
        serverUrl: null,
        lifetimeSeconds: 10,
        dir: join(dir, 'build'),
        accept: async () => undefined,
        onConsole: () => undefined,
      },
      never,
    );
    const [input] = build?.manifest.inputs ?? [];
    expect(input?.expires_at).toBe(expiresAt);
    atMs += 61_000;
    const answer = await builds.download(queryOf(input?.url ?? '')).then(
      () => 'given',
      (error: Error) => (/expired/.test(error.message) ? 'expired' : error.message),
    );
    expect(answer).toBe(outcome);
    await build?.release();
  },
);

it.each([
  ['s', 404],
  ['other', 403],
])(
  '[DP-103] an address is valid on servers with the same SVC_TRANSFORM_SIGNING_SECRET: %s answers %s',
  async (secret, status) => {
    const { manifest } = await startedBuild();
    const sister = createBuilds({ secret, expirySeconds: 600, maxOutputBytes: 100, now: () => atMs });
    // With the secret, the signature is valid but the build is unknown.
    const rejected = sister.download(queryOf(manifest.inputs[0]?.url ?? ''));
    await expect(rejected).rejects.toMatchObject({ status });
  },
);

describe('[BU-4] a build from start to end', () => {
  it('serves the inputs, accepts the output, and publishes it once', async () => {
    const { builds, build, manifest, seen, upload, finalize } = await startedBuild();
    expect(manifest).toMatchObject({
      build_id: build.buildId,
      metadata: { build_id: build.buildId, artifact_id: `nb_remote_n_${build.buildId}`, version: 1 },
      inputs: [{ artifact_id: 'in', version: 3, expires_at: 1600 }],
      output: { max_bytes: 100, method: 'POST', expires_at: 1600 },
    });
    expect(manifest.output.url.startsWith('http://127.0.0.1:7/base/v1/artifacts/upload?')).toBe(true);
    expect(await builds.download(queryOf(manifest.inputs[0]?.url ?? ''))).toBe(join(dir, 'in'));
    expect(await upload()).toEqual({ status: 'uploaded', build_id: build.buildId, byte_size: 3 });
    const [first, second] = await Promise.all([finalize(), finalize()]);
    expect([first, await finalize()]).toEqual([second, second]);
    expect(first).toEqual({
      status: 'finalized',
      build_id: build.buildId,
      artifact_uri: `svc://artifact/nb_remote_n_${build.buildId}@v=1`,
      byte_size: 3,
      row_count: null,
    });
    expect([seen, await build.ended, (await builds.status(build.buildId))?.state]).toEqual([
      ['out'],
      { state: 'ready' },
      'ready',
    ]);
  });

  it.each([
    ['nothing uploaded', null, {}, 400, 'MISSING_OUTPUT_BLOB'],
    [
      'no bundle',
      'out',
      { accept: () => Promise.reject(new OutputProblem('It is no bundle.')) },
      400,
      'INVALID_NOTEBOOK_BUNDLE',
    ],
  ])('%s fails the build', async (_name, text, changes, status, code) => {
    const { build, builds, upload, finalize } = await startedBuild(changes);
    if (text !== null) await upload(text);
    await expect(finalize()).rejects.toMatchObject({ status, code });
    expect(await build.ended).toMatchObject({ state: 'failed', code });
    expect(await builds.status(build.buildId)).toMatchObject({ state: 'failed', error_code: code });
    await expect(upload()).rejects.toEqual(refused(409, LEASE_LOST));
  });

  it('an output of another format is not read', async () => {
    const { upload, finalize, build } = await startedBuild();
    await upload();
    await expect(finalize(undefined, { output_format: 'arrow' })).rejects.toEqual(refused(400, /Invalid/));
    expect(build.end()).toBeNull();
  });

  it("a failing disk is not the worker's fault, but also ends the build", async () => {
    const { build, upload, finalize } = await startedBuild({
      accept: () => Promise.reject(new Error('ENOSPC')),
    });
    await upload();
    await expect(finalize()).rejects.toThrow('ENOSPC');
    expect(await build.ended).toMatchObject({ code: 'BUILD_FAILED' });
  });

  it('if it is abandoned while its output is read, nothing is published', async () => {
    const [reached, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const accept = (): Promise<void> => {
      reached.resolve();
      return read.promise;
    };
    const { build, upload, finalize } = await startedBuild({ accept });
    await upload();
    const finalizing = finalize();
    await reached.promise;
    build.giveUp('CANCELLED', 'stopped');
    read.resolve();
    await expect(finalizing).rejects.toEqual(refused(409, LEASE_LOST));
    expect(build.end()).toMatchObject({ code: 'CANCELLED' });
  });

  it('without a listening server, no build starts', async () => {
    const builds = createBuilds({ secret: null, expirySeconds: 1, maxOutputBytes: 1 });
    const { build } = await startedBuild();
    expect(build.state()).toBe('building');
    expect(await builds.begin({ serverUrl: null } as NewBuild, never)).toBeNull();
  });
});

describe('[BU-3] uploads', () => {
  it('an output that is too long ends the build, declared or measured', async () => {
    for (const declared of [101, null]) {
      const { builds, build, manifest } = await startedBuild();
      const rejected = builds.upload(queryOf(manifest.output.url), body('x'.repeat(101), declared));
      await expect(rejected).rejects.toMatchObject({ status: 413, code: 'OUTPUT_TOO_LARGE' });
      expect(await build.ended).toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
    }
  });

  it('an interrupted upload does not affect the previous output, and leaves no file', async () => {
    const { builds, manifest, upload, finalize, seen } = await startedBuild();
    await upload('whole');
    const cutUpload = builds.upload(queryOf(manifest.output.url), body('hal', 99));
    await expect(cutUpload).rejects.toEqual(refused(400, 'The upload was interrupted'));
    expect(await readdir(join(dir, 'build'))).toEqual(['bundle.tar']);
    await finalize();
    expect(seen).toEqual(['whole']);
  });
});

describe('[BU-19] one upload at a time', () => {
  const endless = () => new Readable({ read: () => undefined });
  it('a newer one replaces the current one', async () => {
    const { builds, manifest, upload, finalize, seen } = await startedBuild();
    const query = queryOf(manifest.output.url);
    const streams = [endless(), endless(), endless()];
    const first = streams.map((stream) =>
      builds.upload(query, { stream, declaredBytes: null }).catch((error: unknown) => error),
    );
    await upload('newest');
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
    expect(await Promise.all(first)).toEqual(first.map(() => refused(400, 'The upload was interrupted')));
    expect(await readdir(join(dir, 'build'))).toEqual(['bundle.tar']);
    await finalize();
    expect(seen).toEqual(['newest']);
  });

  it('none is accepted after the build has ended', async () => {
    const { builds, build, manifest } = await startedBuild();
    const stream = endless();
    const under = builds.upload(queryOf(manifest.output.url), { stream, declaredBytes: null });
    const brokenOff = expect(under).rejects.toEqual(refused(400, 'The upload was interrupted'));
    await expect.poll(() => readdir(join(dir, 'build'))).toHaveLength(1);
    build.giveUp('CANCELLED', 'nobody wants it');
    await brokenOff;
  });
});

describe('[BU-5] leases', () => {
  it('a new manifest invalidates the earlier URLs', async () => {
    const { builds, build, manifest, upload, finalize } = await startedBuild();
    const renewed = [];
    for (let at = 0; at < 5; at += 1) renewed.push(await builds.manifest(build.buildId));
    const last = renewed.pop() ?? manifest;
    for (const old of [manifest, ...renewed]) {
      await expect(upload('x', old)).rejects.toEqual(refused(409, LEASE_LOST));
      await expect(finalize(old)).rejects.toEqual(refused(409, LEASE_LOST));
    }
    expect(await upload('new', last)).toMatchObject({ byte_size: 3 });
    expect(await finalize(last)).toMatchObject({ status: 'finalized' });
    await expect(builds.manifest(build.buildId)).rejects.toEqual(refused(400, /ready/));
    await expect(builds.manifest('nobody')).rejects.toEqual(refused(404, 'Build not found'));
  });

  it('an upload in progress when the lease is lost is discarded', async () => {
    const { builds, build, manifest } = await startedBuild();
    const stream = new Readable({ read: () => undefined });
    const under = builds.upload(queryOf(manifest.output.url), { stream, declaredBytes: null });
    await builds.manifest(build.buildId);
    stream.push('late');
    stream.push(null);
    await expect(under).rejects.toEqual(refused(409, LEASE_LOST));
    expect(await readdir(join(dir, 'build'))).toEqual([]);
  });
});

describe('[BU-2] refused requests', () => {
  it.each([
    ['without a signature', { signature: '' }, 400],
    ['with an invalid time', { expires_at: 'soon' }, 400],
    ['with another time', { expires_at: '9999.5' }, 403],
    ['for another build', { build_id: 'b2' }, 403],
    ['for more bytes', { max_bytes: '1000000' }, 403],
    ['for another attempt', { attempt: 'ff' }, 403],
  ])('an upload %s', async (_name, changes, status) => {
    const { builds, manifest } = await startedBuild();
    const query = { ...queryOf(manifest.output.url), ...changes };
    await expect(builds.upload(query, body('x'))).rejects.toMatchObject({ status });
  });

  it('an input of another build, of none, or after its expiry', async () => {
    const { builds, manifest } = await startedBuild();
    const query = queryOf(manifest.inputs[0]?.url ?? '');
    await expect(builds.download({ ...query, artifact_id: 'other' })).rejects.toEqual(
      refused(403, /signature/),
    );
    atMs = 1_600_001;
    await expect(builds.download(query)).rejects.toEqual(refused(403, /expired/));
  });
});

describe('[BU-6] the console', () => {
  it('is shown to the creator of the build, and not after its end', async () => {
    const { builds, build, manifest, seen } = await startedBuild();
    const query = queryOf(manifest.log_url ?? '');
    const log = (more: object, text: string) =>
      builds.log(build.buildId, { ...query, ...more }, Buffer.from(text));
    expect(await log({ seq: '1' }, 'b')).toEqual({ delivered: true });
    await log({ seq: '0' }, 'a');
    await log({ seq: '0', stream: 'stderr' }, 'e');
    expect(seen).toEqual(['stdout:a', 'stdout:b', 'stderr:e']);
    await expect(log({}, 'x')).rejects.toEqual(refused(400, 'Invalid parameter format'));
    await expect(log({ seq: '-1' }, 'x')).rejects.toThrow(BuildRefusal);
    build.giveUp('CANCELLED', '');
    expect(await log({ seq: '2' }, 'c')).toEqual({ delivered: false });
  });

  it('chunks that arrive in any order within the window are shown in order', async () => {
    const order = fc.array(fc.nat(70), { maxLength: 200 });
    fc.assert(
      fc.property(order, (numbers) => {
        const chunks = new ChunkOrder();
        const shown = numbers.flatMap((seq) => chunks.take(seq, Buffer.from([seq]))).map((chunk) => chunk[0]);
        const first = new Set(numbers);
        let whole = 0;
        while (first.has(whole)) whole += 1;
        expect(shown).toEqual(Array.from({ length: shown.length }, (_, i) => i));
        // At most 64 chunks wait, and at most 70 can be early here, so chunks may be lost only if more than
        // 64 arrived.
        if (first.size <= 64) expect(shown.length).toBe(whole);
      }),
    );
  });
});

it('a local file is served by its path', async () => {
  await writeFile(join(dir, 'in'), 'bytes');
  const { builds, manifest } = await startedBuild();
  expect(await readFile(await builds.download(queryOf(manifest.inputs[0]?.url ?? '')), 'utf8')).toBe('bytes');
});
