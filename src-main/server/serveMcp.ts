/** Serves the MCP endpoint, by which agents use the notebooks of this server, over HTTP. */

import { PassThrough, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import type { McpCaller } from '../mcp/mcpCaller.ts';
import type { Evaluate } from '../mcp/tool.ts';
import type { Logger } from '../observe/log.ts';
import type { RegistryService } from '../registry/registryService.ts';
import type { Sessions } from '../session/api.ts';
import type { McpSwitch } from './mcpSwitch.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

interface McpOptions {
  readonly mcpSwitch: Pick<McpSwitch, 'isOn' | 'onOff'>;
  readonly basePath: string;
  readonly sessions: Sessions;
  readonly registry: RegistryService;
  readonly evaluate: Evaluate;
  readonly version: string;
  readonly log: Logger;
  readonly callerOf: (request: FastifyRequest) => McpCaller;
  /** @throws AppError draining */
  readonly refuseWhenDraining: () => void;
}

interface ServedMcp {
  /** Ends the streams of listening clients; calls that are running continue. */
  endStreams(): void;
  close(): Promise<void>;
}

const OFF =
  'The MCP endpoint is off. Turn it on in the settings, or start the server with SVC_MCP_ENABLED=true.';

/**
 * The endpoint for agents (docs/spec/mcp.md). The SDK is loaded by the first request, because loading takes a sixth of
 * a second.
 */
export function serveMcp(http: FastifyInstance, options: McpOptions): ServedMcp {
  const { mcpSwitch, basePath } = options;
  let endpoint: Promise<McpEndpoint> | null = null;
  const load = () => {
    endpoint ??= import('../mcp/endpoint.ts').then((module) => new module.McpEndpoint(options));
    return endpoint;
  };
  // Agents that are connected lose their sessions; a call that runs goes on.
  mcpSwitch.onOff(() => {
    const before = endpoint;
    endpoint = null;
    before
      ?.then((loaded) => loaded.close())
      .catch((error: unknown) => {
        options.log.warn({ err: error }, 'the sessions of agents were not closed');
      });
  });
  for (const method of METHODS) {
    http.route({
      method,
      url: '/mcp',
      handler: (_request, reply) =>
        mcpSwitch.isOn() ? reply.redirect(`${basePath}/mcp/`, 307) : reply.code(404).send({ detail: OFF }),
    });
    http.route({
      method,
      url: '/mcp/',
      handler: async (request, reply) => {
        if (!mcpSwitch.isOn()) return reply.code(404).send({ detail: OFF });
        if (request.method === 'HEAD') return reply.code(405).header('Allow', METHODS.join(', ')).send();
        options.refuseWhenDraining();
        const body = method === 'POST' ? jsonOf(request.body) : undefined;
        if (body === NOT_JSON) return reply.code(400).send(PARSE_ERROR);
        const caller = options.callerOf(request);
        const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve));
        const call = { request: webRequest(request, method), body, caller, closed };
        return send(reply, await (await load()).handle(call));
      },
    });
  }
  return {
    endStreams() {
      void endpoint?.then((loaded) => loaded.endStreams());
    },
    async close() {
      await (await endpoint)?.close();
    },
  };
}

const NOT_JSON = Symbol('not JSON');
const PARSE_ERROR = {
  jsonrpc: '2.0',
  error: { code: -32700, message: 'Parse error: Invalid JSON' },
  id: null,
};

function jsonOf(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return NOT_JSON;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return NOT_JSON;
  }
}

/** The body was already read: the transport gets it parsed. */
function webRequest({ raw }: FastifyRequest, method: string): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = raw.rawHeaders.slice(at, at + 2);
    try {
      headers.append(name, value);
    } catch (_notAHeader) {
      throw new AppError('bad_request', `The header ${JSON.stringify(name)} is not valid.`);
    }
  }
  return new Request('http://localhost/mcp/', { method, headers });
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status).header('Access-Control-Expose-Headers', 'Mcp-Session-Id');
  // Fastify decides whether the connection stays open.
  for (const [name, value] of response.headers) if (name !== 'connection') reply.header(name, value);
  const { body } = response;
  if (body === null) return reply.send();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const bytes = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]); // the same stream, in Node's types
  return reply.send(isStream ? opened(bytes) : bytes);
}

/** A stream whose headers are sent at once: clients wait for them, and the first message may come late. */
function opened(bytes: Readable): Readable {
  const stream = new PassThrough();
  stream.write(': open\n\n');
  bytes.once('error', (error) => stream.destroy(error));
  stream.once('close', () => bytes.destroy());
  return bytes.pipe(stream);
}
