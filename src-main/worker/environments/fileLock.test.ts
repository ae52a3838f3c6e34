import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, test } from 'vitest';
import { newLifeName } from '../../lib/lockFile.ts';
import { ownMark } from '../../lib/processMark.ts';
import { underFileLock } from './fileLock.ts';

const root = await mkdtemp(join(tmpdir(), 'cellar-file-lock-'));
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(() => rm(root, { recursive: true, force: true }));

let lockCount = 0;
const newPath = (): string => {
  lockCount += 1;
  return join(root, `${lockCount}.lock`);
};
const never = new AbortController().signal;
const HOUR_MS = 3_600_000;

const dead = { pid: 2 ** 22 - 1, host: hostname(), startedAt: '', processStart: '1', token: 'dead' };
/** Files of a lock that no process holds. */
const STALE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nothing: {},
  'an empty file, as a full disk leaves it': { '': '' },
  'half a file': { '': '{"pid":' },
  'a dead owner': { '': JSON.stringify(dead) },
  'a dead owner of an earlier version': { '': String(dead.pid) },
  'a dead owner and a dead successor': {
    '': JSON.stringify(dead),
    '.after-dead': JSON.stringify({ ...dead, token: 'second' }),
  },
  'a dead owner whose pid is that of another process': {
    '': JSON.stringify({ ...dead, pid: process.ppid, processStart: 'earlier' }),
  },
};

test.each(Object.entries(STALE))('[SO-235] %s: the lock is taken immediately', async (_name, files) => {
  const path = newPath();
  for (const [end, text] of Object.entries(files)) await writeFile(path + end, text);
  expect(await underFileLock(path, { waitMs: 0, signal: never }, async () => 'done')).toBe('done');
  expect((await readdir(root)).filter((name) => name.startsWith(`${lockCount}.lock`))).toEqual([]);
});

test('[SO-235] any number of waiters take the lock, one at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(STALE)),
      fc.array(fc.record({ steps: fc.nat(3), fails: fc.boolean() }), { minLength: 2, maxLength: 5 }),
      async (state, takers) => {
        const path = newPath();
        for (const [end, text] of Object.entries(STALE[state] ?? {})) await writeFile(path + end, text);
        let inside = 0;
        let maxInside = 0;
        const ends = await Promise.allSettled(
          takers.map(({ steps, fails }) =>
            underFileLock(path, { waitMs: HOUR_MS, signal: never }, async () => {
              inside += 1;
              maxInside = Math.max(maxInside, inside);
              for (let step = 0; step < steps; step += 1) await readdir(root);
              inside -= 1;
              if (fails) throw new Error('the work failed');
            }),
          ),
        );
        expect(maxInside).toBe(1);
        expect(ends.map(({ status }) => status === 'rejected')).toEqual(takers.map(({ fails }) => fails));
        expect((await readdir(root)).filter((name) => name.startsWith(`${lockCount}.lock`))).toEqual([]);
      },
    ),
    { numRuns: 12 },
  );
});

/** A process that takes the lock and holds it until it is killed. */
async function holder(path: string): Promise<ChildProcess> {
  const script = `
    const { underFileLock } = await import(${JSON.stringify(join(import.meta.dirname, 'fileLock.ts'))});
    const { signal } = new AbortController();
    await underFileLock(process.argv[1], { waitMs: 0, signal }, async () => {
      process.stdout.write('held');
      process.stdin.resume();
      await new Promise(() => {});
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  await new Promise((done) => child.stdout?.once('data', done));
  return child;
}

test('[SO-235] waits for a live owner, names it after the timeout, and takes the lock of a killed one', async () => {
  const path = newPath();
  const owner = await holder(path);
  const impatient = underFileLock(path, { waitMs: 0, signal: never }, async () => 'done');
  await expect(impatient).rejects.toThrow(`process ${owner.pid} on ${hostname()} has held ${path}`);
  const waiting = underFileLock(path, { waitMs: HOUR_MS, signal: never }, async () => 'done');
  owner.kill('SIGKILL');
  expect(await waiting).toBe('done');
});

test('[SO-235] an aborted waiter stops waiting', async () => {
  const path = newPath();
  await holder(path);
  const controller = new AbortController();
  const waiting = underFileLock(path, { waitMs: HOUR_MS, signal: controller.signal }, async () => 'done');
  controller.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});

/** A process with a life socket, but without a lock. */
async function livingProcess(name: string): Promise<ChildProcess> {
  const script = `
    const { openLifeSocket } = await import(${JSON.stringify(join(import.meta.dirname, '../../lib/lifeSocket.ts'))});
    const socket = await openLifeSocket(process.argv[1], process.argv[2]);
    process.stdout.write(String(socket !== null));
    process.stdin.resume();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, root, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  await new Promise((done) => child.stdout?.once('data', done));
  return child;
}

describe.skipIf(process.platform !== 'linux')('[WK-46] a holder in another container on this machine', () => {
  const kill = async (child: ChildProcess): Promise<void> => {
    const exit = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await exit;
  };
  const takeLockAt = (path: string) => underFileLock(path, { waitMs: 0, signal: never }, async () => 'done');
  const lockOf = async (path: string, changes: object): Promise<string> => {
    const life = newLifeName(path);
    const { boot } = await ownMark();
    const mark = { ...dead, host: 'a-container', boot, pidSpace: 'pid:[1]', life, ...changes };
    await writeFile(path, JSON.stringify(mark));
    return life;
  };

  it.each([
    ['with another host name', {}],
    ['with our host name and a pid that another process has here', { host: hostname(), pid: process.ppid }],
    ['with our host name and a pid that no process has here', { host: hostname() }],
  ])(
    'waits for one %s while it lives, and takes its lock immediately when it has ended',
    async (_name, changes) => {
      const path = newPath();
      const child = await livingProcess(await lockOf(path, changes));
      await expect(takeLockAt(path)).rejects.toThrow(/has held/);
      await kill(child);
      expect(await takeLockAt(path)).toBe('done');
      expect((await readdir(root)).filter((name) => name.startsWith(`${lockCount}.lock`))).toEqual([]);
    },
  );

  it.each([
    ['of another machine, whose sockets cannot be checked here', { boot: 'another' }],
    ['whose socket does not exist', { life: '1.lock.life-0123456789abcdef' }],
    ['that names a socket of another lock', { life: 'other.life-0123456789abcdef' }],
    ['without a socket', { life: undefined }],
  ])('waits for one %s', async (_name, changes) => {
    const path = newPath();
    const life = await lockOf(path, changes);
    await kill(await livingProcess(life));
    await expect(takeLockAt(path)).rejects.toThrow(/has held/);
  });

  it('removes no file but the socket of the lock', async () => {
    const path = newPath();
    const life = await lockOf(path, { life: '../x.life-0123456789abcdef', host: hostname(), pidSpace: null });
    await writeFile(join(root, life), '');
    expect(await takeLockAt(path)).toBe('done');
    expect(await readdir(root)).toContain(life);
  });
});

test('[WK-46] creates a socket even in a folder with a long path', async () => {
  const deep = join(root, 'd'.repeat(200));
  await mkdir(deep);
  expect(
    await underFileLock(join(deep, 'l.lock'), { waitMs: 0, signal: never }, () => readdir(deep)),
  ).toEqual(process.platform === 'linux' ? ['l.lock', expect.stringMatching(/^l\.lock\.life-/)] : ['l.lock']);
  expect(await readdir(deep)).toEqual([]);
});
