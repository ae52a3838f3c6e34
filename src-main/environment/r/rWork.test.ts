import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOfRun } from '../../../e2e/support/longRun.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { findRscript } from '../findRscript.ts';
import { packagesIn, readRFacts } from './rFacts.ts';
import { readRPackages } from './rPackages.ts';
import { recoverR } from './rStage.ts';
import type { RTools } from './rTool.ts';
import { doRWork, type REnd, type RWork } from './rWork.ts';
import { createTestRRepository, hasR, NO_R, type TestRRepository } from './testing/testRepository.ts';

/** The real R with a repository of tiny packages, among them a small renv. */

let root = '';
let repository: TestRRepository;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-r-work-'));
  if (!hasR) return;
  repository = await createTestRRepository({ renv: 'installed' });
  await repository.add({ name: 'apple', version: '1.0' });
  await repository.add({ name: 'pear', version: '2.0', depends: ['apple'] });
  await repository.add({ name: 'broken', version: '1.0', code: 'stop("it does not build")' });
  await repository.add({ name: 'slow', version: '1.0' });
});
afterAll(async () => {
  await repository?.close();
  await rm(root, { recursive: true, force: true });
});

function toolsOf(env: Readonly<Record<string, string>>, path?: string | null): RTools {
  return {
    find: async () => {
      const rscript = path === undefined ? await findRscript(null) : path;
      return rscript === null ? { message: 'R was not found on this machine.' } : { path: rscript };
    },
    script: join(import.meta.dirname, '../../../harness/r/environment.R'),
    toolsDir: join(root, 'tools'),
    env: { ...process.env, ...env },
  };
}

let count = 0;
async function notebook(cell = ''): Promise<string> {
  count += 1;
  const dir = join(root, `n${count}`);
  await mkdir(join(dir, 'cells'), { recursive: true });
  await mkdir(join(dir, '.svc'));
  await writeFile(join(dir, 'cells/a.r'), cell);
  return dir;
}

async function doAll(dir: string, works: readonly RWork[], tools = toolsOf(repository.env)): Promise<REnd> {
  let end: REnd = { kind: 'done' };
  for (const work of works) end = await doRWork(work, { dir: notebookFolder(dir), tools });
  return end;
}

/** All files of the folder, leftovers of jobs included. */
async function everything(dir: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [file, (await readFile(file)).toString('latin1')]),
  );
  return Object.fromEntries(texts);
}

const installed = async (dir: NotebookFolder) => {
  const { libraries } = await readRFacts(dir);
  return (await packagesIn(libraries[0]?.path ?? '')).map(({ name, version }) => `${name} ${version}`);
};

const INIT: RWork = { action: 'r_init' };
const add = (name: string): RWork => ({ action: 'r_add', package: name });
const RESTORE: RWork = { action: 'r_restore' };

/** The folder of a notebook after a job: R takes seconds for one, so tests use copies of it. */
interface Stage {
  readonly dir: NotebookFolder;
  readonly end: REnd;
}
let initStage: Promise<Stage> | null = null;
let pearStage: Promise<Stage> | null = null;

/** A notebook that uses apple, after init. */
function afterInit(): Promise<Stage> {
  initStage ??= notebook('library(apple)\nlibrary(nowhere)\nlibrary(stats)').then(stageAfter(INIT));
  return initStage;
}

/** The same notebook after pear was added. */
function afterAdd(): Promise<Stage> {
  pearStage ??= afterInit()
    .then(copyOf)
    .then(stageAfter(add('pear')));
  return pearStage;
}

function stageAfter(work: RWork): (dir: string) => Promise<Stage> {
  return async (dir) => ({ dir: notebookFolder(dir), end: await doAll(dir, [work]) });
}

async function copyOf({ dir }: Stage): Promise<NotebookFolder> {
  const copy = await notebook();
  await cp(dir, copy, { recursive: true, preserveTimestamps: true });
  return notebookFolder(copy);
}

