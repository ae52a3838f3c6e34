/**
 * Environments that a worker builds from lockfiles or fetches from a registry, with real uv and Rscript and a fake
 * registry that the test starts.
 */

import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockKey } from '../../environment/lock/lockKey.ts';
import { rLockKey } from '../../environment/r/rLock.ts';
import { sitePackages } from '../../environment/venv/venv.ts';
import type { PythonInterpreter } from '../../exec/interpreter.ts';
import { createEnvironmentMemory } from './environmentMemory.ts';
import { underFileLock } from './fileLock.ts';
import { lockedPython } from './lockedPython.ts';
import { lockedR } from './lockedR.ts';

const uv = process.env['SVC_UV'] ?? null;
let root: string;
let registry: Server;
const requests: string[] = [];
/** The registry's next response. */
let answer: { status: number; body?: Buffer } = { status: 404 };
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-locked-'));
  registry = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  registry.close();
  await rm(root, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const url = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
const lockfile =
  'version = 1\nrevision = 2\nrequires-python = ">=3.10"\n\n[[package]]\nname = "p"\nversion = "0.1.0"\nsource = { virtual = "." }\n';
const pyproject = '[project]\nname = "p"\nversion = "0.1.0"\nrequires-python = ">=3.10"\ndependencies = []\n';
const memory = <T>() => createEnvironmentMemory<T>();
const block = { key: lockKey(lockfile) ?? '', python: '', lockfile, pyproject };

describe.runIf(uv !== null)('[WK-26] a locked Python environment', () => {
  const make = async (more: object = {}, registryUrl: string | null = null, envRoot = join(root, 'py')) => {
    const options = { envRoot, registryUrl, uv, python: null, memory: memory<PythonInterpreter>(), signal };
    return (await lockedPython({ ...block, ...more }, options)).path;
  };

  it('is built once from the lock and reused', async () => {
    const [first, second] = await Promise.all([make(), make()]);
    expect(second).toBe(first);
    const output = spawnSync(first, ['-c', 'import sys; print(sys.prefix != sys.base_prefix)'], {
      encoding: 'utf8',
    });
    expect(output.stdout.trim()).toBe('True');
    const names = await readdir(join(root, 'py'));
    expect(names).toHaveLength(1);
    const marker = join(root, 'py', names[0] ?? '', '.svc-env-complete');
    await utimes(marker, 1, 1);
    expect(await make()).toBe(first);
    await rm(marker);
    expect(await make()).toBe(first);
  });

  it('is fetched from the registry if it has one, with this machine’s interpreter', async () => {
    const source = await make();
    const folder = join(source, '../..');
    const packed = join(root, 'env.tar.gz');
    expect(spawnSync('tar', ['-C', folder, '-czf', packed, '.']).status).toBe(0);
    answer = { status: 200, body: (await import('node:fs')).readFileSync(packed) };
    requests.length = 0;
    const interpreter = await make({}, url(), join(root, 'fetched'));
    expect(requests).toEqual([
      expect.stringMatching(new RegExp(`^/${block.key}/cpython-3\\.\\d+\\.\\d+t?/[a-z]+`)),
    ]);
    expect(spawnSync(interpreter, ['-c', 'import sys; print(1)'], { encoding: 'utf8' }).stdout.trim()).toBe(
      '1',
    );
  });

  it('is built if the registry has none; any other response is an error', async () => {
    answer = { status: 404 };
    await expect(make({}, url(), join(root, 'none'))).resolves.toContain('none');
    answer = { status: 500 };
    await expect(make({}, url(), join(root, 'broken'))).rejects.toThrow(/registry answered 500/);
    answer = { status: 200, body: Buffer.from('no archive') };
    await expect(make({}, url(), join(root, 'bad'))).rejects.toThrow(/cannot be unpacked/);
    expect((await readdir(join(root, 'bad'))).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  });

  it.each([
    ['another key', { key: 'a'.repeat(64) }, /key/],
    ['an invalid key', { key: 'x' }, /key/],
    ['no lock', { lockfile: 7 }, /lockfile/],
    ['a Python that is not available', { python: '3.99' }, /no Python 3\.99/],
    ['an invalid project', { pyproject: 'nonsense [' }, /uv sync failed/],
  ])('fails with a message for %s', async (_name, more, words) => {
    await expect(make(more, null, join(root, 'fail'))).rejects.toThrow(words);
  });

  it('is resolved once while it is unchanged and the cached entry is valid', async () => {
    let now = 0;
    const expiring = createEnvironmentMemory<PythonInterpreter>(() => now);
    const [countingUv, calls] = [join(root, 'counting-uv'), join(root, 'calls')];
    await writeFile(countingUv, `#!/bin/sh\necho x >> '${calls}'\nexec '${uv}' "$@"\n`, { mode: 0o755 });
    const options = {
      envRoot: join(root, 'py'),
      registryUrl: null,
      uv: countingUv,
      python: null,
      memory: expiring,
      signal,
    };
    await make();
    const resolveCounted = async () => {
      const { path, identity } = await lockedPython(block, options);
      return { dir: join(path, '../..'), identity, count: (await readFile(calls, 'utf8')).length / 2 };
    };
    const first = await resolveCounted();
    expect([first.count, await resolveCounted()]).toEqual([1, first]);
    const [packages = ''] = await sitePackages(first.dir);
    await writeFile(join(packages, 'late.pth'), '');
    const changed = await resolveCounted();
    expect(changed).toMatchObject({ dir: first.dir, count: 2 });
    expect(changed.identity).not.toBe(first.identity);
    now += 11 * 60_000;
    expect((await resolveCounted()).count).toBe(3);
    await expect(lockedPython({ ...block, key: 'a'.repeat(64) }, options)).rejects.toThrow(/key/);
    await rm(join(first.dir, '.svc-env-complete'));
    expect((await resolveCounted()).dir).toBe(first.dir);
  });

  it('fails with a message without uv', async () => {
    await expect(
      lockedPython(block, {
        envRoot: root,
        registryUrl: null,
        uv: null,
        python: null,
        memory: memory<PythonInterpreter>(),
        signal,
      }),
    ).rejects.toThrow(/uv is not/);
  });
});

describe.runIf(spawnSync('Rscript', ['--version']).status === 0)('[WK-27] a locked R environment', () => {
  const lock = '{"R":{"Version":"4.4.1"},"Packages":{}}\n';
  const make = (block: object, envRoot: string, registryUrl: string | null = null) =>
    lockedR(block, { envRoot, registryUrl, rscript: 'Rscript', memory: memory<string>(), signal });

  it.each([
    ['another key', { key: 'a'.repeat(64), lockfile: lock }, /digest/],
    ['a lock that is not JSON', { key: rLockKey('x'), lockfile: 'x' }, /not an renv.lock/],
    ['no lock', { key: 'a'.repeat(64) }, /lockfile/],
  ])('fails with a message for %s', async (_name, rBlock, words) => {
    await expect(make(rBlock, join(root, 'r1'))).rejects.toThrow(words);
  });

  it('is fetched from the registry only if it is complete', async () => {
    const tinyLock =
      '{"R":{"Version":"4.4.1"},"Packages":{"tiny":{"Package":"tiny","Version":"1"},"renv":{"Version":"1"}}}';
    const tree = await mkdtemp(join(root, 'tree-'));
    const archive = async (folder: string) => {
      await (await import('node:fs/promises')).mkdir(join(tree, folder), { recursive: true });
      await writeFile(join(tree, folder, 'DESCRIPTION'), 'Package: tiny\nVersion: 1\n');
      const packed = join(root, `${folder}.tar.gz`);
      expect(spawnSync('tar', ['-C', tree, '-czf', packed, folder]).status).toBe(0);
      return (await import('node:fs')).readFileSync(packed);
    };
    const tinyBlock = { key: rLockKey(tinyLock), lockfile: tinyLock };
    answer = { status: 200, body: await archive('other') };
    await expect(make(tinyBlock, join(root, 'r2'), url())).rejects.toThrow(/package tiny/);
    answer = { status: 200, body: await archive('tiny') };
    requests.length = 0;
    const library = await make(tinyBlock, join(root, 'r2'), url());
    expect(requests[0]).toMatch(new RegExp(`^/r/${tinyBlock.key}/R-\\d+\\.\\d+\\.\\d+/`));
    expect(await readdir(library)).toContain('tiny');
  });
});

describe('[WK-26] one builder at a time', () => {
  it('makes the others wait, and takes the lock of a dead process', async () => {
    const path = join(root, 'x.lock');
    let inside = 0;
    let maxInside = 0;
    const work = () =>
      underFileLock(path, { waitMs: 10_000, signal }, async () => {
        inside += 1;
        maxInside = Math.max(maxInside, inside);
        await new Promise((done) => setImmediate(done));
        inside -= 1;
      });
    await Promise.all([work(), work(), work()]);
    expect(maxInside).toBe(1);
    const dead = spawnSync('true').pid;
    await writeFile(path, String(dead));
    await work();
    await writeFile(path, String(process.pid));
    await expect(underFileLock(path, { waitMs: 10, signal }, work)).rejects.toThrow(/has held/);
  });
});
