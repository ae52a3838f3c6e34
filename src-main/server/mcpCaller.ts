/** Calls the handlers of the server's routes for MCP tools, without HTTP requests. */

import { AppError } from '../../src-shared/wire/errors.ts';
import { type ParsedRouteName, ROUTES } from '../../src-shared/wire/routes/all.ts';
import { type AnswerOf, type CallOf, type CallParts, refusalIn } from '../../src-shared/wire/routes/call.ts';
import type { RouteContract } from '../../src-shared/wire/routes/contract.ts';
import { openHandle } from '../lib/guardedFolder/read.ts';
import { type McpCaller, type RouteBytes, ToolRefusal } from '../mcp/mcpCaller.ts';
import type { Logger } from '../observe/log.ts';
import { type Caller, hasScope, identityOf } from './caller.ts';
import { answerFor, InvalidRequest } from './errorAnswer.ts';
import {
  type Handler,
  type Handlers,
  performRoute,
  type RouteGate,
  refuseOutsidePersonal,
} from './implementRoutes.ts';
import { partyOf } from './routes/registryParty.ts';
import type { StoredBytes } from './storedBytes.ts';
import type { StreamedBytes } from './streamedBytes.ts';
import { check } from './validation.ts';

interface CallerRoutes {
  readonly handlers: Handlers;
  readonly gate: Pick<RouteGate, 'personal' | 'redactorOf' | 'onUse'>;
  readonly log: Logger;
}

/** The routes of this server for an agent's tools: the same handlers, called without HTTP requests. */
export function createMcpCaller(caller: Caller, { handlers, gate, log }: CallerRoutes): McpCaller {
  return {
    key: JSON.stringify([caller.tenant, caller.principal]),
    party: partyOf(caller),
    hasScope: (scope) => hasScope(caller, scope),
    identity: (author) => identityOf(caller, author),
    async call<N extends ParsedRouteName>(name: N, call: CallOf<N>) {
      const contract: RouteContract = ROUTES[name];
      const handler = handlers[name] as Handler<RouteContract>; // the handler with the same name, by the type `Handlers`
      const parts = call as CallParts; // the parts that `CallOf` declares
      try {
        refuseOutsidePersonal(contract, gate);
        const { answer } = await performRoute(contract, { gate, params: parts.params }, async () =>
          handler({ caller, client: 'mcp', wanted: neverGone, ...readParts(contract, parts) }),
        );
        const result =
          contract.response === 'bytes' ? routeBytes(answer as StoredBytes | StreamedBytes) : answer;
        return result as AnswerOf<N, RouteBytes>; // the shape that the contract declares
      } catch (error) {
        throw refusalOf(error, log);
      }
    },
  };
}

/** Work that a tool started continues when its client disconnects, as a run does. */
function neverGone(): AbortSignal {
  return new AbortController().signal;
}

/** @throws InvalidRequest with everything that is wrong */
function readParts(contract: RouteContract, parts: CallParts) {
  const invalid: InvalidRequest['parts'][number][] = [];
  const readPart = (key: 'params' | 'query' | 'body'): unknown => {
    const schema = contract[key];
    if (schema === undefined) return undefined;
    const where = key === 'params' ? 'path' : key;
    const checked = check(schema, { raw: parts[key], where });
    if (checked.ok) return checked.value;
    invalid.push(...checked.parts);
    return undefined;
  };
  const read3 = {
    params: readPart('params'),
    query: readPart('query'),
    body: readPart('body'),
    upload: undefined,
  };
  if (invalid.length > 0) throw new InvalidRequest(invalid);
  return read3 as { params: undefined; query: undefined; body: undefined; upload: undefined }; // each parsed by the contract's schema: Part<C, K>
}

function routeBytes(bytes: StoredBytes | StreamedBytes): RouteBytes {
  const { contentType } = bytes;
  if ('pieces' in bytes) return { contentType, headers: {}, pieces: async () => bytes.pieces };
  const { path, shown: hiddenBytes, headers } = bytes;
  return {
    contentType,
    headers,
    async pieces() {
      const file = await openHandle(path).catch((error: unknown) => {
        if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error;
        throw new ToolRefusal('The stored result no longer exists. Run the cell again.');
      });
      const stream = file.createReadStream();
      return hiddenBytes === undefined ? stream : hiddenBytes.of(stream);
    },
  };
}

/** The message that a client of the REST API would get; bugs show no details. */
function refusalOf(error: unknown, log: Logger): ToolRefusal {
  if (error instanceof ToolRefusal) return error;
  const { body, logged } = answerFor(error);
  if (logged === 'error') log.error({ err: error }, 'a tool call failed');
  if (logged === 'warn') log.warn({ err: error }, 'a tool call was refused');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const code = error instanceof AppError ? error.code : null;
  const message =
    error instanceof InvalidRequest
      ? error.parts.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')
      : (refusalIn(text).message ?? 'Internal server error');
  return new ToolRefusal(message, code);
}