describe('R environments', () => {
  it('[EN-50] init sets up renv with the packages that cells use; add installs a package with its dependencies', async ({
    skip,
  }) => {
    if (!hasR) return skip(NO_R);
    const init = await afterInit();
    expect(init.end).toEqual({ kind: 'done' });
    const first = await readRFacts(init.dir);
    expect(first.lock?.content).toMatchObject({ packages: [{ name: 'apple', version: '1.0' }] });
    expect(first.libraries).toMatchObject([{ fits: true, lockHash: first.lock?.key }]);
    const { dir, end } = await afterAdd();
    expect(end).toEqual({ kind: 'done' });
    const second = await readRFacts(dir);
    expect(second.lock?.key).not.toBe(first.lock?.key);
    expect(second.libraries).toMatchObject([{ fits: true, lockHash: second.lock?.key }]);
    expect(await installed(dir)).toEqual(['apple 1.0', 'pear 2.0']);
    expect(await readRPackages(dir, toolsOf(repository.env))).toEqual({
      packages: [
        { name: 'apple', version: '1.0' },
        { name: 'pear', version: '2.0' },
      ],
      packages_status: 'ok',
      packages_error: null,
    });
    expect((await readdir(join(dir, '.svc'))).filter((name) => name.startsWith('r-'))).toEqual([]);
  });

  it('[EN-51] the lock is enough to restore the library; a package removed by hand is restored', async ({
    skip,
  }) => {
    if (!hasR) return skip(NO_R);
    const { dir } = await afterAdd();
    const lock = await readFile(join(dir, 'renv.lock'));
    const other = notebookFolder(await notebook());
    await writeFile(join(other, 'renv.lock'), lock);
    expect((await readRPackages(other, toolsOf(repository.env))).packages_status).toBe('renv_not_active');
    expect(await doAll(other, [RESTORE])).toEqual({ kind: 'done' });
    expect(await installed(other)).toEqual(['apple 1.0', 'pear 2.0']);
    expect(await readFile(join(other, 'renv.lock'))).toEqual(lock);
    const { libraries } = await readRFacts(other);
    await rm(join(libraries[0]?.path ?? '', 'apple'), { recursive: true });
    expect((await readRFacts(other)).libraries).toMatchObject([{ fits: false }]);
    expect(await doAll(other, [RESTORE])).toEqual({ kind: 'done' });
    expect((await readRFacts(other)).libraries).toMatchObject([{ fits: true }]);
  });

  const failures: readonly {
    readonly what: string;
    readonly work: RWork;
    readonly pattern: RegExp;
    readonly lock?: string;
  }[] = [
    {
      what: 'a package that does not exist',
      work: add('nowhere'),
      pattern: /failed to retrieve package 'nowhere'/,
    },
    { what: 'a package that does not build', work: add('broken'), pattern: /renv did not install broken/ },
    {
      what: 'a lock with a version that is no longer available',
      work: RESTORE,
      pattern: /failed to retrieve package 'apple@0.1'/,
      lock: '{"R": {"Version": "4.2.2"}, "Packages": {"apple": {"Package": "apple", "Version": "0.1"}}}',
    },
    {
      what: 'an invalid lock',
      work: RESTORE,
      pattern: /renv\.lock is not a valid renv lockfile/,
      lock: '{"Packages": 7',
    },
  ];
  // Each takes renv seconds: a normal run has one failure of each kind of work.
  it.for(rowsOfRun(failures, (_row, index) => index % 2 === 1))(
    '[EN-52] $what: library, lock and folder are unchanged',
    async ({ work, pattern, lock }, { skip }) => {
      if (!hasR) return skip(NO_R);
      const dir = await copyOf(await afterInit());
      if (lock !== undefined) await writeFile(join(dir, 'renv.lock'), lock);
      const before = await everything(dir);
      expect(await doAll(dir, [work])).toEqual({ kind: 'failed', error: expect.stringMatching(pattern) });
      expect(await everything(dir)).toEqual(before);
    },
  );

  it('[EN-52] a job that is cancelled, or whose server was killed, is undone', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const dir = await copyOf(await afterInit());
    const before = await everything(dir);
    const stopping = new AbortController();
    const job = doRWork(add('slow'), {
      dir,
      tools: toolsOf(repository.env),
      signal: stopping.signal,
      onText: () => undefined,
    });
    await expect.poll(() => existsSync(join(dir, '.svc/r-in-progress.json'))).toBe(true);
    stopping.abort();
    expect(await job).toEqual({ kind: 'cancelled' });
    expect(await everything(dir)).toEqual(before);
    // The state after a kill between the renames: the old library moved away, the new one in place, the note present.
    const { libraries, lock } = await readRFacts(dir);
    const library = libraries[0]?.path ?? '';
    await rename(library, join(dir, '.svc/r-00000000-old'));
    await mkdir(library);
    await writeFile(
      join(dir, '.svc/r-in-progress.json'),
      JSON.stringify({
        lockBefore: lock?.text,
        profileBefore: null,
        makesFolder: false,
        isInit: false,
        lockAfter: null,
        target: library.slice(dir.length + 1),
        retired: 'r-00000000-old',
      }),
    );
    await recoverR(dir);
    expect(await everything(dir)).toEqual(before);
  });

  it('[EN-52] a failed init leaves no renv, and the user’s .Rprofile unchanged', async ({ skip }) => {
    if (!hasR) return skip(NO_R);
    const dir = notebookFolder(await notebook('library(slow)'));
    await writeFile(join(dir, '.Rprofile'), '# mine\n');
    const before = await everything(dir);
    const end = await doRWork(INIT, { dir, tools: toolsOf(repository.env), timeoutMs: 8_000 });
    expect(end).toEqual({ kind: 'failed', error: 'R did not finish within 8 s.' });
    expect(await everything(dir)).toEqual(before);
    expect(existsSync(join(dir, 'renv'))).toBe(false);
  });

  it('[EN-53] a missing renv is installed only for Cellar; if that fails, the message explains what to do', async ({
    skip,
  }) => {
    if (!hasR) return skip(NO_R);
    const offered = await createTestRRepository({ renv: 'offered' });
    const empty = await createTestRRepository({ renv: 'none' });
    try {
      const dir = await notebook();
      expect(await doAll(dir, [INIT], toolsOf(offered.env))).toEqual({ kind: 'done' });
      expect(await readdir(join(root, 'tools'))).toHaveLength(1);
      expect(await readdir(offered.env['R_LIBS'] ?? '')).toEqual([]);
      await rm(join(root, 'tools'), { recursive: true });
      const other = await notebook();
      expect(await doAll(other, [INIT], toolsOf(empty.env))).toEqual({
        kind: 'failed',
        error: expect.stringMatching(
          /has no renv, and it could not be fetched .*install\.packages\("renv"\)/,
        ),
      });
      expect(existsSync(join(other, 'renv'))).toBe(false);
      expect(await doAll(other, [INIT], toolsOf(empty.env, null))).toEqual({
        kind: 'failed',
        error: 'R was not found on this machine.',
      });
    } finally {
      await offered.close();
      await empty.close();
    }
  });
});
