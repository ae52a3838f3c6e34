/** The MCP endpoint of the server, where agents outside Cellar connect: creates and forgets their sessions. */

import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { type AgentServerOptions, createAgentServer } from './agentServer.ts';
import { createEventStore, type ResumableStore } from './eventStore.ts';
import type { McpCaller } from './mcpCaller.ts';

/**
 * Maximum number of connected clients. The one that was idle for the longest time makes room for a new one.
 */
const MAX_CLIENTS = 100;
/** A client without a request for this long, and without an open stream, is forgotten. */
const IDLE_MS = 60 * 60_000;
/** How soon a client reconnects after its stream broke off. */
const RETRY_MS = 1_000;

interface McpRequest {
  readonly request: Request;
  /** The parsed body of a POST. */
  readonly body: unknown;
  readonly caller: McpCaller;
  /** Resolves when the connection of the answer is closed. */
  readonly closed: Promise<void>;
}

interface Client {
  readonly id: string;
  readonly key: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly events: ResumableStore;
  /** Responses that are still open, including streams. */
  open: number;
  usedAtMs: number;
}

interface McpEndpointOptions extends AgentServerOptions {
  readonly now?: () => number;
}

/**
 * Agents from outside, over MCP's streamable HTTP. Each client has its own session, identified by the id that
 * it got on initialization; an id of another client is not accepted. The request pipeline authenticates the
 * client before.
 */
export class McpEndpoint {
  readonly #options: McpEndpointOptions;
  readonly #clients = new Map<string, Client>();
  readonly #now: () => number;

  constructor(options: McpEndpointOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  async handle({ request, body, caller, closed }: McpRequest): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const client = id === null ? undefined : this.#clients.get(id);
    if (id !== null && client?.key !== caller.key) return refusal(404, -32001, 'Session not found');
    if (client !== undefined) return this.#ask(client, { request, body, caller, closed });
    const isFirst = (Array.isArray(body) ? body : [body]).some((one) => isInitializeRequest(one));
    if (request.method !== 'POST' || !isFirst) {
      return refusal(400, -32000, 'Bad Request: the Mcp-Session-Id header is required');
    }
    const added = this.#add(caller);
    if (added === null) return refusal(503, -32000, 'Too many agents are connected. Try again later.');
    await added.server.connect(added.transport);
    const response = await this.#ask(added, { request, body, caller, closed });
    // Refused before it had a session.
    if (added.transport.sessionId === undefined) await this.#forget(added);
    return response;
  }

  /** Ends the streams of clients, so that a closing server does not wait for them. Running calls continue. */
  endStreams(): void {
    for (const { transport } of this.#clients.values()) transport.closeStandaloneSSEStream();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => this.#forget(client)));
  }

  async #ask(client: Client, { request, body, caller, closed }: McpRequest): Promise<Response> {
    const lastId = request.headers.get('last-event-id');
    if (request.method === 'GET' && lastId !== null && !client.events.has(lastId)) {
      return refusal(400, -32000, `The event ${lastId} is no longer stored. Start a new session.`);
    }
    client.open += 1;
    client.usedAtMs = this.#now();
    void closed.then(() => {
      client.open -= 1;
      client.usedAtMs = this.#now();
    });
    const authInfo = { token: '', clientId: caller.key, scopes: [], extra: { caller } };
    return client.transport.handleRequest(request, { parsedBody: body, authInfo });
  }

  #add({ key }: McpCaller): Client | null {
    this.#sweep();
    const id = randomUUID();
    const server = createAgentServer(this.#options);
    const events = createEventStore();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: events,
      retryInterval: RETRY_MS,
      onsessionclosed: () => void this.#clients.delete(id),
    });
    if (this.#clients.size >= MAX_CLIENTS) return null;
    const client: Client = { id, key, server, transport, events, open: 0, usedAtMs: this.#now() };
    this.#clients.set(id, client);
    return client;
  }

  /** Forgets clients that were idle for too long, and one more if there is no room. */
  #sweep(): void {
    const idle = [...this.#clients.values()]
      .filter(({ open }) => open === 0)
      .sort((a, b) => a.usedAtMs - b.usedAtMs);
    const isFull = this.#clients.size >= MAX_CLIENTS;
    for (const [at, client] of idle.entries()) {
      if ((isFull && at === 0) || this.#now() - client.usedAtMs > IDLE_MS) void this.#forget(client);
    }
  }

  async #forget(client: Client): Promise<void> {
    this.#clients.delete(client.id);
    await client.server.close();
  }
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
