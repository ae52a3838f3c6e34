/** Asks workers for their health and capabilities before cells are sent to them, at most once a minute. */

import {
  CONSOLE_FEATURE,
  ENVIRONMENTS_PROBLEM,
  PYTHON_VERSION,
  REATTACH_FEATURE,
  SETUP_FEATURE,
} from '../../../../src-shared/wire/worker/extensions.ts';
import { anyWorkerHealth } from '../../../../src-shared/wire/worker/health.ts';
import { IdleTimeout, sendHttpRequest, textOf } from '../../../lib/http/request.ts';
import { tryParseJson } from '../../../lib/tryParseJson.ts';
import { networkMessage } from './probeWorker.ts';
import { RemoteFailure } from './remoteRequest.ts';

const ASK_MS = 20_000;
const FRESH_MS = 60_000;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** Statuses of a worker that is too old for health reports, and so for building environments. */
const NO_HEALTH_STATUS = new Set([404, 405, 501]);
/** Most characters of a text that a worker reports. */
const MAX_TEXT_CHARS = 300;

const FEATURES = [
  ...(['locked_environments', 'locked_r_environments'] as const),
  ...([CONSOLE_FEATURE, REATTACH_FEATURE, SETUP_FEATURE] as const),
] as const;
export type Feature = (typeof FEATURES)[number];

/** What a worker reports that matters for running cells. */
export interface WorkerFacts {
  readonly features: ReadonlySet<Feature>;
  /** Why it cannot build Python environments; null: it can, or gives no reason. */
  readonly environmentsProblem: string | null;
  /** Version of its own Python; null: not reported. */
  readonly pythonVersion: string | null;
  /** How many cells it runs at once; null: no limit. */
  readonly most: number | null;
  readonly active: number | null;
}

export interface WorkerQuery {
  readonly worker: string;
  readonly healthUrl: string;
  readonly signal: AbortSignal;
}

/**
 * The facts that a worker reported within the last minute; `refresh` asks it even if recent facts are known. Rejects
 * with a RemoteFailure when it does not answer.
 */
type AskFacts = (query: WorkerQuery, options?: { readonly refresh?: boolean }) => Promise<WorkerFacts>;

const NOTHING: WorkerFacts = {
  features: new Set(),
  environmentsProblem: null,
  pythonVersion: null,
  most: null,
  active: null,
};

/** Asks workers for their health, each at most once a minute unless `refresh` is set. */
export function createWorkerFacts({ now = Date.now }: { readonly now?: () => number } = {}): AskFacts {
  const cache = new Map<string, { readonly atMs: number; readonly facts: WorkerFacts }>();
  return async (query, { refresh = false } = {}) => {
    const cached = cache.get(query.healthUrl);
    if (!refresh && cached !== undefined && now() - cached.atMs < FRESH_MS) return cached.facts;
    const facts = await askFacts(query);
    for (const [old, { atMs }] of cache) if (now() - atMs >= FRESH_MS) cache.delete(old);
    cache.set(query.healthUrl, { atMs: now(), facts });
    return facts;
  };
}

async function askFacts({ healthUrl: url, worker, signal }: WorkerQuery): Promise<WorkerFacts> {
  const unknown = (reason: string, cause?: unknown): RemoteFailure =>
    new RemoteFailure(
      null,
      `Worker '${worker}' could not be asked whether it can build the notebook's environment, so the cell was not sent: ${reason}`,
      { cause },
    );
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]);
  let status: number;
  let text: string;
  try {
    const answer = await sendHttpRequest({ method: 'GET', url, idleMs: ASK_MS, signal: deadline });
    status = answer.statusCode ?? 0;
    text = await textOf(answer, MAX_DOCUMENT_BYTES);
  } catch (error) {
    signal.throwIfAborted();
    const isLate = deadline.aborted || error instanceof IdleTimeout;
    throw unknown(isLate ? `no answer within ${ASK_MS / 1000} s.` : networkMessage(error), error);
  }
  if (NO_HEALTH_STATUS.has(status)) return NOTHING;
  if (status !== 200) throw unknown(`it answered ${status}.`);
  const value = tryParseJson(text);
  if (value === undefined) throw unknown('its response is not JSON.');
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

/** A reported text in one line; null when it is empty or not a text. */
function lineOf(value: unknown): string | null {
  return typeof value === 'string'
    ? value.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_CHARS) || null
    : null;
}

/** The lowest of the given limits: each cell takes a slot and, where GPUs are counted, a GPU. */
function lower(...limits: readonly (number | null | undefined)[]): number | null {
  const counts = limits.filter((one) => one !== null && one !== undefined && one >= 1);
  return counts.length === 0 ? null : Math.floor(Math.min(...counts.map(Number)));
}
