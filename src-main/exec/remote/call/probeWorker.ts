/** Makes one health check of a worker and explains a failure to users. */

import * as z from 'zod';
import { ENVIRONMENTS_PROBLEM } from '../../../../src-shared/wire/worker/extensions.ts';
import {
  type ReportedWorker,
  reportedWorker,
  type WorkerHealth,
} from '../../../../src-shared/wire/workers.ts';
import { IdleTimeout, sendHttpRequest, textOf } from '../../../lib/http/request.ts';
import { tryParseJson } from '../../../lib/tryParseJson.ts';

/** How long a worker may take to answer a health check (docs/spec/remote-execution.md, 6). */
const PROBE_MS = 8_000;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** Most characters of a value that a worker reports. */
const MAX_VALUE_CHARS = 100;
/** Most characters of a sentence that it reports. */
const MAX_SENTENCE_CHARS = 300;
/** Most entries of a list that it reports: more than a machine has GPUs. */
const MAX_ENTRIES = 32;
const CELL_REF = 'notebook_cell@v1';

/**
 * Why a health check did not find a healthy worker. `silent`: no answer in time. `network`: no connection. `broken`:
 * a server error, as from a gateway whose worker is gone. `foreign`: the server is not a worker. `not_ready`: the
 * worker reports that it is not ready. `other_protocol`: it does not support our cells.
 */
export type ProbeFailure = 'silent' | 'network' | 'broken' | 'foreign' | 'not_ready' | 'other_protocol';

/** The result of one health check. */
export interface Probe {
  readonly health: WorkerHealth;
  /** Null: it is healthy. */
  readonly failure: ProbeFailure | null;
  /** Why it is not healthy, for users. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly reported: ReportedWorker | null;
}

const list = z.array(z.unknown()).catch([]);
const features = z.record(z.string(), z.unknown()).catch({});
/**
 * The parts of a health document that are read; older workers may leave out any of them
 * (docs/spec/worker-protocol.md, 7).
 */
const document = z.object({
  status: z.unknown(),
  capabilities: z
    .object({ transform_refs: list.default([]), features: features.default({}) })
    .catch({ transform_refs: [], features: {} })
    .default({ transform_refs: [], features: {} }),
});

/** Checks the health of a worker. Never throws: failures are part of the result. */
export async function probeWorker(
  healthUrl: string,
  { timeoutMs = PROBE_MS }: { readonly timeoutMs?: number } = {},
): Promise<Probe> {
  const from = performance.now();
  const finished = (probe: Omit<Probe, 'durationMs'>): Probe => ({
    ...probe,
    durationMs: Math.round(performance.now() - from),
  });
  const unavailable = (failure: ProbeFailure, error: string, reported: ReportedWorker | null = null): Probe =>
    finished({ health: 'unavailable', failure, error, reported });
  const overall = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await sendHttpRequest({
      method: 'GET',
      url: healthUrl,
      idleMs: timeoutMs,
      signal: overall,
    });
    const text = await textOf(answer, MAX_DOCUMENT_BYTES);
    const { statusCode = 0 } = answer;
    if (statusCode !== 200) {
      const failure = statusCode >= 500 ? 'broken' : 'foreign';
      return unavailable(failure, `The health check returned status ${statusCode}.`);
    }
    const value = tryParseJson(text);
    const parsed = document.safeParse(value);
    if (!parsed.success)
      return unavailable('foreign', 'The health check did not return a valid worker status.');
    const { status, capabilities } = parsed.data;
    const reported = reportedOf(value, capabilities.features);
    const takesCells = capabilities.transform_refs.includes(CELL_REF);
    if (status !== 'healthy') {
      const message = `The worker reports the status ${JSON.stringify(status)?.slice(0, MAX_VALUE_CHARS)}.`;
      return unavailable(takesCells ? 'not_ready' : 'foreign', message, reported);
    }
    if (takesCells) return finished({ health: 'healthy', failure: null, error: null, reported });
    const error = `The worker does not support ${CELL_REF}.`;
    return finished({ health: 'unknown', failure: 'other_protocol', error, reported });
  } catch (error) {
    if (!overall.aborted && !(error instanceof IdleTimeout)) {
      return unavailable('network', networkMessage(error));
    }
    const message = `No answer within ${timeoutMs / 1000} s; the worker may be starting.`;
    return finished({ health: 'warming', failure: 'silent', error: message, reported: null });
  }
}

/** What a worker reports about itself, parsed value by value, so that one invalid value does not hide the others. */
function reportedOf(value: unknown, reportedFeatures: Readonly<Record<string, unknown>>): ReportedWorker {
  const whole = { ...(value as Record<string, unknown>), ...reportedFeatures }; // read as an object just before
  const parts = Object.entries(reportedWorker.shape).flatMap(([key, shape]) => {
    const most = key === ENVIRONMENTS_PROBLEM ? MAX_SENTENCE_CHARS : MAX_VALUE_CHARS;
    const parsed = shape.safeParse(shortened(whole[key], most));
    return parsed.success && parsed.data !== undefined ? [[key, parsed.data] as const] : [];
  });
  return reportedWorker.parse(Object.fromEntries(parts));
}

/** Shortens a value that a worker reports, since it is shown with every worker and transferred often. */
function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.slice(0, most);
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((part) => shortened(part, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part, most)]));
}

const NETWORK_MESSAGES: Readonly<Record<string, string>> = {
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

/** A message for a network error, for users. */
export function networkMessage(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    NETWORK_MESSAGES[code] ?? (error instanceof Error ? error.message || code || error.name : String(error))
  );
}
