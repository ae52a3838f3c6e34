/** Calls the server's REST routes by their contracts: builds the request and validates the answer. */

import type { RouteName } from '../../src-shared/wire/routes/all.ts';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import type { AnswerOf as AnswerWith, CallOf, CallParts } from '../../src-shared/wire/routes/call.ts';
import { refusalIn, routePath } from '../../src-shared/wire/routes/call.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { WORDS } from '../words/strings.ts';
import { restUrl } from './serverUrls.ts';

/** A refusal of the server, or no answer at all (`status` 0). `message` can be shown to the person. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string | null;

  constructor(message: string, facts: { status: number; code: string | null }) {
    super(message);
    this.name = 'RestError';
    this.status = facts.status;
    this.code = facts.code;
  }
}

export type { CallOf };
export type AnswerOf<N extends RouteName> = AnswerWith<N, Blob>;

/**
 * How long an answer may take, in ms. Opening waits for the environment, which may have to be downloaded the first
 * time; installing a worker by ssh depends on the speed of the network.
 */
const TIMEOUT_MS = 30_000;
const SLOW_TIMEOUT_MS = 30 * 60_000;
const SLOW_ROUTES: ReadonlySet<RouteName> = new Set<RouteName>([
  'openNotebook',
  'createNotebook',
  'connectSshWorker',
  // No response arrives before the model's first words.
  'aiStream',
]);

/**
 * Calls one route of the contracts and parses its answer.
 * @throws RestError for every refusal, unreadable answer and missing network.
 */
export async function callRoute<N extends RouteName>(
  name: N,
  call: CallOf<N>,
  options: {
    signal?: AbortSignal /** The request is completed even if the page closes. */;
    keepalive?: boolean;
  } = {},
): Promise<AnswerOf<N>> {
  const contract: RouteContract = ROUTES[name];
  const parts = call as CallParts;
  const timeoutMs = SLOW_ROUTES.has(name) ? SLOW_TIMEOUT_MS : TIMEOUT_MS;
  const response = await fetchRoute(contract, parts, { ...options, timeoutMs });
  if (!response.ok) throw await refusalOf(response);
  const { signal } = options;
  if (contract.response === 'bytes') return (await whole(response.blob(), signal)) as AnswerOf<N>; // the type of a `bytes` answer is Blob
  const parsed = contract.response.safeParse(await whole(response.json(), signal));
  if (parsed.success) return parsed.data as AnswerOf<N>; // parsed by the schema of this route
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new RestError(WORDS.unreadableAnswer(`${String(name)}: ${where}`), {
    status: response.status,
    code: null,
  });
}

/**
 * Sends a file to a route that accepts one, and parses its answer.
 * @throws RestError for every refusal, unreadable answer and missing network
 */
export async function uploadRoute<N extends 'importNotebook' | 'importSnapshot' | 'addFile'>(
  name: N,
  form: FormData,
  { signal, params }: { readonly signal?: AbortSignal; readonly params?: Readonly<Record<string, string>> },
): Promise<AnswerOf<N>> {
  const contract: RouteContract = ROUTES[name];
  const limits = { signal, timeoutMs: SLOW_TIMEOUT_MS };
  const response = await fetchRoute(
    contract,
    { body: form, ...(params === undefined ? {} : { params }) },
    limits,
  );
  if (!response.ok) throw await refusalOf(response);
  return (await response.json()) as AnswerOf<N>; // the answer type of this route
}

/**
 * Calls a route that answers bytes and returns its body as a stream, for answers too large for memory.
 * @throws RestError for every refusal and missing network.
 */
export async function streamRoute<N extends RouteName>(
  name: N,
  call: CallOf<N>,
  options: { signal?: AbortSignal } = {},
): Promise<ReadableStream<Uint8Array>> {
  const parts = call as CallParts;
  const timeoutMs = SLOW_ROUTES.has(name) ? SLOW_TIMEOUT_MS : TIMEOUT_MS;
  const response = await fetchRoute(ROUTES[name], parts, { signal: options.signal, timeoutMs });
  if (!response.ok) throw await refusalOf(response);
  return response.body ?? new ReadableStream({ start: (controller) => controller.close() });
}

/** The URL of a GET route, for images and frames that the browser itself fetches. */
export function routeUrl<N extends RouteName>(name: N, call: CallOf<N>): string {
  const parts = call as CallParts;
  return restUrl(routePath(ROUTES[name], parts)).href;
}

/** Reads a body. A response that breaks off after its headers is reported like a failed connection. */
async function whole<T>(body: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await body;
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new RestError(WORDS.unreachable, { status: 0, code: null });
  }
}

async function fetchRoute(
  contract: RouteContract,
  parts: CallParts,
  limits: { signal?: AbortSignal | undefined; timeoutMs: number; keepalive?: boolean },
): Promise<Response> {
  const { signal, timeoutMs } = limits;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  // Stays active after the headers, because the same signal also stops a streamed body.
  const cancel = (): void => timeout.abort(signal?.reason);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await fetch(restUrl(routePath(contract, parts)), {
      method: contract.method,
      signal: timeout.signal,
      keepalive: limits.keepalive === true,
      ...(parts.body === undefined || parts.body instanceof FormData
        ? { body: parts.body ?? null }
        : { body: JSON.stringify(parts.body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new RestError(WORDS.unreachable, { status: 0, code: null });
  } finally {
    clearTimeout(timer);
  }
}

async function refusalOf(response: Response): Promise<RestError> {
  const { status } = response;
  const { message, code } = refusalIn(await response.text());
  return new RestError(message ?? WORDS.refusedStatus(status), { status, code });
}
