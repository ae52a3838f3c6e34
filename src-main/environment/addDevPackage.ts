import { join } from 'node:path';
import { writeFileAtomic } from '../lib/atomicFile.ts';
import { readIfThere } from './projectFile.ts';
import { readEnvironment } from './readEnvironment.ts';
import { captureTool } from './runTool.ts';
import { type Attempt, NO_LOG, type SyncOutcome, settle } from './settleEnvironment.ts';
import { type SyncRequest, syncEnvironment } from './syncEnvironment.ts';
import { reasonIn, uvBaseEnv } from './uvSync.ts';

/** Naming a package in a file takes no time; what takes longer is stuck. */
const NAMING_MS = 30_000;

type Request = Omit<SyncRequest, 'lock' | 'force'> & { readonly requirement: string };

/**
 * Adds a requirement to the project's development group and brings the environment up to date (semantics 12). The
 * development group is no part of any cell's key, so that every result stays valid. A failure leaves pyproject.toml,
 * uv.lock and the environment as they were.
 */
export async function addDevPackage(request: Request): Promise<SyncOutcome> {
  const { dir } = request;
  const path = join(dir, 'pyproject.toml');
  const before = await readIfThere(path);
  const unnamed = before === null ? NO_PROJECT : await nameIt(request);
  if (before === null || unnamed !== null) {
    const facts = await readEnvironment(dir);
    return settle(request, { attempt: unnamed ?? NO_PROJECT, before: facts, durationMs: 0 });
  }
  const named = await readIfThere(path);
  const outcome = await syncEnvironment({ ...request, lock: 'update', force: true });
  // Somebody's own edit meanwhile is not ours to undo.
  const isOurs = named !== null && (await readIfThere(path))?.equals(named) === true;
  if (outcome.error !== null && isOurs) await writeFileAtomic(path, before);
  return outcome;
}

const NO_PROJECT: Attempt = {
  ...{ kind: 'unreachable', error: 'The notebook has no pyproject.toml.', ranUv: false, log: NO_LOG },
};

/** Writes the requirement into pyproject.toml, without resolving anything: that is the sync's. Null: it is there. */
async function nameIt({ dir, uv, requirement, signal, env }: Request): Promise<Attempt | null> {
  const failed = (kind: 'unreachable' | 'failed' | 'cancelled', error: string): Attempt => ({
    ...{ kind, error, ranUv: false, log: NO_LOG },
  });
  if (uv.kind === 'missing') return failed('unreachable', uv.message);
  const { end, stderr } = await captureTool({
    file: uv.path,
    args: ['add', '--dev', '--frozen', requirement],
    cwd: dir,
    env: uvBaseEnv(env ?? process.env),
    timeoutMs: NAMING_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  if (end.kind === 'cancelled') return failed('cancelled', 'cancelled');
  if (end.kind === 'exited' && end.code === 0) return null;
  const reason = end.kind === 'unstartable' ? end.message : reasonIn(stderr);
  return failed('failed', `uv could not add ${requirement} to pyproject.toml: ${reason || 'it did not end'}`);
}
