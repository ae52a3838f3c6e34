import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { LAUNCH_TOKEN_HEADER } from '../../../src-shared/shell/handshake.ts';
import type { RouteName } from '../../../src-shared/wire/routes/all.ts';
import { ROUTES } from '../../../src-shared/wire/routes/all.ts';
import {
  type AnswerOf,
  type CallOf,
  type CallParts,
  refusalIn,
  routePath,
} from '../../../src-shared/wire/routes/call.ts';

/** A server that cannot be reached, refuses, or answers what the contract does not know. */
export class CallError extends Error {
  /** 0 where there was no answer. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'CallError';
    this.status = status;
  }
}

export interface RestCaller {
  /** The answer as the server gave it. @throws CallError */
  call<N extends RouteName>(name: N, call: CallOf<N>): Promise<AnswerOf<N, Buffer>>;
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

/**
 * Calls the routes of one server. There is no time limit: a run takes what it takes, and Ctrl+C ends the wait.
 * @param base the server's address, with its base path if it has one
 * @param token the launch token of a server that wants one
 */
export function createRestCaller(base: URL, token: string | null): RestCaller {
  return {
    async call<N extends RouteName>(name: N, call: CallOf<N>) {
      const contract = ROUTES[name];
      const parts = call as CallParts; // what `CallOf` names
      const root = base.href.endsWith('/') ? base.href : `${base.href}/`;
      const url = new URL(routePath(contract, parts).slice(1), root);
      const { status, bytes } = await send(url, { method: contract.method, body: parts.body, token });
      if (status >= 300) throw refused(status, bytes);
      if (contract.response === 'bytes') return bytes as AnswerOf<N, Buffer>; // as the contract says
      const answer: unknown = readJson(bytes, url);
      const read = contract.response.safeParse(answer);
      if (!read.success) {
        const where = read.error.issues[0]?.path.join('.') ?? '';
        throw new CallError(
          `${url.origin} answers ${name} in a way this version cannot read: ${where}`,
          status,
        );
      }
      // Not what was read of it: a newer server may say more.
      return answer as AnswerOf<N, Buffer>;
    },
  };
}

function refused(status: number, bytes: Buffer): CallError {
  return new CallError(refusalIn(bytes.toString('utf8')).message ?? `The server answers ${status}`, status);
}

function readJson(bytes: Buffer, url: URL): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (_notJson) {
    throw new CallError(`${url.origin} does not answer as a Cellar server does`, 0);
  }
}

function send(
  url: URL,
  what: { readonly method: string; readonly body: unknown; readonly token: string | null },
): Promise<Answer> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const body = what.body === undefined ? null : Buffer.from(JSON.stringify(what.body));
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: what.method,
        headers: {
          ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
          ...(what.token === null ? {} : { [LAUNCH_TOKEN_HEADER]: what.token }),
        },
      },
      (response) => {
        buffer(response).then((bytes) => resolve({ status: response.statusCode ?? 0, bytes }), failed);
      },
    );
    const failed = (cause: Error): void =>
      reject(new CallError(`${url.origin} cannot be reached: ${cause.message || 'no answer'}`, 0));
    sent.once('error', failed);
    sent.end(body ?? undefined);
  });
}
