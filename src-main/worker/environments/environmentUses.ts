import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { errnoOf, nullIfMissing } from '../../lib/atomicFile.ts';
import { jsonOf } from '../../lib/jsonOf.ts';
import { isSameRunning, ownMark } from '../../lib/processMark.ts';

const mark = z.object({
  pid: z.number().int(),
  host: z.string(),
  processStart: z.string().nullable(),
  boot: z.string().nullable(),
  pidSpace: z.string().nullable(),
});

/** What another machine says it uses is believed for so long after it said so. */
const BELIEVED_MS = 24 * 60 * 60 * 1000;
/** A use is written down again after so long. */
const SAID_AGAIN_MS = 60 * 60 * 1000;
/** When an environment was used is written down at most so often. */
const TOUCH_MS = 60_000;

/**
 * Which environments on the disk are in use. A worker marks one by a file beside it (`<dir>.use-<token>`) before it
 * looks whether it is whole, and whoever removes one takes its marker away before it looks for such files: one of the
 * two sees the other.
 */
export interface EnvironmentUses {
  /** @returns what ends the use */
  begin(dir: string): Promise<() => void>;
  /** Whether a run of this worker is in it, one ended there lately, or another worker says that it uses it. */
  isUsed(dir: string): Promise<boolean>;
  /** Takes back the marks of environments that nothing of this worker has used lately. */
  forgetIdle(): void;
  close(): Promise<void>;
}

interface Here {
  running: number;
  usedAtMs: number;
  saidAtMs: number;
  touchedAtMs: number;
}

/** @param lingerMs how long after its last run an environment may still have warm processes */
export function createEnvironmentUses({
  lingerMs,
  now = Date.now,
}: {
  readonly lingerMs: number;
  readonly now?: () => number;
}): EnvironmentUses {
  const token = randomBytes(8).toString('hex');
  const here = new Map<string, Here>();
  const fileOf = (dir: string): string => `${dir}.use-${token}`;

  async function say(dir: string, one: Here): Promise<void> {
    if (now() - one.saidAtMs < SAID_AGAIN_MS) return;
    const draft = `${fileOf(dir)}.tmp`;
    await writeFile(draft, JSON.stringify(await ownMark()), { mode: 0o600 });
    await rename(draft, fileOf(dir));
    one.saidAtMs = now();
  }

  const isIdle = ({ running, usedAtMs }: Here): boolean => running === 0 && now() - usedAtMs >= lingerMs;

  return {
    async begin(dir) {
      const one = here.get(dir) ?? { running: 0, usedAtMs: 0, saidAtMs: 0, touchedAtMs: 0 };
      here.set(dir, one);
      one.running += 1;
      one.usedAtMs = now();
      let isRunning = true;
      const end = (): void => {
        if (!isRunning) return;
        isRunning = false;
        one.running -= 1;
        one.usedAtMs = now();
      };
      try {
        await say(dir, one);
        if (now() - one.touchedAtMs >= TOUCH_MS) {
          await touchUsed(dir, now());
          one.touchedAtMs = now();
        }
        return end;
      } catch (error) {
        end();
        throw error;
      }
    },
    async isUsed(dir) {
      const own = here.get(dir);
      if (own !== undefined && !isIdle(own)) return true;
      const others = (await marksOf(dir)).filter((file) => file !== fileOf(dir));
      const used = await Promise.all(others.map((file) => isInUse(file, now())));
      return used.includes(true);
    },
    forgetIdle() {
      for (const [dir, one] of here) {
        if (!isIdle(one)) continue;
        here.delete(dir);
        // At once: a run that begins meanwhile would lose its mark.
        rmSync(fileOf(dir), { force: true });
      }
    },
    async close() {
      await Promise.all(Array.from(here.keys(), (dir) => rm(fileOf(dir), { force: true })));
      here.clear();
    },
  };
}

const MARK = /^[0-9a-f]{32}\.use-[0-9a-f]{16}$/;

async function marksOf(dir: string): Promise<readonly string[]> {
  const names = await readdir(dirname(dir));
  const prefix = `${basename(dir)}.use-`;
  return names
    .filter((name) => name.startsWith(prefix) && MARK.test(name))
    .map((name) => join(dirname(dir), name));
}

/** Removes the mark of a worker that is gone. */
async function isInUse(file: string, nowMs: number): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(nullIfMissing);
  const info = await stat(file).catch(nullIfMissing);
  if (text === null || info === null) return false;
  const read = mark.safeParse(jsonOf(text));
  const running = read.success ? await isSameRunning(read.data) : 'gone';
  // Another worker of this process, in tests, is as alive as we are.
  if (running === 'runs' || running === 'this process') return true;
  if (running === 'elsewhere' && nowMs - info.mtimeMs < BELIEVED_MS) return true;
  await rm(file, { force: true });
  return false;
}

/** Beside an environment: when it was used last, and what it takes on the disk once that was counted. */
export function usedFile(dir: string): string {
  return `${dir}.used`;
}

/** Says when an environment was used last. */
export async function touchUsed(dir: string, atMs: number): Promise<void> {
  const at = atMs / 1000;
  try {
    await utimes(usedFile(dir), at, at);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    await writeFile(usedFile(dir), '', { mode: 0o600 });
    await utimes(usedFile(dir), at, at);
  }
}
