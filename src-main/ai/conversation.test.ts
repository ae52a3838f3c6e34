import { afterEach, describe, expect, it, vi } from 'vitest';
import { rowsOfRun } from '../../e2e/support/longRun.ts';
import type { AiSettings } from './aiSettings.ts';
import type { ConversationReply } from './conversation.ts';
import { type Conversation, type ConversationQuestion, openConversation } from './openConversation.ts';
import {
  type Api,
  replyOf,
  STREAMED_TOKENS,
  type StreamedReply,
  streamedBytes,
} from './testing/streamedReply.ts';

afterEach(() => vi.restoreAllMocks());

const APIS: readonly Api[] = ['openai', 'anthropic'];
const settingsOf = (api: Api): AiSettings => ({
  provider: api === 'openai' ? 'custom' : 'anthropic',
  apiKey: 'the-key',
  baseUrl: `http://${api}.test/v1`,
  model: 'm',
  maxOutputTokens: 50,
  timeoutSeconds: 5,
});
const TOOL = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
const QUESTION: ConversationQuestion = {
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'assistant', text: '', calls: [{ id: 'c0', name: 'look', arguments: '{}' }] },
    { role: 'tool', callId: 'c0', text: 'a notebook', isError: false },
    { role: 'user', text: 'Go on' },
  ],
  tools: [TOOL],
  mayCall: true,
};

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers each request with the next response; no network. */
function answerWith(...responses: readonly (() => Response)[]): Sent[] {
  const requests: Sent[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const headers = new Headers(init?.headers);
    requests.push({ url: String(input), headers, body: JSON.parse(String(init?.body)) });
    const next = responses[Math.min(requests.length, responses.length) - 1];
    if (next === undefined) throw new Error('no response was prepared');
    return next();
  });
  return requests;
}

/** The key that a request sent, without the name of its header. */
function keyIn(api: Api, headers: Headers | undefined): string | null {
  if (api === 'anthropic') return headers?.get('x-api-key') ?? null;
  return headers?.get('authorization')?.replace('Bearer ', '') ?? null;
}

