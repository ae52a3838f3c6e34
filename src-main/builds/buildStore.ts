/** Stores signed builds so that they outlive the server process, if an artifact folder is configured. */

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredBuilds } from '../artifacts/storedBuilds.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { buildOfRow, rowOfBuild } from './buildRow.ts';
import { createServedBuild, failedWith, type ServedBuild } from './servedBuild.ts';

/** What outlives the process: rows in the artifact database, and a folder for each build's output. */
export interface BuildStoreOptions {
  readonly rows: StoredBuilds;
  /** Contains a folder for each build. */
  readonly dir: string;
  /** The name of this process among the servers that share the folder. */
  readonly owner: string;
  readonly ownerMayLive: (owner: string) => boolean;
  /** Reads a complete output that no caller waits for. @throws OutputProblem */
  readonly check: (file: string) => Promise<void>;
  /** SVC_ARTIFACT_ZOMBIE_BUILD_TIMEOUT_SECONDS. */
  readonly zombieSeconds: number;
  /** Called when something could not be stored: such a build does not outlive its process. */
  readonly onProblem: (message: string) => void;
}

export interface BuildStore {
  readonly dirOf: (buildId: string) => string;
  /** Stores the current state; a failure is reported, and the build continues. */
  write(build: ServedBuild): Promise<void>;
  /** Takes over a build of a dead process; null if there is none. */
  adopt(buildId: string): Promise<ServedBuild | null>;
  /** Fails abandoned builds, and deletes old ones. `clear` deletes a build's objects from a bucket. */
  sweep(nowSeconds: number, clear: (build: ServedBuild) => void): Promise<void>;
  close(): Promise<void>;
}

/** @param options `secret`: the signing secret if one is configured; then no row contains it */
export function createBuildStore(
  options: BuildStoreOptions & { readonly secret: string | null },
): BuildStore {
  const { secret, rows, dir, owner, ownerMayLive, check, zombieSeconds, onProblem } = options;
  const dirOf = (buildId: string): string => join(dir, buildId);
  const write = async (build: ServedBuild): Promise<void> => {
    try {
      await rows.save(rowOfBuild(secret === null ? build : { ...build, key: '' }, owner));
    } catch (error) {
      onProblem(
        `Build ${build.buildId} could not be saved, so it is lost if this program ends: ${String(error)}`,
      );
    }
  };
  const adopt: BuildStore['adopt'] = async (buildId) => {
    const row = await rows.load(buildId);
    if (row === null || row.heldBy === owner || ownerMayLive(row.heldBy)) return null;
    const of = buildOfRow(row);
    if (of === null || !(await rows.claim(buildId, { from: row.heldBy, to: owner }))) return null;
    return createServedBuild({ ...of, key: secret ?? of.key, accept: check, onConsole: null });
  };
  return {
    dirOf,
    write,
    adopt,
    async sweep(nowSeconds, clear) {
      for (const row of await rows.all()) {
        const isOurs = row.heldBy === owner;
        if (!isOurs && ownerMayLive(row.heldBy)) continue;
        const isOld = nowSeconds - (row.completedAt ?? row.createdAt) > zombieSeconds;
        if (!isOld || (isOurs && row.state === 'building')) continue;
        const build = isOurs ? null : await adopt(row.buildId);
        if (build !== null && build.end === null && nowSeconds < lastSecondOf(build)) continue;
        if (build !== null && build.end === null) {
          build.end = failedWith(
            'BUILD_FAILED',
            'The server that started the build ended, and no result was delivered in time',
          );
          build.endedAt = nowSeconds;
          clear(build);
          await write(build);
          continue;
        }
        if (row.attempts.some(({ writableUntil }) => writableUntil > nowSeconds)) continue;
        if (build !== null) clear(build);
        await rm(dirOf(row.buildId), { recursive: true, force: true });
        await rows.remove(row.buildId);
      }
      await dropUnknown(dir, { rows, olderThanMs: (nowSeconds - zombieSeconds) * 1000 });
    },
    close: () => rows.close(),
  };
}

/** The end of the last delivery period: a renewed lease is valid for longer. */
function lastSecondOf({ expiresAt, attempts }: ServedBuild): number {
  return Math.max(expiresAt, ...attempts.values());
}

/** Deletes folders of builds that could not be stored. */
async function dropUnknown(
  dir: string,
  { rows, olderThanMs }: { readonly rows: StoredBuilds; readonly olderThanMs: number },
): Promise<void> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    if (!/^nbbuild-[0-9a-f]{12}$/.test(name) || (await rows.load(name)) !== null) continue;
    const path = join(dir, name);
    if ((await stat(path)).mtimeMs < olderThanMs) await rm(path, { recursive: true, force: true });
  }
}
