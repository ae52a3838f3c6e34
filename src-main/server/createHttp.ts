/** Creates the HTTP server without routes: the request pipeline, the headers of every answer, and the error answers. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { AppError } from '../../src-shared/wire/errors.ts';
import { ROUTES } from '../../src-shared/wire/routes/all.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { noCompilers } from '../lib/noCompilers.ts';
import type { CellClients } from '../session/effects/cellClients.ts';
import type { App } from './app.ts';
import { answerFor } from './errorAnswer.ts';
import { fastifyPath } from './fastifyPath.ts';
import { originForm, withoutBasePath } from './pipeline/basePath.ts';
import { BODY_STALL_MS, limitStall } from './pipeline/bodyStall.ts';
import { FORBIDDEN_TO_CELL_TOKEN, judgeCellToken, UNKNOWN_CELL_TOKEN } from './pipeline/cellToken.ts';
import { frameAncestors, joinPolicies } from './pipeline/contentSecurity.ts';
import { restoreHead, routeHeadAsGet, withoutBody } from './pipeline/headAsGet.ts';
import { type HostCheck, hostRefusal, namesTwoHosts, TWO_HOSTS } from './pipeline/hostCheck.ts';
import { answerTicket, type Launch } from './pipeline/launchPage.ts';
import { TOKEN_REFUSAL, type TokenCheck } from './pipeline/launchToken.ts';
import { isOpenRequest } from './pipeline/openRoutes.ts';
import { isForeign, isWrite, judgeOrigin, originRefusal, preflightHeaders } from './pipeline/originGuard.ts';
import { PEER_REFUSAL, type PeerCheck } from './pipeline/peerCheck.ts';
import { projectPath } from './pipeline/projectPath.ts';
import { limitRefusal, RateLimiter } from './pipeline/rateLimit.ts';
import { answerRaw, headersOfAll } from './pipeline/rawAnswer.ts';
import { readRest } from './pipeline/readRest.ts';
import { newRequestId, requestId } from './pipeline/requestId.ts';
import { isSignedRequest } from './pipeline/signedRoutes.ts';
import { unroutedAnswer } from './unroutedAnswer.ts';

/**
 * JSON bodies are held in memory, so their limit is far below that of uploads (docs/spec/rest-core.md, 2, Body caps).
 */
const JSON_BODY_BYTES = 16 * 1024 * 1024;
/** Clients are remembered by name, which comes from a header that can be long. */
const MAX_CLIENT_LENGTH = 64;
/** Longest path parameter that the router accepts; contracts set the actual limits. */
const MAX_PARAM_LENGTH = 4_096;

const UPLOAD_PATHS: ReadonlySet<string> = new Set(
  Object.values(ROUTES).flatMap((route: RouteContract) =>
    route.upload === undefined ? [] : [fastifyPath(route.path)],
  ),
);

/** The checks that a request passes before anything else reads it. Upgrades pass the same ones. */
interface EdgeChecks {
  readonly hostCheck: HostCheck;
  readonly tokenCheck: TokenCheck;
  /** Whose tokens open the few routes that the client `svc` of cells needs. */
  readonly cellClients: Pick<CellClients, 'sessionOf'>;
  /** Needs the listening server, which `createHttp` makes. */
  readonly peerCheck: (server: FastifyInstance['server']) => PeerCheck;
  /** How browsers get the cookie of a server with a launch token; null without a token, or without browsers. */
  readonly launch: Launch | null;
  /**
   * Whether monitors and readers of publications need no credential. The desktop app's own server has no open routes.
   */
  readonly isOpen: boolean;
  /** How long a body may make no progress. Default: one minute. */
  readonly bodyStallMs?: number;
}

/**
 * The HTTP server without routes: the request pipeline of docs/spec/rest-core.md, 2, in its order, and the error
 * answers. Every answer carries X-Request-ID and nosniff, including refusals of the first steps.
 */
