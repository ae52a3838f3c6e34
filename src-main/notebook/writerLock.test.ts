import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IS_LONG } from '../../e2e/support/longRun.ts';
import { notebookFolder } from './folder/notebookFolder.ts';
import { removeNotebook } from './removeNotebook.ts';
import { acquireWriter } from './writerLock.ts';

let dir = notebookFolder('');
const children = new Set<ChildProcess>();
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-lock-')));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await rm(dir, { recursive: true, force: true });
});

/** A process that takes the lock on request, prints the result, and holds it until it is killed. */
const CONTENDER = `
  const { acquireWriter } = await import(${JSON.stringify(join(import.meta.dirname, 'writerLock.ts'))});
  process.stdin.once('data', async () => {
    const got = await acquireWriter(process.argv[1]);
    process.stdout.write(got.kind + ' ' + (got.kind === 'busy' ? got.pid : process.pid));
  });
  process.stdout.write('ready');
`;

async function contender(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CONTENDER, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  await said(child);
  return child;
}

function said(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.stdout?.once('data', (data) => resolve(String(data))));
}

async function contend(child: ChildProcess): Promise<string> {
  const answer = said(child);
  child.stdin?.write('go');
  return answer;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
  children.delete(child);
}

test('[NF-22] a second process is refused and gets the holder; a released lock is free', async () => {
  const mine = await acquireWriter(dir);
  expect(await acquireWriter(dir)).toEqual({ kind: 'busy', pid: process.pid, host: hostname() });
  expect(await contend(await contender())).toBe(`busy ${process.pid}`);
  if (mine.kind === 'held') await mine.release();
  expect(await readdir(join(dir, '.svc'))).toEqual([]);
  const next = await contender();
  expect(await contend(next)).toBe(`held ${next.pid}`);
  expect(await acquireWriter(dir)).toEqual({ kind: 'busy', pid: next.pid, host: hostname() });
});

const ROUNDS = IS_LONG ? 30 : 3;

test('of many processes that find the holder killed, exactly one takes over, every time', async () => {
  let holder = await contender();
  await contend(holder);
  for (let round = 0; round < ROUNDS; round += 1) {
    const rivals = await Promise.all([contender(), contender(), contender()]);
    await kill(holder);
    const answers = await Promise.all(rivals.map(contend));
    const winners = rivals.filter((_, index) => answers[index]?.startsWith('held'));
    const [winner] = winners;
    expect(winners).toHaveLength(1);
    expect(answers.filter((answer) => answer === `busy ${winner?.pid}`)).toHaveLength(2);
    expect(await readdir(join(dir, '.svc'))).toEqual(['writer.lock']);
    if (winner !== undefined) holder = winner;
  }
});

const dead = { pid: 2 ** 22 - 1, host: hostname(), startedAt: '', processStart: '1', token: 'dead' };

const elsewhere = { ...dead, pid: process.pid, host: 'elsewhere', token: 'other' };
const boot = readFileIfThere('/proc/sys/kernel/random/boot_id');

interface Found {
  readonly name: string;
  readonly files: Readonly<Record<string, object | string | { readonly link: string }>>;
  readonly gets: 'held' | 'busy' | RegExp;
}

/** The content of the lock file, and whether the next process gets the lock. */
const rows: readonly Found[] = [
  { name: 'a dead process', files: { 'writer.lock': dead }, gets: 'held' },
  { name: 'an empty file', files: { 'writer.lock': '' }, gets: 'held' },
  {
    name: 'a process id that now belongs to another process',
    files: { 'writer.lock': { ...dead, pid: process.ppid } },
    gets: 'held',
  },
  {
    name: 'our own process id from before a container restart',
    files: { 'writer.lock': { ...dead, pid: process.pid } },
    gets: 'held',
  },
  {
    name: 'a process from before the system restarted',
    files: { 'writer.lock': { ...dead, pid: process.ppid, processStart: null, boot: 'an earlier one' } },
    gets: boot === null ? 'busy' : 'held',
  },
  { name: 'another machine, which cannot be asked', files: { 'writer.lock': elsewhere }, gets: 'busy' },
  {
    name: 'a dead process of this machine under an earlier name',
    files: {
      'writer.lock': { ...dead, host: 'before', boot, pidSpace: readLinkIfThere('/proc/self/ns/pid') },
    },
    gets: boot === null ? 'busy' : 'held',
  },
  {
    name: 'another container of this machine, which cannot be asked',
    files: { 'writer.lock': { ...elsewhere, boot, pidSpace: 'pid:[1]' } },
    gets: 'busy',
  },
  {
    name: 'a name that would lead out of the folder',
    files: { 'writer.lock': { ...dead, token: '/../../../x' } },
    gets: 'held',
  },
  { name: 'a damaged file', files: { 'writer.lock': '{"pid":' }, gets: 'held' },
  { name: 'a dangling link', files: { 'writer.lock': { link: '../outside/x' } }, gets: 'held' },
  { name: 'a link to a file', files: { 'writer.lock': { link: '../notebook.toml' } }, gets: 'held' },
  { name: 'a link to itself', files: { 'writer.lock': { link: 'writer.lock' } }, gets: 'held' },
  { name: 'a folder', files: { 'writer.lock/x': '' }, gets: /is not a lock that Cellar made/ },
  {
    name: 'a megabyte',
    files: { 'writer.lock': 'x'.repeat(1 << 20) },
    gets: /is not a lock that Cellar made/,
  },
  {
    name: 'a successor that died before it took over',
    files: { 'writer.lock': dead, 'writer.lock.after-dead': { ...dead, token: 'second' } },
    gets: 'held',
  },
  {
    name: 'a live successor that has not taken over yet',
    files: {
      'writer.lock': dead,
      'writer.lock.after-dead': { ...dead, pid: process.ppid, processStart: null, token: 'second' },
    },
    gets: 'busy',
  },
  {
    name: 'a holder that succeeds itself',
    files: { 'writer.lock': dead, 'writer.lock.after-dead': dead },
    gets: 'held',
  },
  {
    name: 'two that succeed each other',
    files: {
      'writer.lock': dead,
      'writer.lock.after-dead': { ...dead, token: 'second' },
      'writer.lock.after-second': dead,
    },
    gets: 'held',
  },
  {
    name: 'a successor that is a dangling link',
    files: { 'writer.lock': dead, 'writer.lock.after-dead': { link: '/nowhere/x' } },
    gets: 'held',
  },
  {
    name: 'a thousand successors',
    files: Object.fromEntries([
      ['writer.lock', { ...dead, token: 't0' }],
      ...Array.from({ length: 1000 }, (_, n) => [`writer.lock.after-t${n}`, { ...dead, token: `t${n + 1}` }]),
    ]),
    gets: /is not a lock that Cellar made/,
  },
];

