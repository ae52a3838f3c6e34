import { createHash } from 'node:crypto';
import {
  CONSOLE_FEATURE,
  REATTACH_FEATURE,
  SETUP_FEATURE,
} from '../../../src-shared/wire/worker/extensions.ts';
import { anyWorkerHealth } from '../../../src-shared/wire/worker/health.ts';
import { lockKey } from '../../environment/lockKey.ts';
import { nullIfMissing } from '../../lib/atomicFile.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { readFileAt } from '../../lib/guardedFolder/read.ts';
import { networkWords } from './probeWorker.ts';
import { RemoteFailure } from './remoteRequest.ts';
import { ask, IdleTimeout, parsedJson, textOf } from './request.ts';

const ASK_MS = 20_000;
const GOOD_MS = 60_000;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** A worker too old to say how it is cannot build environments either. */
const WITHOUT = new Set([404, 405, 501]);

const FEATURES = [
  ...(['locked_environments', 'locked_r_environments'] as const),
  ...([CONSOLE_FEATURE, REATTACH_FEATURE, SETUP_FEATURE] as const),
] as const;
type Feature = (typeof FEATURES)[number];
type Block = {
  readonly key: string;
  readonly lockfile: string;
  readonly python?: string;
  readonly pyproject?: string;
};

/** Which environment a worker is to run a cell in, as far as it can build one (worker-details 9). */
export interface LockedEnvironments {
  /**
   * Null where the notebook has no lock, or the worker cannot build environments.
   * @throws RemoteFailure where nobody can tell: the cell is not sent
   */
  blockFor(cell: {
    readonly language: 'python' | 'r';
    readonly notebookDir: string;
    readonly worker: string;
    readonly healthUrl: string;
    readonly signal: AbortSignal;
  }): Promise<Block | null>;
  /**
   * Whether a worker says that it has a feature; `anew` asks also where an answer is still good.
   * @throws RemoteFailure where it does not answer
   */
  offers(feature: Feature, at: Asked & { readonly anew?: boolean }): Promise<boolean>;
}

interface Asked {
  readonly worker: string;
  readonly healthUrl: string;
  readonly signal: AbortSignal;
}

export function createLockedEnvironments({
  now = Date.now,
}: {
  readonly now?: () => number;
} = {}): LockedEnvironments {
  const known = new Map<string, { readonly atMs: number; readonly features: ReadonlySet<Feature> }>();

  async function featuresOf(
    { healthUrl: url, worker, signal }: Asked,
    anew = false,
  ): Promise<ReadonlySet<Feature>> {
    const before = known.get(url);
    if (!anew && before !== undefined && now() - before.atMs < GOOD_MS) return before.features;
    const features = await askFeatures(url, worker, signal);
    for (const [old, { atMs }] of known) if (now() - atMs >= GOOD_MS) known.delete(old);
    known.set(url, { atMs: now(), features });
    return features;
  }

  return {
    async blockFor({ language, notebookDir, worker, healthUrl, signal }) {
      const block = await (language === 'r' ? rBlock(notebookDir) : pythonBlock(notebookDir));
      if (block === null) return null;
      const features = await featuresOf({ healthUrl, worker, signal });
      return features.has(language === 'r' ? 'locked_r_environments' : 'locked_environments') ? block : null;
    },
    async offers(feature, { anew, ...at }) {
      return (await featuresOf(at, anew)).has(feature);
    },
  };
}

async function askFeatures(url: string, worker: string, signal: AbortSignal): Promise<ReadonlySet<Feature>> {
  const unknown = (why: string, cause?: unknown): RemoteFailure =>
    new RemoteFailure(
      null,
      `Worker '${worker}' did not report whether it can build the notebook's environment, so the cell was not sent: ${why}`,
      { cause },
    );
  const within = AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]);
  let status: number;
  let text: string;
  try {
    const answer = await ask({ method: 'GET', url, idleMs: ASK_MS, signal: within });
    status = answer.statusCode ?? 0;
    text = await textOf(answer, MAX_DOCUMENT_BYTES);
  } catch (error) {
    signal.throwIfAborted();
    const isLate = within.aborted || error instanceof IdleTimeout;
    throw unknown(isLate ? `no answer within ${ASK_MS / 1000} s.` : networkWords(error), error);
  }
  if (WITHOUT.has(status)) return new Set();
  if (status !== 200) throw unknown(`it answered ${status}.`);
  const value = parsedJson(text);
  if (value === undefined) throw unknown('its response is not JSON.');
  const features = anyWorkerHealth.safeParse(value).data?.capabilities?.features;
  return new Set(FEATURES.filter((feature) => features?.[feature] === true));
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
