/** Decides whether a worker builds the notebook's locked environment for a cell, and puts the lock into the request. */

import { createHash } from 'node:crypto';
import { lockKey } from '../../../environment/lock/lockKey.ts';
import { nullIfMissing } from '../../../lib/atomicFile.ts';
import { placeIn } from '../../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../../lib/guardedFolder/read.ts';
import { RemoteFailure } from './remoteRequest.ts';
import { createWorkerFacts, type Feature, type WorkerFacts, type WorkerQuery } from './workerFacts.ts';

type Block = {
  readonly key: string;
  readonly lockfile: string;
  readonly python?: string;
  readonly pyproject?: string;
};

/**
 * The environment in which a worker runs a cell, if it can build one (docs/spec/worker-protocol.md, 8;
 * docs/spec/worker-process.md, 6; docs/spec/remote-execution.md, 4).
 */
export interface LockedEnvironments {
  /**
   * The lock file of the notebook, as a part of the request. Null when there is none, or when the worker cannot build
   * environments: then `notice` says what the cell runs on instead.
   * @throws RemoteFailure when the worker does not answer: the cell is not sent
   */
  blockFor(
    cell: WorkerQuery & { readonly language: 'python' | 'r'; readonly notebookDir: string },
  ): Promise<{ readonly block: Block | null; readonly notice: string | null }>;
  /**
   * Whether a worker has a feature; `refresh` asks it even if a recent answer is known.
   * @throws RemoteFailure when it does not answer
   */
  offers(feature: Feature, at: WorkerQuery & { readonly refresh?: boolean }): Promise<boolean>;
  /** What the worker reports about itself. @throws RemoteFailure when it does not answer */
  facts(at: WorkerQuery & { readonly refresh?: boolean }): Promise<WorkerFacts>;
}

export function createLockedEnvironments(options: { readonly now?: () => number } = {}): LockedEnvironments {
  const factsOf = createWorkerFacts(options);
  return {
    async blockFor({ language, notebookDir, ...at }) {
      const block = await LOCKED[language].blockOf(notebookDir);
      if (block === null) return { block, notice: null };
      const facts = await factsOf(at);
      const { feature, notice } = LOCKED[language];
      if (facts.features.has(feature)) return { block, notice: null };
      return { block: null, notice: notice(at.worker, facts) };
    },
    offers: async (feature, { refresh, ...at }) =>
      (await factsOf(at, refresh ? { refresh } : {})).features.has(feature),
    facts: ({ refresh, ...at }) => factsOf(at, refresh ? { refresh } : {}),
  };
}

function withoutEnvironment(worker: string, { environmentsProblem, pythonVersion }: WorkerFacts): string {
  const reason = environmentsProblem === null ? '' : ` (${environmentsProblem})`;
  const python = pythonVersion === null ? 'own Python' : `own Python ${pythonVersion}`;
  return `Worker '${worker}' cannot build the notebook's environment${reason}. This cell runs on the worker's ${python} and the packages installed there.\n`;
}

function withoutLibrary(worker: string): string {
  return `Worker '${worker}' cannot restore the notebook's R packages (renv.lock). This cell runs with the packages installed there.\n`;
}

async function pythonBlock(dir: string): Promise<Block | null> {
  const [lockfile, pyproject] = await Promise.all([fileOf(dir, 'uv.lock'), fileOf(dir, 'pyproject.toml')]);
  if (lockfile === null || pyproject === null) return null;
  const key = lockKey(lockfile);
  if (key === null)
    throw new RemoteFailure(null, 'The notebook’s uv.lock cannot be read. Sync the environment first.');
  const python = await fileOf(dir, '.python-version');
  return { key, python: python?.trim() ?? '', lockfile, pyproject };
}

async function rBlock(dir: string): Promise<Block | null> {
  const lockfile = await fileOf(dir, 'renv.lock');
  return lockfile === null ? null : { key: createHash('sha256').update(lockfile).digest('hex'), lockfile };
}

async function fileOf(dir: string, name: string): Promise<string | null> {
  const bytes = await readFileAt(placeIn(dir, name)).catch(nullIfMissing);
  return bytes?.toString('utf8') ?? null;
}

/**
 * How the environment of each language is sent: its lock, the feature that builds it, and what a worker without it
 * does.
 */
const LOCKED = {
  python: { feature: 'locked_environments', blockOf: pythonBlock, notice: withoutEnvironment },
  r: { feature: 'locked_r_environments', blockOf: rBlock, notice: withoutLibrary },
} satisfies Record<
  'python' | 'r',
  {
    readonly feature: Feature;
    readonly blockOf: (dir: string) => Promise<Block | null>;
    readonly notice: (worker: string, facts: WorkerFacts) => string;
  }
>;
