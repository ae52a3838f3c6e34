/**
 * Registers the handlers of all routes on the HTTP server: each checks access, parses by the route's contract, and
 * answers.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { AppError } from '../../src-shared/wire/errors.ts';
import { sessionState } from '../../src-shared/wire/notebookState.ts';
import { type ParsedRouteName, ROUTES } from '../../src-shared/wire/routes/all.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import type { Redactor } from '../lib/redactor.ts';
import { type Caller, requireScope } from './caller.ts';
import { InvalidRequest } from './errorAnswer.ts';
import { fastifyPath } from './fastifyPath.ts';
import { hideInAnswer } from './hideInAnswer.ts';
import { hideInBytes } from './hideInBytes.ts';
import { joinParts, jsonParts } from './jsonParts.ts';
import { readJson } from './readJson.ts';
import { matchSlashed, wildcardOf } from './slashNames.ts';
import { type StoredBytes, sendStoredBytes } from './storedBytes.ts';
import { type StreamedBytes, sendStreamed } from './streamedBytes.ts';
import { reserveLiteralPaths } from './unroutedAnswer.ts';
import { readUpload, type Upload } from './upload.ts';
import { check } from './validation.ts';

type Part<C, K extends 'params' | 'query' | 'body'> = C extends {
  readonly [P in K]: infer S extends z.ZodType;
}
  ? z.output<S>
  : undefined;

/** One request, parsed by its contract. Handlers do not know about HTTP. */
export interface Call<C extends RouteContract = RouteContract> {
  readonly caller: Caller;
  readonly params: Part<C, 'params'>;
  readonly query: Part<C, 'query'>;
  readonly body: Part<C, 'body'>;
  readonly upload: C extends { readonly upload: object } ? Upload : undefined;
  /** The address of the socket. */
  readonly client: string;
  /** Aborted when the client disconnects before the answer; for work that is worth stopping then. */
  readonly wanted: () => AbortSignal;
}

export type Answer<C extends RouteContract> = C['response'] extends z.ZodType
  ? z.input<C['response']>
  : StoredBytes | StreamedBytes;
export type Handler<C extends RouteContract> = (call: Call<C>) => Promise<Answer<C>>;
/** A contract without a handler does not compile, nor a handler without a contract. */
export type Handlers = { readonly [K in ParsedRouteName]: Handler<(typeof ROUTES)[K]> };
/** The handlers of some routes: the exports of one file in `routes/`. */
export type HandlersOf<T extends Record<string, RouteContract>> = { readonly [K in keyof T]: Handler<T[K]> };

/** What every route needs before its handler: who calls, and what is refused or hidden. */
export interface RouteGate {
  readonly personal: boolean;
  readonly identify: (request: FastifyRequest) => Caller;
  /** Where the files of forms are stored until their request is answered. */
  readonly uploadDir: string;
  /** What to hide for a session; a redactor that hides nothing for a closed or unknown one. */
  readonly redactorOf: (sid: string) => Redactor;
  /** Every route but a GET counts as activity of the session it names (docs/spec/live-protocol.md, 7). */
  readonly onUse: (sid: string) => void;
}

/** Registers every route of the contracts on the server: check access, parse, handle, answer. */
export function implementRoutes(fastify: FastifyInstance, handlers: Handlers, gate: RouteGate): void {
  const slashed = new Map<string, SlashedRoute[]>();
  for (const name of Object.keys(handlers) as ParsedRouteName[]) {
    // the keys of a literal
    const contract: RouteContract = ROUTES[name];
    const handler = handlers[name] as Handler<RouteContract>; // the handler with the same name, by the type `Handlers`
    const answer = (exchange: Exchange) => answerRoute({ contract, handler, gate }, exchange);
    const wildcard = wildcardOf(contract.path);
    if (wildcard === null) {
      const url = fastifyPath(contract.path);
      const own = (request: FastifyRequest, reply: FastifyReply) =>
        answer({ request, reply, params: request.params });
      fastify.route({ method: contract.method, url, handler: own });
      continue;
    }
    const key = `${contract.method} ${wildcard}`;
    slashed.set(key, [...(slashed.get(key) ?? []), { path: contract.path, answer }]);
  }
  for (const [key, routes] of slashed) {
    const [method = '', url = ''] = key.split(' ');
    fastify.route({ method, url, handler: (request, reply) => answerSlashed(routes, { request, reply }) });
  }
  reserveLiteralPaths(fastify);
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: unknown;
}

