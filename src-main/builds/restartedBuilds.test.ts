/**
 * Builds that outlive their server: what a later server on the same folder accepts, refuses, issues again and
 * deletes.
 */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../src-shared/wire/worker/protocol.ts';
import type { PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import { createStoredBuilds } from '../artifacts/storedBuilds.ts';
import { OutputProblem } from './buildRefusal.ts';
import { type Builds, createBuilds } from './builds.ts';

const never = new AbortController().signal;
let dir = '';
let atMs = 0;
let alive: Set<string>;
let opened: Builds[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'restarted-builds-'));
  atMs = 1_000_000_000;
  alive = new Set();
  opened = [];
});
afterEach(async () => {
  for (const builds of opened) await builds.close();
  await rm(dir, { recursive: true });
});

/** A server with that name; the others treat servers that are not in `alive` as ended. */
function server(name: string, secret: string | null = null): Builds {
  alive.add(name);
  const builds = createBuilds({
    secret,
    expirySeconds: 600,
    maxOutputBytes: 100,
    now: () => atMs,
    buildStore: {
      rows: createStoredBuilds(join(dir, 'artifacts')),
      dir: join(dir, 'artifacts/builds'),
      owner: name,
      ownerMayLive: (other) => alive.has(other),
      check: async (file) => {
        if ((await readFile(file, 'utf8')) === 'bad') throw new OutputProblem('It is no bundle.');
      },
      zombieSeconds: 3600,
      onProblem: (message) => expect.fail(message),
    },
  });
  builds.setAddress('http://127.0.0.1:7');
  opened.push(builds);
  return builds;
}

async function begin(builds: Builds, env: Readonly<Record<string, string>> = {}) {
  await writeFile(join(dir, 'in'), 'input');
  const build = await builds.begin(
    {
      notebookId: 'n',
      metadata: {
        executor_ref: NOTEBOOK_CELL_REF,
        params: { source: 'x', env, timeout_seconds: 7, cell_name: 'a' },
        notebook_id: 'n',
        cell_id: 'c',
        cell_provenance_hash: 'p',
        origin: 'notebook' as const,
      },
      inputs: [{ artifactId: 'in', version: 3, path: join(dir, 'in') }],
      serverUrl: null,
      lifetimeSeconds: 10,
      dir: join(dir, 'unused'),
      accept: async () => undefined,
      onConsole: () => undefined,
    },
    never,
  );
  if (build === null) throw new Error('no build started');
  return build;
}

const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams);
const upload = (builds: Builds, { output }: PullRequestInput, text = 'bundle') =>
  builds.upload(queryOf(output.url), { stream: Readable.from([Buffer.from(text)]), declaredBytes: null });
const finalize = (builds: Builds, manifest: PullRequestInput) =>
  builds.finalize(manifest.build_id ?? '', queryOf(manifest.finalize_url), { output_format: BUNDLE_FORMAT });

describe.each([null, 'a-stable-secret'])('[BU-16] a build whose server ended (secret %s)', (secret) => {
  it('can be delivered to the next server at the old addresses, and is accepted once', async () => {
    const { manifest, buildId } = await begin(server('one', secret));
    alive.delete('one');
    const two = server('two', secret);
    expect(await readFile(await two.download(queryOf(manifest.inputs[0]?.url ?? '')), 'utf8')).toBe('input');
    expect(await upload(two, manifest)).toMatchObject({ byte_size: 6 });
    expect(
      await two.log(buildId, { ...queryOf(manifest.log_url ?? ''), seq: '0' }, Buffer.from('x')),
    ).toEqual({
      delivered: false,
    });
    const answer = await finalize(two, manifest);
    expect(answer).toMatchObject({ status: 'finalized', byte_size: 6 });
    alive.delete('two');
    const three = server('three', secret);
    expect([await three.status(buildId), await finalize(three, manifest)]).toEqual([
      expect.objectContaining({ state: 'ready', created_at: 1_000_000, completed_at: 1_000_000 }),
      answer,
    ]);
    const left = await three.left(buildId);
    expect([await left?.ended, await readFile(left?.file ?? '', 'utf8')]).toEqual([
      { state: 'ready' },
      'bundle',
    ]);
    await left?.release();
    expect([await three.left(buildId), await readdir(join(dir, 'artifacts/builds'))]).toEqual([null, []]);
  });
});

