/**
 * Real uv with a package index on the loopback interface: proxies, certificates, no network, and one cache for all
 * notebooks. Also which messages of uv become which failure.
 */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { changeProject } from './changeProject.ts';
import type { SyncOutcome } from './settleEnvironment.ts';
import { syncEnvironment } from './syncEnvironment.ts';
import { createHttpIndex, type TestHttpIndex } from './testing/testHttpIndex.ts';
import { createTestIndex, type TestIndex, uvForTests } from './testing/testIndex.ts';
import { findPythons } from './uv/findPythons.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import { uvFailure } from './uv/uvFailure.ts';
import { uvBaseEnv } from './uv/uvSync.ts';
import { sitePackages, venvDir } from './venv/venv.ts';

const path = uvForTests();
const uv: FoundUv = { kind: 'found', path: path ?? '', version: '', source: 'setting' };
let index: TestIndex;
let minor = '';
let count = 0;
beforeAll(async () => {
  index = await createTestIndex();
  await index.wheel({ name: 'apple', version: '1.0', padding: 10_000 });
  await index.wheel({ name: 'pear', version: '1.0' });
  minor = (await findPythons())[0]?.minor ?? '';
});
afterAll(() => index.close());

async function sync(env: NodeJS.ProcessEnv, packages = ['apple']) {
  count += 1;
  const dir = notebookFolder(
    await index.notebook(`network-${count}`, { python: minor, dependencies: packages }),
  );
  const lines: string[] = [];
  const outcome = await syncEnvironment({
    dir,
    uv,
    python: null,
    env,
    timeoutMs: 60_000,
    onText: (_, text) => lines.push(text),
  });
  return { dir, outcome, log: lines.join('') };
}

async function using<T>(
  options: { readonly tls?: boolean },
  use: (http: TestHttpIndex) => Promise<T>,
): Promise<T> {
  const http = await createHttpIndex(index, options);
  try {
    return await use(http);
  } finally {
    await http.close();
  }
}

const freshCache = () => ({ UV_CACHE_DIR: join(index.root, `cache-${count}-fresh`) });
const summary = ({ kind, error }: SyncOutcome) => ({ kind, error });

