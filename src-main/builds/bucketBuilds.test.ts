/** Builds of remote workers whose inputs and output go through a bucket. The bucket is a fake in memory. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../src-shared/wire/worker/protocol.ts';
import type { PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import { BlobProblem, type BlobStore } from '../artifacts/blobStore.ts';
import { createBuilds } from './builds.ts';

const never = new AbortController().signal;
let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bucket-builds-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(dir, { recursive: true });
});

/** A bucket in memory; `put` uploads to a signed address, as a worker does. */
function bucket() {
  const objects = new Map<string, string>();
  let broken: string | null = null;
  const well = (): void => {
    if (broken !== null) throw new BlobProblem(broken);
  };
  const store: BlobStore = {
    place: 'mem://b/p',
    async put(name, file) {
      well();
      objects.set(name, await readFile(file, 'utf8'));
    },
    async lookUp(name) {
      well();
      const object = objects.get(name);
      return object === undefined ? null : { bytes: object.length, etag: object };
    },
    async fetch(name, { etag }, file) {
      if (objects.get(name) !== etag) throw new BlobProblem(`${name} was changed while it was being copied.`);
      await writeFile(file, etag, { flag: 'wx' });
    },
    async remove(name) {
      well();
      objects.delete(name);
    },
    goodUntil: async (requested) => Math.min(requested, Date.now() / 1000 + 604_800),
    signRead: async (name) => `mem:${name}`,
    signUpload: async (name) => ({ url: `mem:${name}`, method: 'POST', fields: { key: name } }),
  };
  return {
    store,
    objects,
    /** Makes all calls fail with the message, until it is called with null. */
    break: (message: string | null) => {
      broken = message;
    },
    upload: ({ output }: PullRequestInput, text: string) => void objects.set(output.url.slice(4), text),
  };
}

async function startedBuild(maxOutputBytes = 100) {
  const there = bucket();
  const left: string[] = [];
  const builds = createBuilds({
    secret: 's',
    expirySeconds: 600,
    maxOutputBytes,
    bucket: there.store,
    onLeft: (message) => left.push(message),
  });
  builds.setAddress('http://127.0.0.1:7');
  const outputs: string[] = [];
  await writeFile(join(dir, 'in'), 'input');
  const inputs = [1, 2].map((version) => ({ artifactId: 'in', version, path: join(dir, 'in') }));
  const begin = () =>
    builds.begin(
      {
        notebookId: 'n',
        metadata: { executor_ref: NOTEBOOK_CELL_REF, params: { source: 'x' } },
        inputs,
        serverUrl: null,
        lifetimeSeconds: 10,
        dir: join(dir, 'build'),
        accept: async (file) => void outputs.push(await readFile(file, 'utf8')),
        onConsole: () => undefined,
      },
      never,
    );
  const finalize = async (manifest: PullRequestInput) =>
    builds.finalize(
      manifest.build_id ?? '',
      Object.fromEntries(new URL(manifest.finalize_url).searchParams),
      { output_format: BUNDLE_FORMAT },
    );
  return { there, left, builds, seen: outputs, begin, finalize };
}
type World = Awaited<ReturnType<typeof startedBuild>>;

async function one(world: World) {
  const build = await world.begin();
  if (build === null) throw new Error('no build started');
  return build;
}

describe('[BU-15] a build whose bytes are transferred through a bucket', () => {
  it('gets its inputs there, is published from there, and leaves nothing there', async () => {
    const world = await startedBuild();
    const { manifest, buildId, ended } = await one(world);
    expect([...world.there.objects].sort()).toEqual(
      [0, 1].map((at) => [`builds/${buildId}/input-${at}`, 'input']),
    );
    expect(manifest.inputs.map(({ url }) => url)).toEqual(
      [...world.there.objects.keys()].sort().map((key) => `mem:${key}`),
    );
    expect(manifest.output).toMatchObject({
      url: `mem:nb_remote_n_${buildId}@v=1.arrow`,
      method: 'POST',
      max_bytes: 100,
      fields: { key: `nb_remote_n_${buildId}@v=1.arrow` },
    });
    for (const url of [manifest.finalize_url, manifest.log_url ?? ''])
      expect(url).toMatch(/^http:\/\/127.0.0.1:7\//);
    world.there.upload(manifest, 'bundle');
    const first = await world.finalize(manifest);
    expect([first, world.seen, await ended]).toEqual([
      expect.objectContaining({ status: 'finalized', byte_size: 6 }),
      ['bundle'],
      { state: 'ready' },
    ]);
    expect(await world.finalize(manifest)).toEqual(first);
    await expect.poll(() => [...world.there.objects]).toEqual([]);
  });

  it.each([
    ['nothing was uploaded', null, 400, 'MISSING_OUTPUT_BLOB'],
    ['more was uploaded than is allowed', 'x'.repeat(101), 413, 'OUTPUT_TOO_LARGE'],
  ])('if %s it fails with a code', async (_name, text, status, code) => {
    const world = await startedBuild();
    const { manifest, ended } = await one(world);
    if (text !== null) world.there.upload(manifest, text);
    await expect(world.finalize(manifest)).rejects.toMatchObject({ status, code });
    expect(await ended).toMatchObject({ state: 'failed', code });
    expect(world.seen).toEqual([]);
  });

  it("[BU-5] a lease uploads under its own name: an earlier lease's upload is never read", async () => {
    const world = await startedBuild();
    const { manifest, buildId } = await one(world);
    const second = await world.builds.manifest(buildId);
    expect(second.output.url).toMatch(/^mem:nb_remote_n_nbbuild-[0-9a-f]+~[0-9a-f]{32}@v=1\.arrow$/);
    world.there.upload(second, 'new');
    world.there.upload(manifest, 'old');
    await expect(world.finalize(manifest)).rejects.toMatchObject({ status: 409 });
    await world.finalize(second);
    expect(world.seen).toEqual(['new']);
    await expect.poll(() => [...world.there.objects]).toEqual([]);
  });

  it('a bucket that is temporarily unavailable fails nothing: finalize is called again', async () => {
    const world = await startedBuild();
    const build = await one(world);
    world.there.upload(build.manifest, 'bundle');
    world.there.break('mem://b cannot be read now: ECONNREFUSED.');
    await expect(world.finalize(build.manifest)).rejects.toMatchObject({
      status: 503,
      message: 'mem://b cannot be read now: ECONNREFUSED.',
    });
    expect(build.end()).toBeNull();
    world.there.break(null);
    expect(await world.finalize(build.manifest)).toMatchObject({ byte_size: 6 });
  });

  it('if inputs cannot be uploaded, no build starts; leftovers that could not be removed are reported', async () => {
    const world = await startedBuild();
    world.there.break('There is no mem://b (404 NoSuchBucket).');
    await expect(world.begin()).rejects.toMatchObject({ name: 'BlobProblem', message: /NoSuchBucket/ });
    await expect
      .poll(() => world.left)
      .toEqual([expect.stringMatching(/may be left in mem:\/\/b\/p.*NoSuchBucket/)]);
  });

  it('an upload after the end, with a still valid address, is deleted when the address expires', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
    const world = await startedBuild();
    const { manifest, giveUp } = await one(world);
    giveUp('CANCELLED', 'stopped');
    world.there.upload(manifest, 'late');
    await vi.advanceTimersByTimeAsync(600_000);
    expect([...world.there.objects.values()]).toEqual(['late']);
    await vi.advanceTimersByTimeAsync(61_000);
    expect([...world.there.objects]).toEqual([]);
  });
});
