/** Marks the environments on a worker's disk that are in use, so that no other worker removes them. */

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { errnoOf, nullIfMissing } from '../../lib/atomicFile.ts';
import { isSameRunning, ownMark } from '../../lib/processMark.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';

const mark = z.object({
  pid: z.number().int(),
  host: z.string(),
  processStart: z.string().nullable(),
  boot: z.string().nullable(),
  pidSpace: z.string().nullable(),
});

/** How long a mark of another machine is valid after it was written. */
const FOREIGN_MARK_MS = 24 * 60 * 60 * 1000;
/** A mark is rewritten after this time. */
const REWRITE_MS = 60 * 60 * 1000;
/** The time of the last use is written at most this often. */
const TOUCH_MS = 60_000;

/**
 * The environments on the disk that are in use. A worker writes a mark beside an environment (`<dir>.use-<token>`)
 * before it checks that the environment is complete; a remover deletes the completeness marker before it looks for such
 * marks. So at least one of the two notices the other.
 */
export interface EnvironmentUses {
  /** Marks an environment as used. @returns a function that ends the use */
  begin(dir: string): Promise<() => void>;
  /** Whether a run of this worker uses it or did recently, or another worker's mark says so. */
  isUsed(dir: string): Promise<boolean>;
  /** Removes the marks of environments that this worker has not used recently. */
  forgetIdle(): void;
  close(): Promise<void>;
}

interface Use {
  running: number;
  usedAtMs: number;
  markedAtMs: number;
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
  const uses = new Map<string, Use>();
  const fileOf = (dir: string): string => `${dir}.use-${token}`;

  async function writeMark(dir: string, one: Use): Promise<void> {
    if (now() - one.markedAtMs < REWRITE_MS) return;
    const draft = `${fileOf(dir)}.tmp`;
    await writeFile(draft, JSON.stringify(await ownMark()), { mode: 0o600 });
    await rename(draft, fileOf(dir));
    one.markedAtMs = now();
  }

  const isIdle = ({ running, usedAtMs }: Use): boolean => running === 0 && now() - usedAtMs >= lingerMs;

  return {
    async begin(dir) {
      const one = uses.get(dir) ?? { running: 0, usedAtMs: 0, markedAtMs: 0, touchedAtMs: 0 };
      uses.set(dir, one);
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
        await writeMark(dir, one);
        if (now() - one.touchedAtMs >= TOUCH_MS) {
          await recordLastUse(dir, now());
          one.touchedAtMs = now();
        }
        return end;
      } catch (error) {
        end();
        throw error;
      }
    },
    async isUsed(dir) {
      const own = uses.get(dir);
      if (own !== undefined && !isIdle(own)) return true;
      const others = (await marksOf(dir)).filter((file) => file !== fileOf(dir));
      const inUse = await Promise.all(others.map((file) => isInUse(file, now())));
      return inUse.includes(true);
    },
    forgetIdle() {
      for (const [dir, one] of uses) {
        if (!isIdle(one)) continue;
        uses.delete(dir);
        // Synchronous: otherwise a run that begins meanwhile would lose its mark.
        rmSync(fileOf(dir), { force: true });
      }
    },
    async close() {
      await Promise.all(Array.from(uses.keys(), (dir) => rm(fileOf(dir), { force: true })));
      uses.clear();
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

/** Whether a mark is valid. Removes the mark of a worker that no longer runs. */
async function isInUse(file: string, nowMs: number): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(nullIfMissing);
  const info = await stat(file).catch(nullIfMissing);
  if (text === null || info === null) return false;
  const parsed = mark.safeParse(tryParseJson(text));
  const running = parsed.success ? await isSameRunning(parsed.data) : 'gone';
  // In tests, several workers run in this process.
  if (running === 'runs' || running === 'this process') return true;
  if (running === 'elsewhere' && nowMs - info.mtimeMs < FOREIGN_MARK_MS) return true;
  await rm(file, { force: true });
  return false;
}

/** The file beside an environment with the time of its last use and, once measured, its size. */
export function lastUseFile(dir: string): string {
  return `${dir}.used`;
}

/** Records when an environment was last used. */
export async function recordLastUse(dir: string, atMs: number): Promise<void> {
  const at = atMs / 1000;
  try {
    await utimes(lastUseFile(dir), at, at);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    await writeFile(lastUseFile(dir), '', { mode: 0o600 });
    await utimes(lastUseFile(dir), at, at);
  }
}