for (const { name, files, gets } of rows) {
  test(`[SG-40] found: ${name}`, async () => {
    await mkdir(join(dir, '.svc'));
    await writeFile(join(dir, 'notebook.toml'), 'mine');
    for (const [file, content] of Object.entries(files)) {
      const path = join(dir, '.svc', file);
      await mkdir(dirname(path), { recursive: true });
      if (isLink(content)) await symlink(content.link, path);
      else await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    }
    if (gets instanceof RegExp) {
      await expect(acquireWriter(notebookFolder(dir))).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringMatching(gets),
      });
    } else expect((await acquireWriter(notebookFolder(dir))).kind).toBe(gets);
    if (gets === 'held') expect(await readdir(join(dir, '.svc'))).toEqual(['writer.lock']);
    expect((await readdir(dir)).toSorted()).toEqual(['.svc', 'notebook.toml']);
    expect(await readFile(join(dir, 'notebook.toml'), 'utf8')).toBe('mine');
  });
}

test('[SG-40] of many processes that find a cycle of successors, exactly one takes over', async () => {
  for (let round = 0; round < 5; round += 1) {
    await rm(join(dir, '.svc'), { recursive: true, force: true });
    await mkdir(join(dir, '.svc'));
    for (const [file, token] of [
      ['writer.lock', 'A'],
      ['writer.lock.after-A', 'B'],
      ['writer.lock.after-B', 'A'],
    ] as const) {
      await writeFile(join(dir, '.svc', file), JSON.stringify({ ...dead, token }));
    }
    const writers = await Promise.all(Array.from({ length: 6 }, () => acquireWriter(dir)));
    expect(writers.filter(({ kind }) => kind === 'held')).toHaveLength(1);
    for (const one of writers) if (one.kind === 'held') await one.release();
    expect(await readdir(join(dir, '.svc'))).toEqual([]);
  }
});

function isLink(content: object | string): content is { readonly link: string } {
  return typeof content === 'object' && 'link' in content;
}

function readFileIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

function readLinkIfThere(path: string): string | null {
  return existsSync(path) ? readlinkSync(path) : null;
}

test('[NF-22] a folder that was moved while it was open is free once its session ended', async () => {
  const notebook = notebookFolder(join(dir, 'notebook'));
  const moved = notebookFolder(join(dir, 'moved'));
  await mkdir(notebook);
  const mine = await acquireWriter(notebook);
  if (mine.kind !== 'held') throw new Error('free at first');
  await rename(notebook, moved);
  expect((await acquireWriter(moved)).kind).toBe('busy');
  await mine.release();
  expect((await acquireWriter(moved)).kind).toBe('held');
});

test('[NF-22] a missing folder is not created again by any caller', async () => {
  const missing = notebookFolder(join(dir, 'gone'));
  const results = await Promise.allSettled([acquireWriter(missing), removeNotebook(missing)]);
  expect(results).toMatchObject(
    Array.from(results, () => ({
      status: 'rejected',
      reason: { code: 'not_found', message: expect.stringContaining(missing) },
    })),
  );
  expect(await readdir(dir)).toEqual([]);
});

test('[NF-23] a link in place of .svc is refused and its target is unchanged', async () => {
  const precious = join(dir, 'precious');
  await mkdir(join(precious, 'tmp'), { recursive: true });
  await symlink(precious, join(dir, '.svc'));
  await expect(acquireWriter(dir)).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('is a link'),
  });
  expect(await readdir(precious)).toEqual(['tmp']);
});