function streamOf(pieces: readonly Uint8Array[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const jsonResponse =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

async function ask(
  api: Api,
  options: { readonly patient?: boolean; readonly signal?: AbortSignal; readonly talk?: Conversation } = {},
): Promise<{ readonly reply: ConversationReply; readonly shown: string }> {
  let shown = '';
  const {
    signal = new AbortController().signal,
    talk = openConversation(settingsOf(api)),
    ...more
  } = options;
  const onText = (text: string): void => {
    shown += text;
  };
  const reply = await talk.ask(QUESTION, { ...more, signal, onText });
  return { reply, shown };
}

const TWO_CALLS: StreamedReply = {
  text: 'Ä 😀',
  calls: [
    { id: 'call_a', name: 'edit_cell', arguments: '{"s":"\\"ü\\""}' },
    { id: 'call_b', name: 'get_notebook_state', arguments: '{}' },
  ],
};

describe.each(APIS)('tools over the API of %s', (api) => {
  it('[AG-40] calls are the same wherever the network splits the bytes', async () => {
    const bytes = Buffer.from(streamedBytes(api, TWO_CALLS));
    const all = Array.from({ length: bytes.length - 1 }, (_none, at) => at + 1);
    // A normal run cuts at every third byte, so inside every event and most characters.
    const cuts = rowsOfRun(all, (at) => at % 3 === 0);
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    answerWith(...cuts.map((at) => () => streamOf([bytes.subarray(0, at), bytes.subarray(at)])), () =>
      streamOf(single),
    );
    const talk = openConversation(settingsOf(api));
    for (let asked = 0; asked <= cuts.length; asked += 1) {
      const { reply, shown } = await ask(api, { talk });
      expect(reply).toEqual(replyOf(TWO_CALLS));
      expect(shown).toBe(TWO_CALLS.text);
    }
  });

  it('[AG-40] a stream that ends before its last event is an error', async () => {
    const bytes = streamedBytes(api, { ...TWO_CALLS, finish: null });
    answerWith(() => streamOf([Buffer.from(bytes)]));
    await expect(ask(api)).rejects.toMatchObject({ name: 'ChatError', kind: 'transient' });
  });

  it('[AG-41] the key is sent only to the configured address, and redirects are not followed', async () => {
    const requests = answerWith(() => streamOf([Buffer.from(streamedBytes(api, { text: 'ok', calls: [] }))]));
    await ask(api);
    expect(requests.map(({ url }) => new URL(url).host)).toEqual([`${api}.test`]);
    expect(keyIn(api, requests[0]?.headers)).toBe('the-key');
    vi.restoreAllMocks();
    const again = answerWith(
      () => new Response(null, { status: 307, headers: { location: 'http://evil.test/v1' } }),
    );
    await expect(ask(api)).rejects.toThrow(/redirects to another address/);
    expect(again).toHaveLength(1);
  });

  it('[AG-41] headers that the server’s environment names for the client are not sent', async () => {
    const name = api === 'openai' ? 'OPENAI_CUSTOM_HEADERS' : 'ANTHROPIC_CUSTOM_HEADERS';
    vi.stubEnv(name, 'X-Internal: secret\nAuthorization: Bearer of-the-server');
    const requests = answerWith(() => streamOf([Buffer.from(streamedBytes(api, { text: 'ok', calls: [] }))]));
    await ask(api);
    vi.unstubAllEnvs();
    expect(requests[0]?.headers.get('x-internal')).toBeNull();
    expect(keyIn(api, requests[0]?.headers)).toBe('the-key');
  });

  it.each([
    [401, 'final', /rejected the API key/],
    [404, 'final', /does not have this address or the model m/],
    [422, 'refused', /refused the request/],
    [429, 'transient', /rate limit/],
    [503, 'transient', /returned an error \(503\)/],
  ] as const)('[AG-42] status %i becomes a message for the user', async (status, kind, message) => {
    answerWith(jsonResponse(status, { error: { message: 'why' } }));
    await expect(ask(api)).rejects.toMatchObject({ kind, status, message: expect.stringMatching(message) });
  });

  it('[AG-42] a job retries a busy server after the delay that the server requests', async () => {
    const requests = answerWith(
      jsonResponse(429, { error: { message: 'slow down' } }, { 'retry-after': '0' }),
      () => streamOf([Buffer.from(streamedBytes(api, { text: 'ok', calls: [] }))]),
    );
    expect((await ask(api, { patient: true })).reply.text).toBe('ok');
    expect(requests).toHaveLength(2);
    vi.restoreAllMocks();
    answerWith(jsonResponse(429, { error: { message: 'slow down' } }, { 'retry-after': '600' }));
    await expect(ask(api, { patient: true })).rejects.toThrow(/Wait 600 s, then try again/);
  });

  it('[AG-42] cancelling ends the request', async () => {
    const cancelling = new AbortController();
    vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          cancelling.abort(new Error('stop'));
        }),
    );
    await expect(ask(api, { signal: cancelling.signal, patient: true })).rejects.toThrow();
  });

  it('[AG-43] the request has the conversation in the form of the API', async () => {
    const requests = answerWith(() => streamOf([Buffer.from(streamedBytes(api, { text: 'ok', calls: [] }))]));
    await ask(api);
    expect(requests[0]?.body).toMatchObject(BODIES[api]);
  });

  it('[AG-44] a reply that reaches the token limit is marked', async () => {
    const finish = api === 'openai' ? 'length' : 'max_tokens';
    answerWith(() => streamOf([Buffer.from(streamedBytes(api, { ...TWO_CALLS, finish }))]));
    expect((await ask(api)).reply.isCut).toBe(true);
  });
});

