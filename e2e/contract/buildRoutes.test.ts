/**
 * Tests the routes of signed builds against their contracts and the OpenAPI document: valid calls and every documented
 * refusal.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlobProblem, type BlobStore } from '../../src-main/artifacts/blobStore.ts';
import type { Build } from '../../src-main/builds/build.ts';
import { type Builds, createBuilds } from '../../src-main/builds/builds.ts';
import { startTestServer, type TestServer } from '../../src-main/server/testing/testServer.ts';
import { BUILD_ROUTES } from '../../src-shared/wire/routes/builds.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { BUNDLE_FORMAT, NOTEBOOK_CELL_REF } from '../../src-shared/wire/worker/protocol.ts';
import { type DocumentCheck, documentCheck } from '../support/documented.ts';

type Name = keyof typeof BUILD_ROUTES;
const never = new AbortController().signal;
const MAX_OUTPUT = 1_000;
const DONE = JSON.stringify({ output_format: BUNDLE_FORMAT });
let dir = '';
let builds: Builds;
/** Another server with the same secret. */
let sister: Builds;
let server: TestServer;
const away: TestServer[] = [];
let check: DocumentCheck;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'build-routes-'));
  const limits = { secret: 'of-both', expirySeconds: 600, maxOutputBytes: MAX_OUTPUT };
  builds = createBuilds(limits);
  sister = createBuilds(limits);
  sister.setAddress('http://127.0.0.1:7');
  server = await startTestServer({ builds });
  check = await documentCheck(`http://127.0.0.1:${server.port}`);
});
afterAll(async () => {
  await server.close();
  await Promise.all(away.map((one) => one.close()));
  await rm(dir, { recursive: true });
});

async function begin(
  of = builds,
  lifetimeSeconds = 10,
  accept: () => Promise<void> = async () => undefined,
): Promise<Build> {
  await writeFile(join(dir, 'in'), 'input');
  const build = await of.begin(
    {
      notebookId: 'n',
      metadata: { executor_ref: NOTEBOOK_CELL_REF, params: { source: 'x' } },
      inputs: [
        { artifactId: 'in', version: 3, path: join(dir, 'in') },
        { artifactId: 'gone', version: 1, path: join(dir, 'not-there') },
      ],
      serverUrl: null,
      lifetimeSeconds,
      dir: await mkdtemp(join(dir, 'build-')),
      accept,
      onConsole: () => undefined,
    },
    never,
  );
  if (build === null) throw new Error('nothing begun');
  return build;
}

/** A request to a route, and the server it goes to. */
interface Asked {
  /** The address with its signed query, if it has one. */
  readonly url: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly at?: TestServer;
}