describe('[BU-16] state that a restart does not change', () => {
  it('an upload from before a restart is finalized after it; a bad one fails permanently', async () => {
    const one = server('one');
    const [good, bad] = [await begin(one), await begin(one)];
    await upload(one, good.manifest);
    await upload(one, bad.manifest, 'bad');
    alive.delete('one');
    const two = server('two');
    expect(await finalize(two, good.manifest)).toMatchObject({ status: 'finalized' });
    await expect(finalize(two, bad.manifest)).rejects.toMatchObject({ code: 'INVALID_NOTEBOOK_BUNDLE' });
    alive.delete('two');
    const three = server('three');
    expect(await three.status(bad.buildId)).toMatchObject({
      state: 'failed',
      error_code: 'INVALID_NOTEBOOK_BUNDLE',
      error_message: 'It is no bundle.',
    });
    await expect(finalize(three, bad.manifest)).rejects.toMatchObject({ status: 409 });
    expect(await three.left(bad.buildId)).toBeNull();
  });

  it('[BU-5] a manifest is issued again, unchanged, and the earlier leases are invalid', async () => {
    const one = server('one');
    const first = await begin(one);
    const second = await one.manifest(first.buildId);
    alive.delete('one');
    const two = server('two');
    const third = await two.manifest(first.buildId);
    expect(third.metadata).toMatchObject({ ...first.manifest.metadata, notebook_id: 'n', cell_id: 'c' });
    expect(third.inputs.map(({ artifact_id, version }) => [artifact_id, version])).toEqual([['in', 3]]);
    for (const manifest of [first.manifest, second]) {
      await expect(upload(two, manifest)).rejects.toMatchObject({ status: 409 });
      await expect(finalize(two, manifest)).rejects.toMatchObject({ status: 409 });
    }
    alive.delete('two');
    // After a second restart the result is the same.
    const three = server('three');
    const fourth = await three.manifest(first.buildId);
    expect({ ...fourth.metadata }).toEqual(third.metadata);
    await expect(upload(three, third)).rejects.toMatchObject({ status: 409 });
    await upload(three, fourth);
    expect(await finalize(three, fourth)).toMatchObject({ status: 'finalized' });
    await expect(three.manifest(first.buildId)).rejects.toMatchObject({ status: 400 });
  });

  it('[BU-5] for a cell with environment variables the earlier lease is valid until it expires: no new one is issued', async () => {
    const one = server('one');
    const { manifest, buildId } = await begin(one, { API_KEY: 'value-of-the-key' });
    const second = await one.manifest(buildId);
    alive.delete('one');
    const two = server('two');
    await expect(upload(two, manifest)).rejects.toMatchObject({ status: 409 });
    await expect(finalize(two, manifest)).rejects.toMatchObject({ status: 409 });
    await expect(two.manifest(buildId)).rejects.toMatchObject({ status: 409, message: /leased again/ });
    expect(await upload(two, second)).toMatchObject({ byte_size: 6 });
    expect(await finalize(two, second)).toMatchObject({ status: 'finalized' });
  });

  it('[BU-2] an expired address, another signature and another build are refused', async () => {
    const { manifest, buildId } = await begin(server('one'));
    alive.delete('one');
    const two = server('two');
    const query = queryOf(manifest.finalize_url);
    await expect(two.finalize(buildId, { ...query, signature: 'x' }, {})).rejects.toMatchObject({
      status: 403,
    });
    await expect(two.finalize('nbbuild-000000000000', query, {})).rejects.toMatchObject({ status: 403 });
    atMs += 601_000;
    await expect(finalize(two, manifest)).rejects.toMatchObject({ status: 403 });
    await expect(upload(two, manifest)).rejects.toMatchObject({ status: 403 });
  });

  it('a build of a running server cannot be taken over', async () => {
    const { manifest, buildId } = await begin(server('one', 's'));
    const two = server('two', 's');
    expect([await two.status(buildId), await two.left(buildId)]).toEqual([null, null]);
    await expect(upload(two, manifest)).rejects.toMatchObject({ status: 404 });
  });

  it('many concurrent requests load a build once', async () => {
    const { manifest, buildId } = await begin(server('one'));
    alive.delete('one');
    const two = server('two');
    await upload(two, manifest);
    const answers = await Promise.all([1, 2, 3].map(() => finalize(two, manifest)));
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await Promise.all([1, 2].map(() => two.status(buildId)))).toHaveLength(2);
  });

  it('neither values of an environment nor a configured secret are stored', async () => {
    await begin(server('one', 'told-to-the-server'), { API_KEY: 'value-of-the-key' });
    const files = await readdir(join(dir, 'artifacts'));
    const texts = await Promise.all(
      files.map((file) => readFile(join(dir, 'artifacts', file), 'latin1').catch(() => '')),
    );
    expect(texts.join('')).toContain('API_KEY');
    expect(texts.join('')).not.toMatch(/value-of-the-key|told-to-the-server/);
  });

  it('abandoned builds fail, and old ones are deleted with their folders', async () => {
    const one = server('one');
    const [open, ready] = [await begin(one), await begin(one)];
    await upload(one, ready.manifest);
    await finalize(one, ready.manifest);
    const rows = createStoredBuilds(join(dir, 'artifacts'));
    alive.delete('one');
    const two = server('two');
    await two.sweep();
    expect((await rows.all()).map(({ state }) => state)).toEqual(['building', 'ready']);
    atMs += 3_601_000;
    await two.sweep();
    expect(
      (await rows.all()).map(({ buildId, state, errorMessage }) => [buildId, state, errorMessage]),
    ).toEqual([
      [
        open.buildId,
        'failed',
        'The server that started the build ended, and no result was delivered in time',
      ],
    ]);
    expect(await readdir(join(dir, 'artifacts/builds'))).toEqual([]);
    atMs += 3_601_000;
    await two.sweep();
    expect(await rows.all()).toEqual([]);
    await rows.close();
  });
});