export function createHttp(app: Pick<App, 'config' | 'log'>, checks: EdgeChecks): FastifyInstance {
  const { config, log } = app;
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: requestId,
    rewriteUrl: (request) => {
      routeHeadAsGet(request);
      return projectPath(withoutBasePath(originForm(request.url ?? '/'), config.publicBasePath));
    },
    bodyLimit: Math.min(JSON_BODY_BYTES, config.maxUploadBytes),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    exposeHeadRoutes: false,
    // While it drains, the server answers late requests itself, in the API's error form.
    return503OnClosing: false,
    schemaController: noCompilers,
    // No hook runs for URLs that the router cannot read.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersOfAll(request.id));
      sendError(error, { request, reply });
    },
    clientErrorHandler,
    http: {
      requireHostHeader: false,
      // `Upgrade: h2c` and other protocols are ordinary requests.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
  }) as unknown as FastifyInstance; // the logger is pino's, whose type is wider than the default
  http.server.on('checkExpectation', refuseExpectation);
  keepBodiesRaw(http);
  addPipeline(http, config, checks);
  http.setErrorHandler((error, request, reply) => sendError(error, { request, reply }));
  http.setNotFoundHandler(unroutedAnswer);
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const entry = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log.debug(entry, 'answered');
    done();
  });
  return http;
}

/** Bytes that are not HTTP: there is no request to answer, only a connection to close with a reason. */
function clientErrorHandler(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, detail] = CLIENT_ERRORS[error.code] ?? [
    '400 Bad Request',
    'This is not a valid HTTP request.',
  ];
  answerRaw(socket, { status, detail, requestId: newRequestId() });
}

const CLIENT_ERRORS: Readonly<Record<string, readonly [status: string, detail: string] | undefined>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** `Expect` with a value other than 100-continue, which Node answers itself. */
function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const headers = { ...headersOfAll(requestId(request)), 'Content-Type': 'application/json' };
  response.writeHead(417, { ...headers, Connection: 'close' });
  response.end(JSON.stringify({ detail: 'This server supports only "Expect: 100-continue".' }));
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/**
 * Reads an invalid media type as plain bytes: routes with a body then refuse it by contract, and routes without a body
 * ignore it. Fastify would answer with a status of its own.
 */
function asSomeBytes({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== undefined && !MEDIA_TYPE.test(type)) headers['content-type'] = 'application/octet-stream';
}

/** Whether the body is compressed; reading it uncompressed would give wrong bytes. */
function isEncoded({ method, headers }: FastifyRequest): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return method !== 'GET' && method !== 'HEAD' && coding !== '' && coding !== 'identity';
}

function refuseEncoded({ request, reply }: Exchange): void {
  readRest(request.raw);
  const coding = request.headers['content-encoding'];
  reply.code(415).header('Accept-Encoding', 'identity');
  reply.send({ detail: `Content-Encoding ${coding} is not supported. Send the body without it.` });
}