async function ask(name: Name, { url, body, at = server }: Asked) {
  const { pathname, search } = new URL(url);
  const { method, path }: RouteContract = BUILD_ROUTES[name];
  const response = await at.fetch(`${pathname}${search}`, {
    method,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type') ?? '';
  expect(check({ method, path, status: response.status, contentType, text })).toBeNull();
  return { status: response.status, text };
}

const own = (path: string): string => `http://own${path}`;
const inputOf = ({ manifest }: Build, at = 0): string => manifest.inputs[at]?.url ?? '';
const logOf = ({ manifest }: Build, seq: string): string => `${manifest.log_url}&seq=${seq}`;
const changed = (url: string, key: string, value: string): string => {
  const at = new URL(url);
  at.searchParams.set(key, value);
  return at.href;
};
async function uploaded(text = 'bundle'): Promise<Build> {
  const build = await begin();
  await ask('uploadArtifact', { url: build.manifest.output.url, body: text });
  return build;
}

const GOOD: Readonly<Record<Name, () => Promise<Asked>>> = {
  buildStatus: async () => ({ url: own(`/v1/builds/${(await begin()).buildId}`) }),
  artifactBuildStatus: async () => ({ url: own(`/v1/artifacts/builds/${(await begin()).buildId}`) }),
  buildManifest: async () => ({ url: own(`/v1/builds/${(await begin()).buildId}/manifest`) }),
  downloadArtifact: async () => ({ url: inputOf(await begin()) }),
  uploadArtifact: async () => ({ url: (await begin()).manifest.output.url, body: 'bundle' }),
  buildLog: async () => ({ url: logOf(await begin(), '0'), body: 'printed\n' }),
  finalizeBuild: async () => ({ url: (await uploaded()).manifest.finalize_url, body: DONE }),
};

/** A build whose bucket has become unreachable, and the server of the build. */
async function outOfReach(): Promise<{ readonly build: Build; readonly at: TestServer }> {
  let isAway = false;
  const unless = async <T>(value: T): Promise<T> => {
    if (isAway) throw new BlobProblem('mem://b cannot be read now: ECONNREFUSED.');
    return value;
  };
  const bucket: BlobStore = {
    place: 'mem://b',
    put: () => unless(undefined),
    lookUp: () => unless(null),
    fetch: () => unless(undefined),
    remove: () => unless(undefined),
    goodUntil: unless,
    signRead: () => unless('mem:x'),
    signUpload: () => unless({ url: 'mem:y', method: 'PUT' as const }),
  };
  const of = createBuilds({ secret: null, expirySeconds: 600, maxOutputBytes: 1, bucket });
  const at = await startTestServer({ builds: of });
  away.push(at);
  const build = await begin(of);
  isAway = true;
  return { build, at };
}

const endBuild = async (build: Build): Promise<Build> => {
  build.giveUp('CANCELLED', 'stopped');
  return build;
};
const UNKNOWN = 'nbbuild-000000000000';

/** Every refusal that a route documents. */
const REFUSED: readonly (readonly [Name, string, number, () => Promise<Asked>])[] = [
  ['buildStatus', 'unknown id', 404, async () => ({ url: own(`/v1/builds/${UNKNOWN}`) })],
  ['artifactBuildStatus', 'unknown id', 404, async () => ({ url: own('/v1/artifacts/builds/x') })],
  ['buildManifest', 'unknown id', 404, async () => ({ url: own(`/v1/builds/${UNKNOWN}/manifest`) })],
  [
    'buildManifest',
    'an ended build',
    400,
    async () => ({ url: own(`/v1/builds/${(await endBuild(await begin())).buildId}/manifest`) }),
  ],
  ['downloadArtifact', 'without a query', 400, async () => ({ url: own('/v1/artifacts/download') })],
  [
    'downloadArtifact',
    'an invalid version',
    400,
    async () => ({ url: changed(inputOf(await begin()), 'version', 'x') }),
  ],
  [
    'downloadArtifact',
    'a key given twice',
    400,
    async () => ({ url: `${inputOf(await begin())}&version=3` }),
  ],
  [
    'downloadArtifact',
    'the signature of another input',
    403,
    async () => ({ url: changed(inputOf(await begin()), 'artifact_id', 'gone') }),
  ],
  [
    'downloadArtifact',
    'a longer expiry than was signed',
    403,
    async () => ({ url: changed(inputOf(await begin()), 'expires_at', '9000000000.5') }),
  ],
  ['downloadArtifact', 'a deleted file', 404, async () => ({ url: inputOf(await begin(), 1) })],
  [
    'downloadArtifact',
    'a build that has ended',
    409,
    async () => ({ url: inputOf(await endBuild(await begin())) }),
  ],
  ['uploadArtifact', 'without a query', 400, async () => ({ url: own('/v1/artifacts/upload'), body: 'x' })],
  [
    'uploadArtifact',
    'more bytes than were signed',
    403,
    async () => ({ url: changed((await begin()).manifest.output.url, 'max_bytes', '99999'), body: 'x' }),
  ],
  [
    'uploadArtifact',
    'a build that has ended',
    409,
    async () => ({ url: (await endBuild(await begin())).manifest.output.url, body: 'x' }),
  ],
  [
    'uploadArtifact',
    'too long',
    413,
    async () => ({ url: (await begin()).manifest.output.url, body: 'x'.repeat(MAX_OUTPUT + 1) }),
  ],
  [
    'buildLog',
    'without a number',
    400,
    async () => ({ url: (await begin()).manifest.log_url ?? '', body: 'x' }),
  ],
  ['buildLog', 'a number below nothing', 400, async () => ({ url: logOf(await begin(), '-1'), body: 'x' })],
  [
    'buildLog',
    'another signature',
    403,
    async () => ({ url: changed(logOf(await begin(), '0'), 'signature', 'x'), body: 'x' }),
  ],
  [
    'finalizeBuild',
    'without a query',
    400,
    async () => ({ url: own(`/v1/builds/${UNKNOWN}/finalize`), body: DONE }),
  ],
  [
    'finalizeBuild',
    'a body that is no JSON',
    400,
    async () => ({ url: (await uploaded()).manifest.finalize_url, body: '{' }),
  ],
  [
    'finalizeBuild',
    'another format',
    400,
    async () => ({ url: (await uploaded()).manifest.finalize_url, body: '{"output_format":"arrow"}' }),
  ],
  [
    'finalizeBuild',
    'nothing was uploaded',
    400,
    async () => ({ url: (await begin()).manifest.finalize_url, body: DONE }),
  ],
  [
    'finalizeBuild',
    'the address of another build',
    403,
    async () => ({
      url: (await uploaded()).manifest.finalize_url.replace(/nbbuild-\w+/, UNKNOWN),
      body: DONE,
    }),
  ],
  [
    'finalizeBuild',
    'a cancelled build',
    409,
    async () => ({ url: (await endBuild(await uploaded())).manifest.finalize_url, body: DONE }),
  ],
  [
    'finalizeBuild',
    'an endless body',
    413,
    async () => ({ url: (await uploaded()).manifest.finalize_url, body: ' '.repeat(70_000) }),
  ],
  [
    'finalizeBuild',
    'a lease that another caller has taken over',
    409,
    async () => {
      const build = await uploaded();
      await builds.manifest(build.buildId);
      return { url: build.manifest.finalize_url, body: DONE };
    },
  ],
  ['downloadArtifact', 'a build of another server', 404, async () => ({ url: inputOf(await begin(sister)) })],
  [
    'uploadArtifact',
    'a build of another server',
    404,
    async () => ({ url: (await begin(sister)).manifest.output.url, body: 'x' }),
  ],
  [
    'finalizeBuild',
    'a build of another server',
    404,
    async () => ({ url: (await begin(sister)).manifest.finalize_url, body: DONE }),
  ],
  [
    'buildManifest',
    'a build that is being finalized',
    409,
    async () => {
      const reading = Promise.withResolvers<void>();
      const build = await begin(builds, 10, () => {
        reading.resolve();
        return new Promise(() => undefined);
      });
      await ask('uploadArtifact', { url: build.manifest.output.url, body: 'x' });
      const { pathname, search } = new URL(build.manifest.finalize_url);
      void server.fetch(`${pathname}${search}`, { method: 'POST', body: DONE }).catch(() => undefined);
      await reading.promise;
      return { url: own(`/v1/builds/${build.buildId}/manifest`) };
    },
  ],
  [
    'buildManifest',
    'an unreachable bucket',
    503,
    async () => {
      const { build, at } = await outOfReach();
      return { url: own(`/v1/builds/${build.buildId}/manifest`), at };
    },
  ],
  [
    'finalizeBuild',
    'an unreachable bucket',
    503,
    async () => {
      const { build, at } = await outOfReach();
      return { url: build.manifest.finalize_url, body: DONE, at };
    },
  ],
];

describe('[RE-30] the routes of builds follow their contracts', () => {
  it.each(Object.keys(GOOD) as Name[])('%s', async (name) => {
    const { status, text } = await ask(name, await GOOD[name]());
    const { statuses = [200], response }: RouteContract = BUILD_ROUTES[name];
    expect(statuses, text).toContain(status);
    if (response !== 'bytes') expect(response.safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it('[BU-4] repeating finalize returns the same reply, and a later upload is refused', async () => {
    const { manifest } = await uploaded();
    const first = await ask('finalizeBuild', { url: manifest.finalize_url, body: DONE });
    expect(await ask('finalizeBuild', { url: manifest.finalize_url, body: DONE })).toEqual(first);
    expect((await ask('uploadArtifact', { url: manifest.output.url, body: 'other' })).status).toBe(409);
  });

  it('[BU-2] an expired address is a 403 for every route that has one', async () => {
    let atMs = 1_000;
    const of = createBuilds({ secret: null, expirySeconds: 1, maxOutputBytes: 9, now: () => atMs });
    const at = await startTestServer({ builds: of });
    try {
      const build = await begin(of, 1);
      atMs += 1_001;
      const late: readonly (readonly [Name, string])[] = [
        ['downloadArtifact', inputOf(build)],
        ['uploadArtifact', build.manifest.output.url],
        ['buildLog', logOf(build, '0')],
        ['finalizeBuild', build.manifest.finalize_url],
      ];
      for (const [name, url] of late) {
        const body = name === 'downloadArtifact' ? {} : { body: DONE };
        expect(await ask(name, { url, at, ...body })).toEqual({
          status: 403,
          text: '{"detail":"Invalid or expired signature"}',
        });
      }
    } finally {
      await at.close();
    }
  });
});

describe('[RE-34] the routes of builds refuse', () => {
  it.each(REFUSED)('%s: %s is %d', async (name, _what, status, asked) => {
    const answer = await ask(name, await asked());
    expect([answer.status, Object.keys(JSON.parse(answer.text) as object)[0]]).toEqual([status, 'detail']);
  });

  it('cover every documented refusal', () => {
    const coveredRefusals = new Set(REFUSED.map(([name, , status]) => `${name} ${status}`));
    const routes: [string, RouteContract][] = Object.entries(BUILD_ROUTES);
    const documented = routes.flatMap(([name, { errors }]) => errors.map((status) => `${name} ${status}`));
    expect(documented.filter((one) => !coveredRefusals.has(one))).toEqual([]);
  });
});
