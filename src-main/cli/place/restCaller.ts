/**
 * HTTP client of the command line for the REST routes of a server; calls are checked against the route
 * contracts.
 */

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LAUNCH_TOKEN_HEADER } from '../../../src-shared/shell/handshake.ts';
import type { ROUTES, RouteName } from '../../../src-shared/wire/routes/all.ts';
import {
  type AnswerOf,
  type CallOf,
  type CallParts,
  refusalIn,
  routePath,
} from '../../../src-shared/wire/routes/call.ts';
import type { RouteContract } from '../../../src-shared/wire/routes/contract.ts';
import { errnoOf } from '../../lib/atomicFile.ts';

/** A server that cannot be reached, refuses, or sends an answer that does not match the contract. */
export class CallError extends Error {
  /** 0 if there was no answer. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'CallError';
    this.status = status;
  }
}

/** Calls the routes of one server by their contracts. */
export interface RestCaller {
  /** The server's answer. @throws CallError */
  call<N extends RouteName>(name: N, call: CallOf<N>): Promise<AnswerOf<N, Buffer>>;
  /** The bytes of an answer as they arrive. Reading them throws CallError if they break off. @throws CallError */
  open<N extends RouteName>(name: N, call: CallOf<N>): Promise<OpenAnswer>;
  /** Sends a file as a form of a route that takes one. @throws CallError */
  upload<N extends UploadRoute>(name: N, form: UploadForm): Promise<AnswerOf<N, Buffer>>;
}

interface OpenAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Routes whose body is a form with a file. */
type UploadRoute = {
  [N in RouteName]: (typeof ROUTES)[N] extends { readonly upload: object } ? N : never;
}[RouteName];

interface UploadForm {
  readonly path: string;
  /** The file name sent to the server. */
  readonly fileName: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** The body of a request. */
interface Body {
  readonly type: string;
  readonly pieces: Buffer | AsyncIterable<Uint8Array>;
}

/**
 * Calls the routes of one server. There is no time limit: runs may take any time, and Ctrl+C ends the wait.
 * @param base the server's URL, with its base path if it has one
 * @param token the launch token, if the server requires one
 */
export function createRestCaller(base: URL, token: string | null): RestCaller {
  const root = base.href.endsWith('/') ? base.href : `${base.href}/`;
  const send = async <N extends RouteName>(name: N, parts: CallParts, body: Body | null) => {
    const contract = await contractOf(name);
    const url = new URL(routePath(contract, parts).slice(1), root);
    const answer = await sent(url, { method: contract.method, body, token });
    const status = answer.statusCode ?? 0;
    if (status >= 300) throw refused(status, await all(answer, url));
    return { answer, url };
  };
  const readAnswer = async <N extends RouteName>(name: N, answer: IncomingMessage, url: URL) => {
    const contract = await contractOf(name);
    const bytes = await all(answer, url);
    if (contract.response === 'bytes') return bytes as AnswerOf<N, Buffer>; // as the contract declares
    const json: unknown = readJson(bytes, url);
    const parsed = contract.response.safeParse(json);
    if (!parsed.success) {
      const where = parsed.error.issues[0]?.path.join('.') ?? '';
      throw new CallError(
        `the response of ${url.origin} to ${name} is not valid for this version: ${where}`,
        answer.statusCode ?? 0,
      );
    }
    // The whole answer, not the parsed part: a newer server may send more fields.
    return json as AnswerOf<N, Buffer>;
  };
  return {
    async call(name, call) {
      const parts = call as CallParts; // the parts that `CallOf` declares
      const { answer, url } = await send(name, parts, jsonBody(parts.body));
      return readAnswer(name, answer, url);
    },
    async open(name, call) {
      const parts = call as CallParts; // the parts that `CallOf` declares
      const { answer, url } = await send(name, parts, jsonBody(parts.body));
      return { headers: answer.headers, body: whole(answer, url) };
    },
    async upload(name, form) {
      const { answer, url } = await send(name, {}, formBody(form));
      return readAnswer(name, answer, url);
    },
  };
}

/** Loaded at the first call: help and wrong usage do without the contracts [AR-63]. */
async function contractOf(name: RouteName): Promise<RouteContract> {
  const { ROUTES } = await import('../../../src-shared/wire/routes/all.ts');
  return ROUTES[name];
}

function jsonBody(body: unknown): Body | null {
  if (body === undefined) return null;
  return { type: 'application/json', pieces: Buffer.from(JSON.stringify(body)) };
}

/** A form with a file and a few texts (RFC 7578); the file is read while it is sent. */
function formBody({ path, fileName, fields }: UploadForm): Body {
  const boundary = `svc-${randomBytes(18).toString('hex')}`;
  const part = (name: string, more: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  // Like browsers: characters that would end the name are percent-encoded.
  const quoted = fileName.replace(/["\r\n]/g, encodeURIComponent);
  async function* pieces() {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) yield Buffer.from(`${part(name, '')}${value}\r\n`);
    yield Buffer.from(part('file', `; filename="${quoted}"\r\nContent-Type: application/octet-stream`));
    yield* createReadStream(path);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  return { type: `multipart/form-data; boundary=${boundary}`, pieces: pieces() };
}

function refused(status: number, bytes: Buffer): CallError {
  return new CallError(
    refusalIn(bytes.toString('utf8')).message ?? `The server returned status ${status}`,
    status,
  );
}

function readJson(bytes: Buffer, url: URL): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (_notJson) {
    throw new CallError(`${url.origin} is not a Cellar server`, 0);
  }
}

function unreachable(url: URL, cause: unknown): CallError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CallError(`${url.origin} cannot be reached: ${why || 'no answer'}`, 0);
}

async function all(answer: IncomingMessage, url: URL): Promise<Buffer> {
  try {
    return await buffer(answer);
  } catch (error) {
    throw unreachable(url, error);
  }
}

async function* whole(answer: IncomingMessage, url: URL): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch (error) {
    // The server closes connections that it cannot finish.
    if (errnoOf(error) !== 'ECONNRESET') throw error;
    throw new CallError(
      `${url.origin} closed the connection before the response was complete`,
      answer.statusCode ?? 0,
    );
  }
}

function sent(
  url: URL,
  what: { readonly method: string; readonly body: Body | null; readonly token: string | null },
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const { body, method, token } = what;
  const pieces = body?.pieces ?? null;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        headers: {
          ...(body === null ? {} : { 'content-type': body.type }),
          ...(Buffer.isBuffer(pieces) ? { 'content-length': pieces.length } : {}),
          ...(token === null ? {} : { [LAUNCH_TOKEN_HEADER]: token }),
        },
      },
      resolve,
    );
    outgoing.once('error', (cause) => reject(unreachable(url, cause)));
    if (pieces === null || Buffer.isBuffer(pieces)) outgoing.end(pieces ?? undefined);
    // A server that refuses a form early has already answered: the unsent rest is no error.
    else pipeline(Readable.from(pieces), outgoing).catch((cause: unknown) => reject(unreachable(url, cause)));
  });
}