/** Bodies stay bytes until a contract needs JSON, so that an unread body cannot fail a request. */
function keepBodiesRaw(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  // Routes that accept a form read it as a stream (`readUpload`); on any other route it is refused unread.
  http.addContentTypeParser('multipart/form-data', (request, _body, done) => {
    if (UPLOAD_PATHS.has(request.routeOptions.url ?? '')) return done(null);
    readRest(request.raw);
    done(null, Buffer.from('{}'));
  });
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function addPipeline(
  http: FastifyInstance,
  config: App['config'],
  { hostCheck, tokenCheck, cellClients, peerCheck, launch, isOpen, bodyStallMs = BODY_STALL_MS }: EdgeChecks,
): void {
  const limiters = { own: new RateLimiter(config), foreign: new RateLimiter(config) };
  const peerPasses = peerCheck(http.server);
  const ancestors = frameAncestors(config.embedFrameAncestors);
  http.addHook('onRequest', (request, reply, done) => {
    restoreHead(request.raw);
    // Answers to another origin depend on the Origin header, including answers without CORS headers.
    reply.headers({ ...headersOfAll(request.id), Vary: 'Origin' });
    const { host } = request.headers;
    if (namesTwoHosts(request.raw.rawHeaders)) return sendText(reply, { status: 400, text: TWO_HOSTS });
    if (!hostCheck(host)) return sendText(reply, { status: 400, text: hostRefusal(host ?? '') });
    const admit = (): void => {
      if (isAdmitted({ request, reply })) done();
    };
    if (isOpen && isOpenRequest(request.method, request.url)) return admit();
    if (isSignedRequest(request.method, request.url)) return admit();
    const continueAfterPeerCheck = (passes: boolean): void => {
      const ticket = passes && launch !== null ? answerTicket(request.raw, launch) : null;
      const { method, url, headers } = request;
      const cell = judgeCellToken({ method, url, authorization: headers.authorization }, cellClients);
      if (!passes) sendText(reply, { status: 403, text: PEER_REFUSAL });
      else if (ticket !== null) reply.code(ticket.status).headers(ticket.headers).send(ticket.body);
      else if (cell === 'unknown') sendText(reply, { status: 401, text: UNKNOWN_CELL_TOKEN });
      else if (cell === 'forbidden') sendText(reply, { status: 403, text: FORBIDDEN_TO_CELL_TOKEN });
      else if (cell === 'none' && !tokenCheck(request.raw))
        sendText(reply, { status: 401, text: TOKEN_REFUSAL });
      else admit();
    };
    const passes = peerPasses(request.raw.socket);
    if (typeof passes === 'boolean') continueAfterPeerCheck(passes);
    else passes.then(continueAfterPeerCheck, done);
  });
  const isAdmitted = ({ request, reply }: Exchange): boolean => {
    // Requests of foreign pages must not use up the user's rate limit.
    if (!passesOrigin(config.corsAllowOrigins, { request, reply })) return false;
    const limiter = isForeign(request.headers, config.corsAllowOrigins) ? limiters.foreign : limiters.own;
    if (!passesLimit(limiter, { request, reply })) return false;
    if (isEncoded(request)) {
      refuseEncoded({ request, reply });
      return false;
    }
    asSomeBytes(request);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      limitStall({ request: request.raw, response: reply.raw }, bodyStallMs);
    return true;
  };
  http.addHook('onSend', (request, reply, payload, done) => {
    const own = reply.getHeader('content-security-policy');
    reply.header(
      'Content-Security-Policy',
      joinPolicies(own === undefined ? undefined : String(own), ancestors),
    );
    done(null, request.method === 'HEAD' ? withoutBody(reply, payload) : payload);
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function passesLimit(limiter: RateLimiter, { request, reply }: Exchange): boolean {
  const path = request.url.split('?', 1)[0] ?? '/';
  const verdict = limiter.check({ method: request.method, path, client: clientOf(request) });
  if (verdict.kind === 'passed') reply.header('X-RateLimit-Remaining', verdict.remaining);
  if (verdict.kind !== 'refused') return true;
  const { limit, retryAfterSeconds } = verdict;
  reply.headers({ 'X-RateLimit-Limit-Type': limit, 'Retry-After': retryAfterSeconds });
  sendText(reply, { status: 429, text: limitRefusal(limit, retryAfterSeconds) });
  return false;
}

function clientOf(request: FastifyRequest): string {
  const forwarded = request.headers['x-forwarded-for'];
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',', 1)[0]?.trim();
  // A connection that closed before its request was handled has no address any more.
  return (first || request.raw.socket.remoteAddress || 'gone').slice(0, MAX_CLIENT_LENGTH);
}

function passesOrigin(listed: readonly string[], { request, reply }: Exchange): boolean {
  const { headers, method } = request;
  const verdict = judgeOrigin({ origin: headers.origin, host: headers.host }, listed);
  if (verdict.kind === 'none') return true;
  const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (verdict.kind === 'allowed') {
    reply.header('Access-Control-Allow-Origin', verdict.origin);
    if (!isPreflight) return true;
    reply.headers(preflightHeaders(headers['access-control-request-headers'])).code(200).send();
    return false;
  }
  if (isPreflight) {
    reply.code(403).send();
    return false;
  }
  if (!isWrite(method)) return true;
  reply.code(403).send({ detail: originRefusal(verdict.origin) });
  return false;
}

function sendText(reply: FastifyReply, { status, text }: { status: number; text: string }): void {
  reply.code(status).type('text/plain; charset=utf-8').send(text);
}

/** A client that disconnects while its body is read: nothing failed here. */
function isCutOff(error: unknown, { errored }: IncomingMessage): boolean {
  return errored !== null && error === errored;
}

function sendError(error: unknown, { request, reply }: Exchange): FastifyReply {
  const cause = isCutOff(error, request.raw)
    ? new AppError('bad_request', 'The upload was interrupted.')
    : error;
  const { status, body, logged, headers = {} } = answerFor(cause);
  reply.headers(headers);
  if (status === 413) {
    // Fastify would close the connection while the client is still sending.
    reply.removeHeader('connection');
    readRest(request.raw);
  }
  if (logged === 'error')
    request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
  if (logged === 'warn') request.log.warn({ err: error, route: request.routeOptions.url }, 'request refused');
  if (typeof body === 'string') return reply.code(status).type('text/plain; charset=utf-8').send(body);
  return reply.code(status).type('application/json').send(JSON.stringify(body));
}
