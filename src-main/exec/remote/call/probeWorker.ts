import * as z from 'zod';
import { ENVIRONMENTS_PROBLEM } from '../../../../src-shared/wire/worker/extensions.ts';
import {
  type ReportedWorker,
  reportedWorker,
  type WorkerHealth,
} from '../../../../src-shared/wire/workers.ts';
import { ask, IdleTimeout, parsedJson, textOf } from './request.ts';

/** How long a worker may take to say how it is (remote-execution 6). */
const PROBE_MS = 8_000;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** Of what a worker says of itself in other words than ours. */
const MOST_SHOWN = 100;
/** Of a sentence. */
const MOST_SAID = 300;
/** Entries of one list a worker says of itself: more GPUs than a machine has. */
const MOST_LISTED = 32;
const CELL_REF = 'notebook_cell@v1';

/**
 * Why a look at a worker found none that is healthy. `silent`: no answer in time. `network`: no connection. `broken`:
 * a server error, as a gateway answers for a worker that is gone. `foreign`: what answers is no worker. `not_ready`: a
 * worker that says so. `other_protocol`: it does not take our cells.
 */
export type ProbeFailure = 'silent' | 'network' | 'broken' | 'foreign' | 'not_ready' | 'other_protocol';

/** One look at a worker. */
export interface Probe {
  readonly health: WorkerHealth;
  /** Null: it is healthy. */
  readonly failure: ProbeFailure | null;
  /** Why it is not healthy, in words. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly reported: ReportedWorker | null;
}

const list = z.array(z.unknown()).catch([]);
const features = z.record(z.string(), z.unknown()).catch({});
/** What is read of a health document; every part may be missing on an older worker (document 1). */
const document = z.object({
  status: z.unknown(),
  capabilities: z
    .object({ transform_refs: list.default([]), features: features.default({}) })
    .catch({ transform_refs: [], features: {} })
    .default({ transform_refs: [], features: {} }),
});

/** Asks a worker how it is. Never throws: whatever goes wrong is what is told of it. */
export async function probeWorker(
  healthUrl: string,
  { timeoutMs = PROBE_MS }: { readonly timeoutMs?: number } = {},
): Promise<Probe> {
  const from = performance.now();
  const ended = (probe: Omit<Probe, 'durationMs'>): Probe => ({
    ...probe,
    durationMs: Math.round(performance.now() - from),
  });
  const unavailable = (failure: ProbeFailure, error: string, reported: ReportedWorker | null = null): Probe =>
    ended({ health: 'unavailable', failure, error, reported });
  const overall = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await ask({ method: 'GET', url: healthUrl, idleMs: timeoutMs, signal: overall });
    const text = await textOf(answer, MAX_DOCUMENT_BYTES);
    const { statusCode = 0 } = answer;
    if (statusCode !== 200) {
      const failure = statusCode >= 500 ? 'broken' : 'foreign';
      return unavailable(failure, `The health check returned status ${statusCode}.`);
    }
    const value = parsedJson(text);
    const read = document.safeParse(value);
    if (!read.success)
      return unavailable('foreign', 'The health check did not return a valid worker status.');
    const { status, capabilities } = read.data;
    const reported = reportedOf(value, capabilities.features);
    const takesCells = capabilities.transform_refs.includes(CELL_REF);
    if (status !== 'healthy') {
      const words = `The worker reports the status ${JSON.stringify(status)?.slice(0, MOST_SHOWN)}.`;
      return unavailable(takesCells ? 'not_ready' : 'foreign', words, reported);
    }
    if (takesCells) return ended({ health: 'healthy', failure: null, error: null, reported });
    const error = `The worker does not support ${CELL_REF}.`;
    return ended({ health: 'unknown', failure: 'other_protocol', error, reported });
  } catch (error) {
    if (!overall.aborted && !(error instanceof IdleTimeout)) {
      return unavailable('network', networkWords(error));
    }
    const words = `No answer within ${timeoutMs / 1000} s; the worker may be starting.`;
    return ended({ health: 'warming', failure: 'silent', error: words, reported: null });
  }
}

/** Part by part: one odd value does not hide the others. */
function reportedOf(value: unknown, told: Readonly<Record<string, unknown>>): ReportedWorker {
  const whole = { ...(value as Record<string, unknown>), ...told }; // read as an object just before
  const parts = Object.entries(reportedWorker.shape).flatMap(([key, shape]) => {
    const most = key === ENVIRONMENTS_PROBLEM ? MOST_SAID : MOST_SHOWN;
    const read = shape.safeParse(shortened(whole[key], most));
    return read.success && read.data !== undefined ? [[key, read.data] as const] : [];
  });
  return reportedWorker.parse(Object.fromEntries(parts));
}

/** As much of a value as a person reads: it is shown with every worker, and asked for again and again. */
function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.slice(0, most);
  if (Array.isArray(value)) return value.slice(0, MOST_LISTED).map((part) => shortened(part, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part, most)]));
}

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there (connection refused).',
  ENOTFOUND: 'Host not found.',
  EAI_AGAIN: 'Couldn’t look up the host name.',
  ECONNRESET: 'The connection was interrupted.',
  EHOSTUNREACH: 'No route to the host.',
  ENETUNREACH: 'The host’s network is unreachable.',
  ETIMEDOUT: 'The host is not responding.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not signed by a trusted authority.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
};

/** What the network says, in words a person can act on. */
export function networkWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    NETWORK_WORDS[code] ?? (error instanceof Error ? error.message || code || error.name : String(error))
  );
}