interface SlashedRoute {
  readonly path: string;
  readonly answer: (exchange: Exchange) => Promise<FastifyReply>;
}

function answerSlashed(
  routes: readonly SlashedRoute[],
  { request, reply }: Omit<Exchange, 'params'>,
): Promise<FastifyReply> {
  const { '*': rest = '' } = request.params as Readonly<Record<string, string>>; // only wildcard routes have it
  for (const { path, answer } of routes) {
    const params = matchSlashed(path, rest);
    if (params !== null) return answer({ request, reply, params });
  }
  throw new AppError('not_found', 'Not Found');
}

/** Checks access, parses, handles, answers. */
async function answerRoute(
  {
    contract,
    handler,
    gate,
  }: { readonly contract: RouteContract; readonly handler: Handler<RouteContract>; readonly gate: RouteGate },
  { request, reply, params }: Exchange,
): Promise<FastifyReply> {
  const caller = gate.identify(request);
  refuseOutsidePersonal(contract, gate);
  requireScope(caller, contract.scope);
  if (contract.alsoScope !== undefined) requireScope(caller, contract.alsoScope);
  const startedMs = performance.now();
  const { result, answer } = await performRoute(contract, { gate, params }, () => {
    const call = {
      caller,
      client: request.raw.socket.remoteAddress ?? 'gone',
      wanted: () => wantedUntilClosed(reply),
      ...readCall(contract, request, params),
    };
    return withUpload(contract, { request, dir: gate.uploadDir }, (upload) =>
      handler({ ...call, upload: upload as undefined }),
    ); // Upload if the contract declares one: Call<C>
  });
  if (contract.response === 'bytes') {
    const bytes = answer as StoredBytes | StreamedBytes; // Answer<C>
    return 'pieces' in bytes ? sendStreamed(bytes, reply) : sendStoredBytes(bytes, { request, reply });
  }
  reply.code(statusOf(contract, result));
  return sendJson(reply, {
    answer,
    timed: TIMED.has(contract.response) || contract.upload !== undefined,
    startedMs,
  });
}

/** @throws AppError forbidden for a route of personal servers on another server */
export function refuseOutsidePersonal(
  contract: RouteContract,
  { personal }: Pick<RouteGate, 'personal'>,
): void {
  if (contract.personalOnly && !personal) {
    throw new AppError('forbidden', 'This route is available on a personal server only.');
  }
}

/**
 * Runs a route's handler for a caller that may use it, whatever way the call arrived: counts it as activity, and hides
 * the session's secrets in the answer or the refusal.
 */
export async function performRoute(
  contract: RouteContract,
  { gate, params }: { readonly gate: Pick<RouteGate, 'redactorOf' | 'onUse'>; readonly params: unknown },
  handle: () => Promise<unknown>,
): Promise<{ readonly result: unknown; readonly answer: unknown }> {
  const sid = sessionIdIn(params) ?? '';
  if (contract.method !== 'GET') gate.onUse(sid);
  let result: unknown;
  try {
    result = await handle();
  } catch (error) {
    throw hideInError(error, gate.redactorOf(sid));
  }
  const redactor = gate.redactorOf(sessionIdIn(result) ?? sid);
  const answer =
    contract.response === 'bytes'
      ? hideInBytes(result as StoredBytes | StreamedBytes, redactor) // Answer<C>
      : hideInAnswer(result, redactor);
  return { result, answer };
}

