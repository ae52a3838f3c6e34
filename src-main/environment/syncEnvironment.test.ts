import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NotebookFolder, notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { changeProject } from './changeProject.ts';
import type { ProjectEdit } from './project/projectEdit.ts';
import { readEnvironment } from './readEnvironment.ts';
import { type SyncRequest, syncEnvironment } from './syncEnvironment.ts';
import { createTestIndex, projectText, type TestIndex, uvForTests } from './testing/testIndex.ts';
import { compileBytecode } from './uv/compileBytecode.ts';
import { findPythons, type Python } from './uv/findPythons.ts';
import type { FoundUv } from './uv/resolveUv.ts';
import { environmentIdentity, venvDir, venvPython } from './venv/venv.ts';
import { stagedVenv } from './venv/venvPlaces.ts';

/**
 * Syncing a notebook's environment with the real uv and an index of small wheels: success, faults of every step,
 * missing programs, lost environments, and recovery after a kill.
 */

const uvPath = uvForTests();
const pythons = await findPythons();
const newestPython: Python | undefined = pythons[0];

describe.skipIf(uvPath === null || newestPython === undefined)('sync of a notebook environment', () => {
  let index: TestIndex;
  const python = newestPython ?? { path: '', version: '', minor: '' };
  const uv: FoundUv = { kind: 'found', path: uvPath ?? '', version: '0.13.8', source: 'setting' };

  beforeAll(async () => {
    index = await createTestIndex();
    await index.wheel({ name: 'apple', version: '1.0', script: true });
    await index.wheel({ name: 'pear', version: '1.0' });
    await index.wheel({ name: 'pear', version: '2.0' });
  });
  afterAll(() => index.close());

  const notebook = (name: string, dependencies: readonly string[] = ['apple']) =>
    index.notebook(name, { python: python.minor, dependencies });
  const sync = (dir: NotebookFolder, more: Partial<SyncRequest> = {}) =>
    syncEnvironment({ dir, uv, python: null, env: index.env, ...more });
  const outputOf = (dir: NotebookFolder, code: string) =>
    execFileSync(venvPython(venvDir(dir)), ['-c', code], { encoding: 'utf8' }).trim();
  /** What a failure must not change: the environment (by identity) and the committed files; no leftovers. */
  const stateOf = async (dir: NotebookFolder) => ({
    identity: await environmentIdentity(venvPython(venvDir(dir)), venvDir(dir)),
    lock: await readFile(join(dir, 'uv.lock'), 'utf8'),
    project: await readFile(join(dir, 'pyproject.toml'), 'utf8'),
    leftovers: (await readdir(join(dir, '.svc'))).filter(
      (name) => name.startsWith('venv-') || name.includes('sync'),
    ),
  });
  /** A uv that runs `script`, in which $real is the real uv. */
  const fakeUv = async (name: string, script: string): Promise<FoundUv> => {
    const path = join(index.root, `uv-${name}`);
    await writeFile(path, `#!/bin/sh\nreal=${uvPath}\n${script}\n`);
    await chmod(path, 0o755);
    return { kind: 'found', path, version: '0.13.8', source: 'setting' };
  };

  it('[EN-6] creates .venv and a missing lock; no other committed file changes', async () => {
    const dir = notebookFolder(await notebook('first'));
    const text = await readFile(join(dir, 'pyproject.toml'), 'utf8');
    const outcome = await sync(dir);
    expect(outcome).toMatchObject({ kind: 'ready', error: null, ranUv: true, lockfileChanged: true });
    expect(outcome.environment).toMatchObject({
      requested_python_version: python.minor,
      runtime_python_version: python.minor,
      sync_state: 'ready',
      interpreter_source: 'venv',
      has_lockfile: true,
      declared_package_count: 1,
      resolved_package_count: 1,
    });
    expect(outcome.log.stderr.text).toContain('apple==1.0');
    expect((await readdir(dir)).sort()).toEqual(['.svc', '.venv', 'pyproject.toml', 'uv.lock']);
    expect(await readFile(join(dir, 'pyproject.toml'), 'utf8')).toBe(text);
  });

  it('the environment works in its final place: imports, console scripts, activate', async () => {
    const dir = notebookFolder(await notebook('moved'));
    await sync(dir);
    expect(outputOf(dir, 'import apple; print(apple.VERSION)')).toBe('1.0');
    expect(outputOf(dir, 'import sys; print(sys.prefix)')).toBe(venvDir(dir));
    const bin = join(venvDir(dir), 'bin');
    expect(execFileSync(join(bin, 'apple'), { encoding: 'utf8' })).toBe('apple runs\n');
    const activated = execFileSync(
      '/bin/bash',
      ['-c', `. ${bin}/activate && echo $VIRTUAL_ENV && which python`],
      {
        encoding: 'utf8',
      },
    );
    expect(activated).toBe(`${venvDir(dir)}\n${bin}/python\n`);
  });

  it('an environment that is up to date is ready without starting uv', async () => {
    const dir = notebookFolder(await notebook('warm'));
    const first = await sync(dir);
    const never = await fakeUv('never', 'echo started >> "$0.log"; exit 1');
    const again = await sync(dir, { uv: never });
    expect(again).toMatchObject({ kind: 'ready', ranUv: false, lockfileChanged: false });
    expect(again.interpreter).toEqual(first.interpreter);
    expect(await readdir(index.root)).not.toContain('uv-never.log');
  });

  it('bytecode is compiled once, which does not count as a change of the environment', async () => {
    const dir = notebookFolder(await notebook('compiled'));
    const { interpreter } = await sync(dir);
    const packages = join(venvDir(dir), 'lib', `python${python.minor}`, 'site-packages');
    const compiled = () => readdir(join(packages, '__pycache__')).catch(() => []);
    await compileBytecode(dir, { signal: AbortSignal.abort() });
    expect(await compiled()).toEqual([]);
    await compileBytecode(dir);
    expect(await compiled()).toContainEqual(expect.stringMatching(/^apple\..*\.pyc$/));
    await rm(join(packages, '__pycache__'), { recursive: true });
    await compileBytecode(dir);
    expect(await compiled()).toEqual([]);
    expect(await sync(dir)).toMatchObject({ ranUv: false, interpreter });
  });

  it('a package installed by hand and a changed project or lock are noticed', async () => {
    const dir = notebookFolder(await notebook('noticed'));
    const { interpreter } = await sync(dir);
    const packages = join(venvDir(dir), 'lib', `python${python.minor}`, 'site-packages');
    await mkdir(join(packages, 'extra-1.0.dist-info'));
    expect((await readEnvironment(dir)).venv?.upToDate).toBe(false);
    expect(await environmentIdentity(venvPython(venvDir(dir)), venvDir(dir))).not.toBe(interpreter?.identity);
    await sync(dir);
    await writeFile(join(dir, 'pyproject.toml'), projectText('noticed', python.minor, ['apple', 'pear']));
    expect((await readEnvironment(dir)).venv?.upToDate).toBe(false);
  });

  it('[EN-6] an existing lock is kept and reported as old; a sync that the user requests updates it', async () => {
    const dir = notebookFolder(await notebook('behind', ['pear==1.0']));
    await sync(dir);
    await writeFile(join(dir, 'pyproject.toml'), projectText('behind', python.minor, ['pear==2.0']));
    const first = await sync(dir);
    expect(first).toMatchObject({ kind: 'ready', lockfileChanged: false });
    expect(first.environment.sync_notice).toContain('older than pyproject.toml (pear)');
    expect(outputOf(dir, 'import pear; print(pear.VERSION)')).toBe('1.0');
    const updated = await sync(dir, { lock: 'update' });
    expect(updated).toMatchObject({ kind: 'ready', lockfileChanged: true });
    expect(updated.environment.sync_notice).toBeNull();
    expect(outputOf(dir, 'import pear; print(pear.VERSION)')).toBe('2.0');
  });

  describe('faults with an existing environment', () => {
    const faults: readonly {
      readonly name: string;
      readonly script: string;
      readonly kind: 'failed' | 'cancelled';
      readonly says: RegExp;
      readonly cancelOn?: string;
      readonly timeoutMs?: number;
    }[] = [
      {
        name: 'resolution fails',
        script: 'exec $real "$@"',
        kind: 'failed',
        says: /nothing-like-it/,
      },
      {
        name: 'uv is killed while it installs',
        script: '[ "$1" = venv ] && exec $real "$@"; kill -9 $$',
        kind: 'failed',
        says: /uv was killed \(exit code 137\)/,
      },
      {
        name: 'uv is killed while it writes the lock',
        script: '[ "$1" = venv ] && exec $real "$@"; printf "version = 1\\n[[pack" > uv.lock; kill -9 $$',
        kind: 'failed',
        says: /uv was killed/,
      },
      {
        name: 'the user cancels',
        script: '[ "$1" = venv ] && exec $real "$@"; echo resolving >&2; sleep 60 & wait',
        kind: 'cancelled',
        says: /^cancelled$/,
        cancelOn: 'resolving',
      },
      {
        name: 'uv never ends',
        script: 'sleep 60 & wait',
        kind: 'failed',
        says: /did not finish within/,
        timeoutMs: 300,
      },
    ];
    it.each(faults)(
      '[EN-2] $name: the old environment and the committed files are unchanged',
      async (fault) => {
        const dir = notebookFolder(await notebook(fault.name.replaceAll(' ', '-')));
        const firstSync = await sync(dir);
        await writeFile(
          join(dir, 'pyproject.toml'),
          projectText('x', python.minor, ['apple', 'nothing-like-it']),
        );
        const before = await stateOf(dir);
        const cancel = new AbortController();
        const outcome = await sync(dir, {
          uv: await fakeUv(fault.name.replaceAll(' ', '-'), fault.script),
          lock: 'update',
          signal: cancel.signal,
          onText: (_, text) =>
            fault.cancelOn !== undefined && text.includes(fault.cancelOn) && cancel.abort(),
          ...(fault.timeoutMs === undefined ? {} : { timeoutMs: fault.timeoutMs }),
        });
        expect(outcome).toMatchObject({ kind: fault.kind, lockfileChanged: false });
        expect(outcome.error).toMatch(fault.says);
        expect(outcome.environment).toMatchObject({
          sync_state: 'ready',
          interpreter_source: 'venv',
          sync_error: null,
        });
        expect(outcome.environment.sync_notice).toMatch(/^The last sync failed: /);
        expect(outcome.interpreter).toEqual(firstSync.interpreter);
        expect(await stateOf(dir)).toEqual({ ...before, leftovers: [] });
        expect(outputOf(dir, 'import apple; print(apple.VERSION)')).toBe('1.0');
      },
    );
  });

  const changes: readonly (readonly [name: string, edit: ProjectEdit, says: RegExp])[] = [
    [
      'adding a package that does not exist',
      { kind: 'add', requirements: ['nothing-like-it'], dev: false },
      /nothing-like-it/,
    ],
    ['removing a package that is not a dependency', { kind: 'remove', name: 'pear' }, /pear/],
  ];
  it.each(changes)(
    '[EN-68] %s only fails the job: the environment still matches the lock',
    async (name, edit, outputOf) => {
      const dir = notebookFolder(await notebook(name.replaceAll(' ', '-')));
      const firstSync = await sync(dir);
      const outcome = await changeProject({ dir, uv, env: index.env, edit });
      expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringMatching(outputOf) });
      expect(outcome.environment).toEqual(firstSync.environment);
    },
  );

  describe('[EN-3] faults without an environment', () => {
    it('[EN-3] no uv: cells run on a matching Python of the machine, with a message', async () => {
      const dir = notebookFolder(await notebook('no-uv'));
      const outcome = await sync(dir, { uv: { kind: 'missing', message: 'uv is not here.' } });
      expect(outcome).toMatchObject({ kind: 'fallback', ranUv: false, lockfileChanged: false });
      expect(outcome.environment).toMatchObject({
        sync_state: 'fallback',
        interpreter_source: 'path',
        venv_python: null,
      });
      expect(outcome.environment.sync_error).toContain(`Cells run on Python ${python.version}`);
      expect(outcome.interpreter?.path).toBe(python.path);
    });

    it('[EN-3] unreachable index: cells run on a matching Python of the machine, with a message', async () => {
      const dir = notebookFolder(await notebook('no-index'));
      const { UV_DEFAULT_INDEX: _no, UV_FIND_LINKS: _links, ...env } = index.env;
      const outcome = await sync(dir, {
        env: {
          ...env,
          UV_INDEX_URL: 'http://127.0.0.1:9/simple',
          UV_HTTP_RETRIES: '0',
          UV_CACHE_DIR: join(index.root, 'empty'),
        },
      });
      expect(outcome).toMatchObject({ kind: 'fallback', ranUv: true, lockfileChanged: false });
      expect(outcome.interpreter?.path).toBe(python.path);
      expect((await readdir(dir)).sort()).toEqual(['.svc', 'pyproject.toml']);
    });

    it("[EN-3] a package that does not exist: failed, with uv's reason; cells still have an interpreter", async () => {
      const dir = notebookFolder(await notebook('no-package', ['nothing-like-it']));
      const outcome = await sync(dir);
      expect(outcome).toMatchObject({ kind: 'failed', lockfileChanged: false });
      expect(outcome.environment).toMatchObject({ sync_state: 'failed', interpreter_source: 'path' });
      expect(outcome.environment.sync_error).toMatch(/nothing-like-it/);
    });

    it('no matching Python: failed, and no interpreter for cells', async () => {
      const dir = notebookFolder(await index.notebook('old-python', { python: '3.99', dependencies: [] }));
      const outcome = await sync(dir, { env: { ...index.env, UV_PYTHON_DOWNLOADS: 'never' } });
      expect(outcome).toMatchObject({ kind: 'failed', interpreter: null });
      expect(outcome.environment).toMatchObject({ sync_state: 'failed', interpreter_source: 'unknown' });
      expect(outcome.environment.sync_error).toContain('No Python on this machine matches ==3.99.*');
    });

    it('a broken or missing pyproject.toml is reported', async () => {
      const dir = notebookFolder(await notebook('broken'));
      await writeFile(join(dir, 'pyproject.toml'), '[project\n');
      expect((await sync(dir)).error).toMatch(/pyproject.toml cannot be read/);
      await rm(join(dir, 'pyproject.toml'));
      expect(await sync(dir)).toMatchObject({
        kind: 'fallback',
        error: 'The notebook has no pyproject.toml.',
      });
    });
  });

  /** Ways to lose an existing environment, after which no cell may run. */
  const losses: readonly { readonly name: string; readonly lose: (dir: string) => Promise<unknown> }[] = [
    { name: 'the folder is deleted', lose: (dir) => rm(venvDir(notebookFolder(dir)), { recursive: true }) },
    {
      name: 'its programs are deleted',
      lose: (dir) => rm(join(venvDir(notebookFolder(dir)), 'bin'), { recursive: true }),
    },
    {
      name: 'only empty folders are left',
      async lose(dir) {
        await rm(venvDir(notebookFolder(dir)), { recursive: true });
        await mkdir(join(venvDir(notebookFolder(dir)), 'lib', `python${python.minor}`, 'site-packages'), {
          recursive: true,
        });
      },
    },
    {
      name: 'a file replaces it',
      async lose(dir) {
        await rm(venvDir(notebookFolder(dir)), { recursive: true });
        await writeFile(venvDir(notebookFolder(dir)), '');
      },
    },
  ];
  const noUv: FoundUv = { kind: 'missing', message: 'uv is not here.' };
  it.each(losses)('[SO-234] $name: no other Python replaces it', async ({ name, lose }) => {
    const dir = notebookFolder(await notebook(name.replaceAll(' ', '-')));
    const firstSync = await sync(dir);
    await lose(dir);
    const outcome = await sync(dir, { uv: noUv });
    expect(outcome).toMatchObject({ kind: 'failed', interpreter: null });
    expect(outcome.environment).toMatchObject({ sync_state: 'failed', interpreter_source: 'unknown' });
    expect(outcome.environment.sync_error).toMatch(
      /^uv is not here\. The environment .* is missing .* Repair it/,
    );
    expect(await sync(dir)).toMatchObject({ kind: 'ready', environment: { sync_state: 'ready' } });
    expect(outputOf(dir, 'import apple; print(apple.VERSION)')).toBe('1.0');
    expect((await readEnvironment(dir)).lock).toEqual(firstSync.facts.lock);
  });

  describe('[EN-2] opened after a kill during a sync', () => {
    const leftovers: readonly { readonly name: string; readonly leave: (dir: string) => Promise<void> }[] = [
      {
        name: 'while building',
        leave: async (dir) => {
          await mkdir(join(stagedVenv(notebookFolder(dir), '0badc0de'), 'bin'), { recursive: true });
        },
      },
      {
        name: 'between the two renames',
        leave: (dir) => rename(venvDir(notebookFolder(dir)), stagedVenv(notebookFolder(dir), '0badc0de')),
      },
      {
        name: 'after the old one was moved away, before the new one was complete',
        leave: async (dir) => {
          await rename(venvDir(notebookFolder(dir)), `${stagedVenv(notebookFolder(dir), '0badc0de')}-old`);
          await mkdir(join(stagedVenv(notebookFolder(dir), '0badc0de'), 'bin'), { recursive: true });
        },
      },
      {
        name: 'while uv wrote the lock',
        leave: async (dir) => {
          const lockBefore = await readFile(join(dir, 'uv.lock'), 'utf8');
          await writeFile(join(dir, '.svc', 'sync-in-progress.json'), JSON.stringify({ lockBefore }));
          await writeFile(join(dir, 'uv.lock'), lockBefore.slice(0, 40));
        },
      },
    ];
    it.each(leftovers)('[EN-2] $name', async ({ name, leave }) => {
      const dir = notebookFolder(await notebook(`killed-${name.replaceAll(/[ ,]+/g, '-')}`));
      const { interpreter } = await sync(dir);
      const before = await stateOf(dir);
      await leave(dir);
      const outcome = await sync(dir);
      expect(outcome).toMatchObject({ kind: 'ready', ranUv: false });
      expect(outcome.interpreter).toEqual(interpreter);
      expect(await stateOf(dir)).toEqual({ ...before, leftovers: [] });
    });

    it('an incomplete new lock is removed and created again', async () => {
      const dir = notebookFolder(await notebook('torn-new-lock'));
      await mkdir(join(dir, '.svc'));
      await writeFile(join(dir, '.svc', 'sync-in-progress.json'), JSON.stringify({ lockBefore: null }));
      await writeFile(join(dir, 'uv.lock'), 'version = 1\n[[pack');
      expect(await sync(dir)).toMatchObject({ kind: 'ready', ranUv: true });
    });
  });
});
