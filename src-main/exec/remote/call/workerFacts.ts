import {
  CONSOLE_FEATURE,
  ENVIRONMENTS_PROBLEM,
  PYTHON_VERSION,
  REATTACH_FEATURE,
  SETUP_FEATURE,
} from '../../../../src-shared/wire/worker/extensions.ts';
import { anyWorkerHealth } from '../../../../src-shared/wire/worker/health.ts';
import { networkWords } from './probeWorker.ts';
import { RemoteFailure } from './remoteRequest.ts';
import { ask, IdleTimeout, parsedJson, textOf } from './request.ts';

const ASK_MS = 20_000;
const GOOD_MS = 60_000;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** A worker too old to say how it is cannot build environments either. */
const WITHOUT = new Set([404, 405, 501]);
/** Of a text that a worker says of itself. */
const MOST_SAID = 300;

const FEATURES = [
  ...(['locked_environments', 'locked_r_environments'] as const),
  ...([CONSOLE_FEATURE, REATTACH_FEATURE, SETUP_FEATURE] as const),
] as const;
export type Feature = (typeof FEATURES)[number];

/** What a worker says of itself that cells go by. */
export interface WorkerFacts {
  readonly features: ReadonlySet<Feature>;
  /** Why it cannot build Python environments; null: it can, or does not say. */
  readonly environmentsProblem: string | null;
  /** Of its own Python; null: it does not say. */
  readonly pythonVersion: string | null;
  /** How many cells it runs at once; null: as many as come. */
  readonly most: number | null;
  readonly active: number | null;
}

export interface AskedWorker {
  readonly worker: string;
  readonly healthUrl: string;
  readonly signal: AbortSignal;
}

/**
 * What a worker said within the last minute; `refresh` asks even if an answer is still good. Rejects with a
 * RemoteFailure where it does not answer.
 */
export type AskFacts = (at: AskedWorker, options?: { readonly refresh?: boolean }) => Promise<WorkerFacts>;

const NOTHING: WorkerFacts = {
  features: new Set(),
  environmentsProblem: null,
  pythonVersion: null,
  most: null,
  active: null,
};

/** Asks workers for their health, each at most once a minute unless asked to refresh. */
export function createWorkerFacts({ now = Date.now }: { readonly now?: () => number } = {}): AskFacts {
  const known = new Map<string, { readonly atMs: number; readonly facts: WorkerFacts }>();
  return async (at, { refresh = false } = {}) => {
    const before = known.get(at.healthUrl);
    if (!refresh && before !== undefined && now() - before.atMs < GOOD_MS) return before.facts;
    const facts = await askFacts(at);
    for (const [old, { atMs }] of known) if (now() - atMs >= GOOD_MS) known.delete(old);
    known.set(at.healthUrl, { atMs: now(), facts });
    return facts;
  };
}

async function askFacts({ healthUrl: url, worker, signal }: AskedWorker): Promise<WorkerFacts> {
  const unknown = (why: string, cause?: unknown): RemoteFailure =>
    new RemoteFailure(
      null,
      `Worker '${worker}' could not be asked whether it can build the notebook's environment, so the cell was not sent: ${why}`,
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
  if (WITHOUT.has(status)) return NOTHING;
  if (status !== 200) throw unknown(`it answered ${status}.`);
  const value = parsedJson(text);
  if (value === undefined) throw unknown('its answer is no JSON.');
  const { data } = anyWorkerHealth.safeParse(value);
  const features = data?.capabilities?.features;
  return {
    features: new Set(FEATURES.filter((feature) => features?.[feature] === true)),
    environmentsProblem: lineOf(features?.[ENVIRONMENTS_PROBLEM]),
    pythonVersion: lineOf(features?.[PYTHON_VERSION]),
    most: lower(data?.max_concurrent, data?.gpu_slots),
    active: data?.active_executions ?? null,
  };
}

/** One line of what a worker says of itself. */
function lineOf(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, MOST_SAID) || null : null;
}

/** Each cell takes a place and, where GPUs are counted, one of those. */
function lower(...limits: readonly (number | null | undefined)[]): number | null {
  const counts = limits.filter((one) => one !== null && one !== undefined && one >= 1);
  return counts.length === 0 ? null : Math.floor(Math.min(...counts.map(Number)));
}