function wantedUntilClosed({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const end = (): void => {
    if (!raw.writableFinished) controller.abort(new AppError('conflict', 'The client disconnected.'));
  };
  if (raw.destroyed) end();
  else raw.once('close', end);
  return controller.signal;
}

/** Reads the form of a route that takes one; its file is removed when the answer is made. */
async function withUpload<T>(
  { upload }: RouteContract,
  { request, dir }: { readonly request: FastifyRequest; readonly dir: string },
  answer: (upload: Upload | undefined) => Promise<T>,
): Promise<T> {
  if (upload === undefined) return answer(undefined);
  const { file, fields, dispose } = await readUpload(request.raw, { dir, maxBytes: upload.maxBytes });
  try {
    const checked = check(upload.fields, { raw: fields, where: 'body' });
    if (!checked.ok) throw new InvalidRequest(checked.parts);
    return await answer({ file, fields: checked.value as Upload['fields'] });
  } finally {
    await dispose();
  }
}

/** 202: the work continues, or waits for approval. */
function statusOf({ statuses = [200] }: RouteContract, result: unknown): 200 | 201 | 202 {
  const [first = 200] = statuses;
  if (!statuses.includes(202)) return first;
  const fields = typeof result === 'object' && result !== null ? result : {};
  const isOpen =
    ('accepted' in fields && fields.accepted === true) || ('status' in fields && fields.status === 'pending');
  return isOpen || !statuses.includes(200) ? 202 : 200;
}

/**
 * The same refusal without hidden values. Unexpected errors are returned unchanged, since no answer shows their text.
 */
function hideInError(error: unknown, redactor: Redactor): unknown {
  if (redactor.isIdle) return error;
  if (error instanceof InvalidRequest)
    return new InvalidRequest(hideInAnswer({ detail: error.parts }, redactor).detail);
  if (!(error instanceof AppError)) return error;
  const { message, context } = hideInAnswer({ message: error.message, context: error.context }, redactor);
  return new AppError(error.code, message, context);
}

/** The id of the session that a request names in its URL, or that an answer is about. */
function sessionIdIn(part: unknown): string | null {
  if (typeof part !== 'object' || part === null) return null;
  const { sid, session_id } = part as { readonly sid?: unknown; readonly session_id?: unknown }; // both are checked next
  if (typeof sid === 'string') return sid;
  return typeof session_id === 'string' ? session_id : null;
}

/** Notebook states contain how long they took (docs/spec/rest-notebooks.md, 2.1). */
const TIMED: ReadonlySet<unknown> = new Set([sessionState]);

interface ParsedParts {
  readonly params: undefined;
  readonly query: undefined;
  readonly body: undefined;
}

/** @throws InvalidRequest with everything that is wrong, path first */
function readCall(contract: RouteContract, request: FastifyRequest, address: unknown): ParsedParts {
  const invalid: InvalidRequest['parts'][number][] = [];
  const readPart = (
    schema: z.ZodType | undefined,
    part: { raw: unknown; where: 'path' | 'query' | 'body' },
  ): unknown => {
    if (schema === undefined) return undefined;
    const checked = check(schema, part);
    if (checked.ok) return checked.value;
    invalid.push(...checked.parts);
    return undefined;
  };
  const params = readPart(contract.params, { raw: address, where: 'path' });
  const query = readPart(contract.query, { raw: lastOfEach(request.query), where: 'query' });
  let body: unknown;
  if (contract.body !== undefined) {
    const json = isOptional(contract.body, request.body)
      ? { ok: true as const, value: undefined }
      : readJson(request.headers['content-type'], request.body, contract.exactIntegers);
    if (json.ok) body = readPart(contract.body, { raw: json.value, where: 'body' });
    else invalid.push(json.part);
  }
  if (invalid.length > 0) throw new InvalidRequest(invalid);
  return { params, query, body } as ParsedParts; // each parsed by the contract's own schema: Part<C, K>
}

/** Whether the body is optional and was left out. */
function isOptional(schema: z.ZodType, body: unknown): boolean {
  const isEmpty = !Buffer.isBuffer(body) || body.length === 0;
  return isEmpty && schema.safeParse(undefined).success;
}

/** If a query key is repeated, its last value counts. */
function lastOfEach(query: unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries(query as Record<string, unknown>); // Fastify's parser returns an object
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.at(-1) : value]),
  );
}

function sendJson(
  reply: FastifyReply,
  { answer, timed, startedMs }: { answer: unknown; timed: boolean; startedMs: number },
): FastifyReply {
  const bytes = joinParts(jsonParts(answer));
  if (timed) reply.header('Server-Timing', `total;dur=${(performance.now() - startedMs).toFixed(1)}`);
  return reply.type('application/json').send(bytes);
}