describe.skipIf(path === null)('the network between uv and its index', () => {
  it('[EN-62] a proxy of the environment is used; without it the error names HTTPS_PROXY', async () => {
    await using({}, async ({ behindProxy, proxy, requestCount }) => {
      const without = await sync({ ...behindProxy, ...freshCache() });
      expect(summary(without.outcome)).toEqual({
        kind: 'fallback',
        error: expect.stringMatching(
          /^packages\.invalid cannot be reached \(.+\)\. Check the network, and HTTPS_PROXY/,
        ),
      });
      expect(requestCount()).toBe(0);
      const proxied = await sync({ ...behindProxy, ...freshCache(), HTTP_PROXY: proxy });
      expect(summary(proxied.outcome)).toEqual({ kind: 'ready', error: null });
      expect(requestCount()).toBeGreaterThan(0);
    });
  });

  it('[EN-63] an untrusted certificate is reported; with SSL_CERT_FILE it is accepted', async () => {
    await using({ tls: true }, async ({ env, certificate }) => {
      const untrusted = await sync({ ...env, ...freshCache() });
      expect(summary(untrusted.outcome)).toEqual({
        kind: 'fallback',
        error: expect.stringMatching(
          /^The certificate of localhost:\d+ is not trusted here \(.+\)\. Add the root/,
        ),
      });
      const trusted = await sync({ ...env, ...freshCache(), SSL_CERT_FILE: certificate ?? '' });
      expect(summary(trusted.outcome)).toEqual({ kind: 'ready', error: null });
    });
  });

  it('[EN-63] uv uses the certificates of the system unless the user set otherwise', () => {
    expect(uvBaseEnv({})).toMatchObject({ UV_SYSTEM_CERTS: '1', UV_NATIVE_TLS: '1' });
    expect(uvBaseEnv({ UV_SYSTEM_CERTS: '0', UV_NATIVE_TLS: '0' })).toMatchObject({
      UV_SYSTEM_CERTS: '0',
      UV_NATIVE_TLS: '0',
    });
  });

  it('[EN-64] without a network, packages that any notebook had can be installed, and missing ones are reported', async () => {
    const cache = freshCache();
    const env = await using({}, async (http) => {
      const settings = { ...http.env, ...cache };
      expect((await sync(settings)).outcome.kind).toBe('ready');
      return settings;
    });
    const warm = await sync(env);
    expect(summary(warm.outcome)).toEqual({ kind: 'ready', error: null });
    const cold = await sync(env, ['apple', 'pear']);
    expect(summary(cold.outcome)).toEqual({
      kind: 'fallback',
      error: expect.stringMatching(
        /^127\.0\.0\.1:\d+ cannot be reached \(.+\)\. .+Cached packages can be installed/,
      ),
    });
    expect(cold.log).toContain('The package index is unreachable. Trying again with cached packages.');
    const failedChange = await changeProject({
      dir: warm.dir,
      uv,
      env,
      edit: { kind: 'add', requirements: ['pear'], dev: false },
    });
    expect(summary(failedChange)).toEqual({
      kind: 'failed',
      error: expect.stringContaining('cannot be reached'),
    });
    expect(failedChange.environment.sync_state).toBe('ready');
  });

  it.skipIf(process.platform === 'win32')(
    '[EN-65] two notebooks and the cache share one copy of a package',
    async () => {
      await using({}, async (http) => {
        const env = { ...http.env, ...freshCache() };
        const both = [await sync(env), await sync(env)];
        const files = await Promise.all(
          both.map(async ({ dir }) =>
            stat(join((await sitePackages(venvDir(notebookFolder(dir))))[0] ?? '', 'apple.py')),
          ),
        );
        expect(files[0]?.ino).toBe(files[1]?.ino);
        // The third link is in the cache.
        expect(files[0]?.nlink).toBe(3);
        expect(await readdir(env.UV_CACHE_DIR)).not.toEqual([]);
      });
    },
    60_000,
  );
});

describe('messages of uv', () => {
  const rows: readonly (readonly [what: string, stderr: string, failure: ReturnType<typeof uvFailure>])[] = [
    [
      'no such name',
      'error: Failed to fetch: `https://index.example/simple/apple/`\n  cause: client error (Connect)\n  cause: dns error\n  cause: failed to lookup address information: Name or service not known\n',
      {
        kind: 'unreachable',
        error:
          'index.example cannot be reached (failed to lookup address information: Name or service not known). Check ' +
          'the network, and HTTPS_PROXY if you need a proxy. Cached packages can be installed offline.',
      },
    ],
    [
      'a name and a password in the address are not repeated',
      'error: error sending request for url (https://me:secret@index.example/simple/)\n  cause: Connection refused (os error 111)\n',
      {
        kind: 'unreachable',
        error:
          'index.example cannot be reached (Connection refused (os error 111)). Check the network, and HTTPS_PROXY ' +
          'if you need a proxy. Cached packages can be installed offline.',
      },
    ],
    [
      'an error that is not caused by the network',
      'Resolving\n  × No solution found when resolving dependencies:\n  ╰─▶ Because apple==9 is not there\nhint: try\n',
      {
        kind: 'failed',
        error: 'No solution found when resolving dependencies: Because apple==9 is not there',
      },
    ],
    [
      'a reason without punctuation between its causes',
      'error: Failed to add dependencies\n  cause: No solution found when resolving dependencies\n  cause: Because a is not\n    there, it fails.\n\nhint: try\n',
      {
        kind: 'failed',
        error:
          'Failed to add dependencies: No solution found when resolving dependencies: Because a is not there, it fails.',
      },
    ],
    ['nothing', '', { kind: 'failed', error: '' }],
  ];
  it.each(rows)('[EN-62] %s', (_, stderr, failure) => {
    expect(uvFailure(stderr)).toEqual(failure);
  });
});