const BODIES: Readonly<Record<Api, object>> = {
  openai: {
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c0', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c0', content: 'a notebook' },
      { role: 'user', content: 'Go on' },
    ],
    tools: [{ type: 'function', function: TOOL }],
  },
  anthropic: {
    model: 'm',
    stream: true,
    max_tokens: 50,
    system: 'Be brief.',
    tool_choice: { type: 'auto' },
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Begin.' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c0', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c0', content: 'a notebook' },
          { type: 'text', text: 'Go on' },
        ],
      },
    ],
    tools: [{ name: 'look', description: 'Looks.', input_schema: TOOL.parameters }],
  },
};

describe('servers with the API of OpenAI that are not OpenAI', () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const call = (id: string, args: string) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: args },
  });

  it.each<readonly [string, string, readonly (readonly [string, string])[]]>([
    [
      'every call has the index 0',
      chunk({ tool_calls: [{ index: 0, ...call('a', '{"n":1}') }] }) +
        chunk({ tool_calls: [{ index: 0, ...call('b', '{"n":2}') }] }, 'stop'),
      [
        ['a', '{"n":1}'],
        ['b', '{"n":2}'],
      ],
    ],
    ['no index', chunk({ tool_calls: [call('a', '{}')] }, 'tool_calls'), [['a', '{}']]],
    [
      'no id',
      chunk({ tool_calls: [{ index: 0, function: { name: 'look', arguments: '{}' } }] }, 'stop'),
      [['call_1', '{}']],
    ],
    [
      'the name with each piece',
      chunk({ tool_calls: [{ index: 0, ...call('a', '{"n"') }] }) +
        chunk({ tool_calls: [{ index: 0, ...call('a', ':1}') }] }, 'tool_calls'),
      [['a', '{"n":1}']],
    ],
  ])('[AG-45] %s', async (_what, bytes, calls) => {
    answerWith(() => streamOf([Buffer.from(`${bytes}data: [DONE]\n\n`)]));
    const { reply } = await ask('openai');
    expect(reply.calls.map(({ id, arguments: args }) => [id, args])).toEqual(calls);
    expect(reply.calls.every(({ name }) => name === 'look')).toBe(true);
  });

  it('[AG-45] a single completion is read in place of a stream', async () => {
    const message = { role: 'assistant', content: 'whole', tool_calls: [call('a', '{}')] };
    const usage = { prompt_tokens: STREAMED_TOKENS.input, completion_tokens: STREAMED_TOKENS.output };
    answerWith(jsonResponse(200, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }));
    const { reply, shown } = await ask('openai');
    expect(reply).toEqual(replyOf({ text: 'whole', calls: [{ id: 'a', name: 'look', arguments: '{}' }] }));
    expect(shown).toBe('whole');
  });

  it('[AG-45] a request for token counts is left out for a server that refuses it', async () => {
    const requests = answerWith(
      jsonResponse(400, { error: { message: 'unknown field stream_options' } }),
      () => streamOf([Buffer.from(streamedBytes('openai', { text: 'ok', calls: [] }))]),
    );
    expect((await ask('openai')).reply.text).toBe('ok');
    expect(requests.map(({ body }) => 'stream_options' in body)).toEqual([true, false]);
  });

  it.each([
    ['refusal', chunk({ refusal: 'No.' }, 'stop'), /declined to answer: No\./],
    ['content filter', chunk({ content: 'x' }, 'content_filter'), /content filter/],
    [
      'an error in the stream',
      `data: ${JSON.stringify({ error: { message: 'overloaded' } })}\n\n`,
      /overloaded/,
    ],
    ['a page', '<html>log in</html>', /lost before the response was complete|not valid for this API/],
  ] as const)('[AG-44] %s', async (_what, bytes, message) => {
    answerWith(() => streamOf([Buffer.from(bytes)]));
    await expect(ask('openai')).rejects.toThrow(message);
  });

  it('[AG-44] JSON that is not a completion and an HTML page are errors', async () => {
    answerWith(jsonResponse(200, { hello: 1 }));
    await expect(ask('openai')).rejects.toThrow(/not valid for this API/);
    vi.restoreAllMocks();
    answerWith(() => new Response('<html></html>', { headers: { 'content-type': 'text/html' } }));
    await expect(ask('openai')).rejects.toThrow(/not valid for this API/);
  });
});
