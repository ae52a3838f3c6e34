import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { IS_LONG } from '../../e2e/support/longRun.ts';
import { takeLock } from './lockFile.ts';

const root = await mkdtemp(join(tmpdir(), 'cellar-lock-'));
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(() => rm(root, { recursive: true, force: true }));

const OVERLAP = 9;

/**
 * A process that takes the lock once for each use, with a life socket as workers do or without one as
 * notebooks do. While it uses what the lock guards it has a file that no other process may have at the same time. A killed
 * process removes it first: its socket is closed before its process id is free, so that its successor may still see it alive.
 */
const TAKER = `
  const { readFileSync, rmSync, writeFileSync } = await import('node:fs');
  const { dirname } = await import('node:path');
  const { setTimeout: pause } = await import('node:timers/promises');
  const { newLifeName, takeLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lockFile.ts'))});
  const { openLifeSocket } = await import(${JSON.stringify(join(import.meta.dirname, 'lifeSocket.ts'))});
  const [path, uses] = [process.argv[1], JSON.parse(process.argv[2])];
  const inside = path + '.inside';
  const holderOf = () => { try { return Number(readFileSync(inside, 'utf8')); } catch { return 0; } };
  for (const { hasSocket, isKilled } of uses) {
    const life = newLifeName(path);
    const socket = hasSocket ? await openLifeSocket(dirname(path), life) : null;
    const take = () => takeLock(path, socket === null ? {} : { life });
    let lock = await take();
    while (lock.kind === 'busy') {
      await pause(5);
      lock = await take();
    }
    const holder = holderOf();
    if (holder !== 0 && holder !== process.pid) process.exit(${OVERLAP});
    writeFileSync(inside, String(process.pid));
    await pause(2);
    if (holderOf() !== process.pid) process.exit(${OVERLAP});
    rmSync(inside);
    if (isKilled) process.kill(process.pid, 'SIGKILL');
    await lock.release();
    await socket?.close();
  }
`;

interface Use {
  readonly hasSocket: boolean;
  readonly isKilled: boolean;
}

/** Resolves with the exit code, or with the signal that ended the process. */
function taker(path: string, uses: readonly Use[]): Promise<number | string | null> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', TAKER, path, JSON.stringify(uses)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  return new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));
}

const dead = { pid: 2 ** 22 - 1, host: hostname(), startedAt: '', processStart: '1', token: 'dead' };
const STALE: Readonly<Record<string, string | null>> = {
  nothing: null,
  'an empty file, as a full disk or a kill leaves it': '',
  'half a file': '{"pid":',
  'a dead holder': JSON.stringify(dead),
};

let count = 0;
const use = fc.record({ hasSocket: fc.boolean(), isKilled: fc.boolean() });
test('[AR-46] of two to four processes one holds the lock at a time, however the others end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(STALE)),
      fc.array(fc.array(use, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 }),
      async (state, processes) => {
        count += 1;
        const path = join(root, `${count}.lock`);
        const text = STALE[state] ?? null;
        if (text !== null) await writeFile(path, text);
        const ends = await Promise.all(processes.map((uses) => taker(path, uses)));
        expect(ends).toEqual(
          processes.map((uses) => (uses.some(({ isKilled }) => isKilled) ? 'SIGKILL' : 0)),
        );
        const lock = await takeLock(path);
        expect(lock.kind).toBe('held');
        if (lock.kind === 'held') await lock.release();
      },
    ),
    { numRuns: IS_LONG ? 40 : 4 },
  );
});
