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
import type { PythonInterpreter } from '../../exec/executor.ts';
import { createEnvironmentMemory } from './environmentMemory.ts';
import { underFileLock } from './fileLock.ts';
import { lockedPython } from './lockedPython.ts';
import { lockedR } from './lockedR.ts';

const uv = process.env['SVC_UV'] ?? null;
let root: string;
let registry: Server;
const asked: string[] = [];
/** What the registry answers next. */
let answer: { status: number; body?: Buffer } = { status: 404 };
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-locked-'));
  registry = createServer((request, response) => {
    asked.push(request.url ?? '');
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

  it('is built once from the lock, and used again', async () => {
    const [first, second] = await Promise.all([make(), make()]);
    expect(second).toBe(first);
    const ran = spawnSync(first, ['-c', 'import sys; print(sys.prefix != sys.base_prefix)'], {
      encoding: 'utf8',
    });
    expect(ran.stdout.trim()).toBe('True');
    const names = await readdir(join(root, 'py'));
    expect(names).toHaveLength(1);
    const marker = join(root, 'py', names[0] ?? '', '.svc-env-complete');
    await utimes(marker, 1, 1);
    expect(await make()).toBe(first);
    await rm(marker);
    expect(await make()).toBe(first);
  });

  it('comes from the registry where it has it, with this machine’s interpreter', async () => {
    const source = await make();
    const made = join(source, '../..');
    const packed = join(root, 'env.tar.gz');
    expect(spawnSync('tar', ['-C', made, '-czf', packed, '.']).status).toBe(0);
    answer = { status: 200, body: (await import('node:fs')).readFileSync(packed) };
    asked.length = 0;
    const fetched = await make({}, url(), join(root, 'fetched'));
    expect(asked).toEqual([
      expect.stringMatching(new RegExp(`^/${block.key}/cpython-3\\.\\d+\\.\\d+t?/[a-z]+`)),
    ]);
    expect(spawnSync(fetched, ['-c', 'import sys; print(1)'], { encoding: 'utf8' }).stdout.trim()).toBe('1');
  });

  it('is built where the registry has none; any other answer fails it', async () => {
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
    ['a key that is none', { key: 'x' }, /key/],
    ['no lock', { lockfile: 7 }, /lockfile/],
    ['a Python nobody has', { python: '3.99' }, /no Python 3\.99/],
    ['a project that does not fit', { pyproject: 'nonsense [' }, /uv sync failed/],
  ])('fails in words with %s', async (_name, more, words) => {
    await expect(make(more, null, join(root, 'fail'))).rejects.toThrow(words);
  });

  it('is looked for once while it stays as it is and the answer is fresh', async () => {
    let now = 0;
    const remembered = createEnvironmentMemory<PythonInterpreter>(() => now);
    const [counted, calls] = [join(root, 'counted-uv'), join(root, 'calls')];
    await writeFile(counted, `#!/bin/sh\necho x >> '${calls}'\nexec '${uv}' "$@"\n`, { mode: 0o755 });
    const options = {
      envRoot: join(root, 'py'),
      registryUrl: null,
      uv: counted,
      python: null,
      memory: remembered,
      signal,
    };
    await make();
    const looks = async () => {
      const { path, identity } = await lockedPython(block, options);
      return { dir: join(path, '../..'), identity, count: (await readFile(calls, 'utf8')).length / 2 };
    };
    const first = await looks();
    expect([first.count, await looks()]).toEqual([1, first]);
    const [packages = ''] = await sitePackages(first.dir);
    await writeFile(join(packages, 'late.pth'), '');
    const changed = await looks();
    expect(changed).toMatchObject({ dir: first.dir, count: 2 });
    expect(changed.identity).not.toBe(first.identity);
    now += 11 * 60_000;
    expect((await looks()).count).toBe(3);
    await expect(lockedPython({ ...block, key: 'a'.repeat(64) }, options)).rejects.toThrow(/key/);
    await rm(join(first.dir, '.svc-env-complete'));
    expect((await looks()).dir).toBe(first.dir);
  });

  it('fails in words without uv', async () => {
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
  const make = (given: object, envRoot: string, registryUrl: string | null = null) =>
    lockedR(given, { envRoot, registryUrl, rscript: 'Rscript', memory: memory<string>(), signal });

  it.each([
    ['another key', { key: 'a'.repeat(64), lockfile: lock }, /digest/],
    ['a lock that is not JSON', { key: rLockKey('x'), lockfile: 'x' }, /no renv.lock/],
    ['no lock', { key: 'a'.repeat(64) }, /lockfile/],
  ])('fails in words with %s', async (_name, given, words) => {
    await expect(make(given, join(root, 'r1'))).rejects.toThrow(words);
  });

  it('comes from the registry, and only whole', async () => {
    const wanted =
      '{"R":{"Version":"4.4.1"},"Packages":{"tiny":{"Package":"tiny","Version":"1"},"renv":{"Version":"1"}}}';
    const tree = await mkdtemp(join(root, 'tree-'));
    const archive = async (folder: string) => {
      await (await import('node:fs/promises')).mkdir(join(tree, folder), { recursive: true });
      await writeFile(join(tree, folder, 'DESCRIPTION'), 'Package: tiny\nVersion: 1\n');
      const packed = join(root, `${folder}.tar.gz`);
      expect(spawnSync('tar', ['-C', tree, '-czf', packed, folder]).status).toBe(0);
      return (await import('node:fs')).readFileSync(packed);
    };
    const given = { key: rLockKey(wanted), lockfile: wanted };
    answer = { status: 200, body: await archive('other') };
    await expect(make(given, join(root, 'r2'), url())).rejects.toThrow(/package tiny/);
    answer = { status: 200, body: await archive('tiny') };
    asked.length = 0;
    const library = await make(given, join(root, 'r2'), url());
    expect(asked[0]).toMatch(new RegExp(`^/r/${given.key}/R-\\d+\\.\\d+\\.\\d+/`));
    expect(await readdir(library)).toContain('tiny');
  });
});

describe('[WK-26] one maker at a time', () => {
  it('the others wait; what a dead one held is free', async () => {
    const path = join(root, 'x.lock');
    let inside = 0;
    let most = 0;
    const work = () =>
      underFileLock(path, { waitMs: 10_000, signal }, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((done) => setImmediate(done));
        inside -= 1;
      });
    await Promise.all([work(), work(), work()]);
    expect(most).toBe(1);
    const dead = spawnSync('true').pid;
    await writeFile(path, String(dead));
    await work();
    await writeFile(path, String(process.pid));
    await expect(underFileLock(path, { waitMs: 10, signal }, work)).rejects.toThrow(/has held/);
  });
});
