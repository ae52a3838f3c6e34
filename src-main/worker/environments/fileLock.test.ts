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

let made = 0;
const newPath = (): string => {
  made += 1;
  return join(root, `${made}.lock`);
};
const never = new AbortController().signal;
const HOUR_MS = 3_600_000;

const dead = { pid: 2 ** 22 - 1, host: hostname(), startedAt: '', processStart: '1', token: 'dead' };
/** What lies there although nobody holds it. */
const LEFT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nothing: {},
  'an empty file, as a full disk leaves': { '': '' },
  'half a file': { '': '{"pid":' },
  'a dead owner': { '': JSON.stringify(dead) },
  'a dead owner of an earlier version': { '': String(dead.pid) },
  'a dead owner and a dead successor': {
    '': JSON.stringify(dead),
    '.after-dead': JSON.stringify({ ...dead, token: 'second' }),
  },
  'an owner whose number is that of another process now': {
    '': JSON.stringify({ ...dead, pid: process.ppid, processStart: 'earlier' }),
  },
};

test.each(Object.entries(LEFT))('[SO-235] %s is nobody’s: the lock is had at once', async (_name, files) => {
  const path = newPath();
  for (const [end, text] of Object.entries(files)) await writeFile(path + end, text);
  expect(await underFileLock(path, { waitMs: 0, signal: never }, async () => 'done')).toBe('done');
  expect((await readdir(root)).filter((name) => name.startsWith(`${made}.lock`))).toEqual([]);
});

test('[SO-235] of any number that find the same, one at a time has it, and all have had it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(LEFT)),
      fc.array(fc.record({ steps: fc.nat(3), fails: fc.boolean() }), { minLength: 2, maxLength: 5 }),
      async (left, takers) => {
        const path = newPath();
        for (const [end, text] of Object.entries(LEFT[left] ?? {})) await writeFile(path + end, text);
        let inside = 0;
        let most = 0;
        const ends = await Promise.allSettled(
          takers.map(({ steps, fails }) =>
            underFileLock(path, { waitMs: HOUR_MS, signal: never }, async () => {
              inside += 1;
              most = Math.max(most, inside);
              for (let step = 0; step < steps; step += 1) await readdir(root);
              inside -= 1;
              if (fails) throw new Error('of the work');
            }),
          ),
        );
        expect(most).toBe(1);
        expect(ends.map(({ status }) => status === 'rejected')).toEqual(takers.map(({ fails }) => fails));
        expect((await readdir(root)).filter((name) => name.startsWith(`${made}.lock`))).toEqual([]);
      },
    ),
    { numRuns: 12 },
  );
});

/** Takes the lock in a process of its own, says so, and holds it until it is killed. */
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
  await new Promise((held) => child.stdout?.once('data', held));
  return child;
}

test('[SO-235] a live owner is waited for, and named when it takes too long; a killed one is succeeded', async () => {
  const path = newPath();
  const owner = await holder(path);
  const asked = underFileLock(path, { waitMs: 0, signal: never }, async () => 'done');
  await expect(asked).rejects.toThrow(`process ${owner.pid} on ${hostname()} has held ${path}`);
  const waiting = underFileLock(path, { waitMs: HOUR_MS, signal: never }, async () => 'done');
  owner.kill('SIGKILL');
  expect(await waiting).toBe('done');
});

test('[SO-235] a waiter that gives up waits no longer', async () => {
  const path = newPath();
  await holder(path);
  const giveUp = new AbortController();
  const asked = underFileLock(path, { waitMs: HOUR_MS, signal: giveUp.signal }, async () => 'done');
  giveUp.abort();
  await expect(asked).rejects.toThrow(/abort/i);
});

/** A process of its own with a life socket, and nothing else of a lock. */
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

describe.skipIf(process.platform !== 'linux')('[WK-46] a holder of another container of this machine', () => {
  const ended = async (child: ChildProcess): Promise<void> => {
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
  };
  const asked = (path: string) => underFileLock(path, { waitMs: 0, signal: never }, async () => 'done');
  const lockOf = async (path: string, changes: object): Promise<string> => {
    const life = newLifeName(path);
    const { boot } = await ownMark();
    const mark = { ...dead, host: 'a-container', boot, pidSpace: 'pid:[1]', life, ...changes };
    await writeFile(path, JSON.stringify(mark));
    return life;
  };

  it.each([
    ['under another name', {}],
    ['under our name, its number being another process here', { host: hostname(), pid: process.ppid }],
    ['under our name, its number being none here', { host: hostname() }],
  ])('%s is waited for while it lives, and succeeded at once when it is gone', async (_name, changes) => {
    const path = newPath();
    const child = await livingProcess(await lockOf(path, changes));
    await expect(asked(path)).rejects.toThrow(/has held/);
    await ended(child);
    expect(await asked(path)).toBe('done');
    expect((await readdir(root)).filter((name) => name.startsWith(`${made}.lock`))).toEqual([]);
  });

  it.each([
    ['of another machine, whose sockets say nothing here', { boot: 'another' }],
    ['whose socket is not there', { life: '1.lock.life-0123456789abcdef' }],
    ['that names a socket of another lock', { life: 'other.life-0123456789abcdef' }],
    ['that has none', { life: undefined }],
  ])('%s is waited for', async (_name, changes) => {
    const path = newPath();
    const life = await lockOf(path, changes);
    await ended(await livingProcess(life));
    await expect(asked(path)).rejects.toThrow(/has held/);
  });

  it('nothing but its own socket is removed for it', async () => {
    const path = newPath();
    const life = await lockOf(path, { life: '../x.life-0123456789abcdef', host: hostname(), pidSpace: null });
    await writeFile(join(root, life), '');
    expect(await asked(path)).toBe('done');
    expect(await readdir(root)).toContain(life);
  });
});

test('[WK-46] a folder with a long name takes a socket all the same', async () => {
  const deep = join(root, 'd'.repeat(200));
  await mkdir(deep);
  expect(
    await underFileLock(join(deep, 'l.lock'), { waitMs: 0, signal: never }, () => readdir(deep)),
  ).toEqual(process.platform === 'linux' ? ['l.lock', expect.stringMatching(/^l\.lock\.life-/)] : ['l.lock']);
  expect(await readdir(deep)).toEqual([]);
});
