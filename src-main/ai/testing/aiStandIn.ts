/** A fake AI provider on loopback with the APIs of OpenAI and Anthropic, for tests. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type StreamedReply, streamedBytes } from './streamedReply.ts';

/** One request that the fake model received. */
interface AiRequestRecord {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The parsed body; null for a GET. */
  readonly body: AiRequestBody | null;
  /** Settles when the connection of this request has ended for any reason. */
  readonly closed: Promise<void>;
}

interface AiRequestBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly [key: string]: unknown;
}

/** How the fake model replies to a request. */
export type AiReply =
  /** Streams this text over the requested API, in chunks of `piece` characters (default 5). */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly piece?: number;
      readonly finish?: string | null;
      readonly tokens?: readonly [number, number] | null;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Sends this much of a reply, then breaks the connection. */
  | { readonly kind: 'cut'; readonly text: string }
  /** Sends this much, then nothing more, until the client disconnects. */
  | { readonly kind: 'silent'; readonly text: string }
  /** Sends `signs` keep-alive signals at intervals, then replies; in one piece if it does not stream. */
  | { readonly kind: 'slow'; readonly text: string; readonly signs: number; readonly everyMs: number }
  /** Streams without end. */
  | { readonly kind: 'endless' }
  /** Streams a reply with calls of tools, as a provider of the requested API does. */
  | ({ readonly kind: 'tools' } & StreamedReply)
  /** Sends these bytes unchanged. */
  | { readonly kind: 'raw'; readonly status: number; readonly type: string; readonly body: string };

export interface AiServer {
  /** The server's URL, without a path. */
  readonly origin: string;
  readonly asked: readonly AiRequestRecord[];
  /** The next replies, in order; the last one is repeated. */
  next(...replies: readonly AiReply[]): void;
  /** Settles once this many requests have arrived. */
  whenAsked(count: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * A local server with both chat APIs (`…/chat/completions` and `…/v1/messages`, `…/models`), which sends the
 * given replies and records the requests. It listens on loopback only.
 */
export async function startAiServer(answer?: (request: AiRequestRecord) => AiReply): Promise<AiServer> {
  const requests: AiRequestRecord[] = [];
  const waiting: { readonly count: number; readonly done: () => void }[] = [];
  let replies: AiReply[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const one: AiRequestRecord = {
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? null : (JSON.parse(text) as AiRequestBody),
        closed: new Promise((resolve) => response.on('close', () => resolve())),
      };
      requests.push(one);
      const reply = answer?.(one) ?? (replies.length > 1 ? replies.shift() : replies[0]);
      if (one.path.endsWith('/models') && reply?.kind !== 'error') models(response);
      else if (reply === undefined) send(response, 500, { error: { message: 'no reply was prepared' } });
      else respond(response, one, reply);
      for (const { count, done } of waiting) if (requests.length >= count) done();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked: requests,
    next: (...more) => {
      replies = [...more];
    },
    whenAsked: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((done) => {
            waiting.push({ count, done });
          }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(response: ServerResponse, request: AiRequestRecord, reply: AiReply): void {
  const isNative = request.path.endsWith('/messages');
  switch (reply.kind) {
    case 'error': {
      const error = { message: reply.message, type: 'stand_in' };
      send(response, reply.status, isNative ? { type: 'error', error } : { error }, reply.headers);
      break;
    }
    case 'raw':
      response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body);
      break;
    case 'tools':
      beginStream(response);
      response.end(streamedBytes(isNative ? 'anthropic' : 'openai', reply));
      break;
    case 'text':
      if (isNative && request.body?.['stream'] === true) {
        beginStream(response);
        response.end(streamedBytes('anthropic', { text: reply.text, calls: [] }));
      } else if (isNative) native(response, request, reply);
      else stream(response, request, reply);
      break;
    case 'cut':
      beginStream(response);
      response.write(chunk(request, reply.text), () => response.destroy());
      break;
    case 'silent':
      beginStream(response);
      if (reply.text === '') response.flushHeaders();
      else response.write(chunk(request, reply.text));
      break;
    case 'slow':
      slow(response, request, reply);
      break;
    case 'endless':
      beginStream(response);
      endless(response, chunk(request, 'x'.repeat(64 * 1024)));
      break;
  }
}

function slow(
  response: ServerResponse,
  request: AiRequestRecord,
  { text, signs, everyMs }: Extract<AiReply, { kind: 'slow' }>,
): void {
  const isNative = request.path.endsWith('/messages');
  if (!isNative) beginStream(response);
  let remaining = signs;
  const timer = setInterval(() => {
    if (remaining > 0 && !isNative)
      response.write(event({ ...base(request), choices: [{ index: 0, delta: {} }] }));
    remaining -= 1;
    if (remaining >= 0) return;
    clearInterval(timer);
    if (isNative) native(response, request, { kind: 'text', text });
    else stream(response, request, { kind: 'text', text });
  }, everyMs);
  response.on('close', () => clearInterval(timer));
}

function endless(response: ServerResponse, piece: string): void {
  while (!response.destroyed && response.write(piece));
  if (!response.destroyed) response.once('drain', () => endless(response, piece));
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function chunk(request: AiRequestRecord, content: string, finish: string | null = null): string {
  const choice = { index: 0, delta: { content }, finish_reason: finish };
  return event({ ...base(request), choices: [choice] });
}

function base({ body }: AiRequestRecord) {
  return { id: 'c', object: 'chat.completion.chunk', created: 0, model: body?.model };
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function stream(
  response: ServerResponse,
  request: AiRequestRecord,
  { text, piece = 5, finish = 'stop', tokens = [11, 7] }: Extract<AiReply, { kind: 'text' }>,
): void {
  if (!response.headersSent) beginStream(response);
  for (let at = 0; at < text.length; at += piece) response.write(chunk(request, text.slice(at, at + piece)));
  response.write(chunk(request, '', finish));
  if (tokens !== null && request.body?.['stream_options'] !== undefined) {
    const usage = {
      prompt_tokens: tokens[0],
      completion_tokens: tokens[1],
      total_tokens: tokens[0] + tokens[1],
    };
    response.write(event({ ...base(request), choices: [], usage }));
  }
  response.end('data: [DONE]\n\n');
}

/** A forced tool gets its input if the text is JSON; otherwise the model replies with text. */
function native(
  response: ServerResponse,
  { body }: AiRequestRecord,
  { text, finish = 'tool_use', tokens = [11, 7] }: Extract<AiReply, { kind: 'text' }>,
): void {
  const [name] = ((body?.['tools'] ?? []) as { readonly name: string }[]).map((tool) => tool.name);
  const input = parsed(text);
  const content =
    input === undefined ? { type: 'text', text } : { type: 'tool_use', id: 't', name, input: input.value };
  send(response, 200, {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: body?.model,
    content: [content],
    stop_reason: finish,
    stop_sequence: null,
    usage: { input_tokens: tokens?.[0] ?? 0, output_tokens: tokens?.[1] ?? 0 },
  });
}

function models(response: ServerResponse): void {
  const data = ['small-1', 'large-2', 'embed-3'].map((id) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: 'x',
  }));
  send(response, 200, { object: 'list', data });
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
