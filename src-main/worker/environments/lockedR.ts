/** Builds the locked R library of a notebook on a worker, for the run of a cell. */

import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rEnvironmentBlock } from '../../../src-shared/wire/worker/environmentBlock.ts';
import { parseRLock, type RLock, rLockKey } from '../../environment/r/rLock.ts';
import { captureTool, runTool } from '../../environment/uv/runTool.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { COMPLETE_MARKER, environmentFolder } from './environmentFolder.ts';
import { type EnvironmentMemory, printOf } from './environmentMemory.ts';
import { lastLines } from './lastLines.ts';
import { fetchPrebuilt } from './registry.ts';

const PROBE_MS = 60_000;
const RESTORE_MS = 900_000;
const PROBE = 'cat(sprintf("R-%s.%s %s", R.version$major, R.version$minor, R.version$platform))';
const HAS_RENV = 'quit(status = if (requireNamespace("renv", quietly = TRUE)) 0 else 1)';
const RESTORE =
  'renv::restore(lockfile = "renv.lock", library = Sys.getenv("SVC_R_LIBRARY"), prompt = FALSE)';

interface LockedROptions {
  readonly envRoot: string;
  readonly registryUrl: string | null;
  readonly rscript: string;
  readonly memory: EnvironmentMemory<string>;
  readonly signal: AbortSignal;
}

/** Whether this R can restore lockfiles: whether renv loads. */
export async function canRestore(rscript: string): Promise<boolean> {
  const { end } = await captureTool({
    file: rscript,
    args: ['--vanilla', '-e', HAS_RENV],
    env: process.env,
    timeoutMs: PROBE_MS,
  });
  return end.kind === 'exited' && end.code === 0;
}

/** The library of a locked R environment, which is built if it does not exist. @throws Error with the reason */
export async function lockedR(block: unknown, options: LockedROptions): Promise<string> {
  const parsed = rEnvironmentBlock.safeParse(block);
  if (!parsed.success)
    throw new Error(`its ${parsed.error.issues[0]?.path.join('.') || 'block'} is not valid`);
  const { key, lockfile } = parsed.data;
  if (rLockKey(lockfile) !== key) throw new Error('its key is not the digest of its lock');
  const lock = parseRLock(lockfile);
  if (lock === null) throw new Error('its lock is not an renv.lock');
  return options.memory(key, async () => {
    const dir = await libraryOf({ key, lockfile, lock }, options);
    const files = [options.rscript, join(dir, COMPLETE_MARKER), ...descriptionsOf(lock, dir)];
    return { value: dir, files, print: printOf(files) };
  });
}

async function libraryOf(
  { key, lockfile, lock }: { readonly key: string; readonly lockfile: string; readonly lock: RLock },
  { rscript, signal, registryUrl, envRoot }: LockedROptions,
): Promise<string> {
  const output = await captureTool({
    file: rscript,
    args: ['--vanilla', '-e', PROBE],
    env: process.env,
    signal,
    timeoutMs: PROBE_MS,
  });
  const probe = output.stdout.trim();
  const [version = '', platform = ''] = probe.split(' ');
  if (platform === '') throw new Error(`${rscript} did not report its version: ${lastLines(output.stderr)}`);
  const root = join(envRoot, 'r');
  return environmentFolder({
    root,
    key,
    probe,
    signal,
    fetch:
      registryUrl === null
        ? null
        : (dir) =>
            fetchPrebuilt(`${registryUrl}/r/${key}/${version}/${platform}`, {
              dir,
              relink: () => null,
              signal,
            }),
    build: (dir) => restore(dir, { rscript, lockfile, cache: join(root, 'cache'), signal }),
    async whyBroken(dir) {
      for (const description of descriptionsOf(lock, dir)) {
        if ((await stat(description).catch(nullIfMissing)) !== null) continue;
        return `the package ${basename(dirname(description))} of the lock is not in the library`;
      }
      return null;
    },
  });
}

/** The files of a complete library: the DESCRIPTION of every package except renv, which restores them. */
function descriptionsOf({ packages }: RLock, dir: string): readonly string[] {
  return packages.filter(({ name }) => name !== 'renv').map(({ name }) => join(dir, name, 'DESCRIPTION'));
}

async function restore(
  dir: string,
  {
    rscript,
    lockfile,
    cache,
    signal,
  }: {
    readonly rscript: string;
    readonly lockfile: string;
    readonly cache: string;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const project = `${dir}.project`;
  await rm(project, { recursive: true, force: true });
  await mkdir(project, { recursive: true });
  await mkdir(dir, { recursive: true });
  try {
    await writeFile(join(project, 'renv.lock'), lockfile);
    let output = '';
    const end = await runTool({
      file: rscript,
      args: ['--vanilla', '-e', RESTORE],
      cwd: project,
      env: { ...process.env, SVC_R_LIBRARY: dir, RENV_PATHS_CACHE: cache },
      timeoutMs: RESTORE_MS,
      signal,
      onText: (_stream, text) => {
        output = (output + text).slice(-8_000);
      },
    });
    if (end.kind === 'exited' && end.code === 0) return;
    if (end.kind === 'timeout') throw new Error(`renv did not finish within ${RESTORE_MS / 1000} s`);
    if (end.kind === 'unstartable') throw new Error(`R cannot be started: ${end.message}`);
    throw new Error(
      end.kind === 'cancelled' ? 'it was cancelled' : `renv could not restore it: ${lastLines(output)}`,
    );
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}
