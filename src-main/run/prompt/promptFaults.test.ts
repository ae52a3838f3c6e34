/**
 * Prompt cells whose provider lacks a feature or fails: the fallbacks, retries and error messages. The
 * provider is a fake server.
 */

import { describe, expect, it } from 'vitest';
import type { AiChoice } from '../../ai/aiSettings.ts';
import type { AiReply } from '../../ai/testing/aiStandIn.ts';
import {
  choice,
  consoleText,
  open,
  request,
  run,
  server,
  storedText,
  text,
  withPromptWorld,
} from './testing/promptWorld.ts';

withPromptWorld();

describe('providers that do not support everything', () => {
  interface Row {
    readonly name: string;
    readonly path?: string;
    readonly source?: string;
    readonly replies: readonly AiReply[];
    /** Of the last request. */
    readonly sent: Readonly<Record<string, unknown>>;
    readonly without?: string;
    readonly notice?: string;
  }
  const refusal = (message: string, status = 400): AiReply => ({ kind: 'error', status, message });
  const schema = '# @output_schema {"type":"object","properties":{"n":{"type":"integer"}}}\nHi';
  const ROWS: readonly Row[] = [
    {
      name: 'no json_schema: the schema as text',
      path: '/openai/v1',
      source: schema,
      replies: [refusal('json_schema is not supported'), text('{"n": 1}')],
      sent: {
        messages: [
          { role: 'system', content: expect.stringContaining('"integer"') },
          { role: 'user', content: 'Hi' },
        ],
      },
      without: 'response_format',
      notice: 'The provider does not support a response format, so the prompt describes the schema instead.',
    },
    {
      name: 'the same with status 422',
      source: schema,
      replies: [refusal('unknown field response_format', 422), text('{"n": 1}')],
      sent: {},
      without: 'response_format',
      notice: 'The provider does not support a response format, so the prompt describes the schema instead.',
    },
    {
      name: 'no token counts in a stream',
      replies: [refusal('stream_options: extra fields'), text('x')],
      sent: { stream: true },
      without: 'stream_options',
      notice: 'The provider does not count the tokens of streamed responses.',
    },
    {
      name: 'no temperature setting',
      replies: [refusal("Unsupported value: 'temperature' does not support 0"), text('x')],
      sent: {},
      without: 'temperature',
      notice: 'The model does not support a temperature setting and uses its default.',
    },
    {
      name: 'json_object without json_schema: the schema is added to the system message',
      source: `# @system Be brief\n${schema}`,
      replies: [text('{"n": 1}')],
      sent: {
        response_format: { type: 'json_object' },
        messages: [
          { role: 'system', content: expect.stringMatching(/^Be brief\n\nAnswer with[\s\S]*"integer"/) },
          { role: 'user', content: 'Hi' },
        ],
      },
    },
    {
      name: 'an open object is not strict',
      path: '/openai/v1',
      source: schema,
      replies: [text('{"n": 1}')],
      sent: { response_format: { json_schema: { strict: false } } },
    },
    {
      name: 'Anthropic’s own API for a schema: one forced tool, in one piece',
      path: '/anthropic/v1',
      source: `# @system Be brief\n${schema}`,
      replies: [text('{"n": 1}')],
      sent: {
        system: 'Be brief',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hi' }],
        tool_choice: { type: 'tool', name: 'answer' },
        tools: [{ input_schema: { type: 'object', properties: { n: { type: 'integer' } } } }],
      },
      without: 'stream',
    },
    {
      name: 'Anthropic and a schema that is not an object: wrapped, and unwrapped',
      path: '/anthropic/v1',
      source: '# @output_schema {"type":"array","items":{"type":"integer"}}\nHi',
      replies: [text('{"value": [1]}')],
      sent: { tools: [{ input_schema: { required: ['value'], properties: { value: { type: 'array' } } } }] },
    },
    {
      name: 'Anthropic without a schema: the common API',
      path: '/anthropic/v1',
      replies: [text('x')],
      sent: { stream: true, max_tokens: 100 },
    },
  ];
  for (const row of ROWS) {
    it(`[PR-8] ${row.name}`, async () => {
      await open(...row.replies);
      const { outcome, deltas } = await run(request(row.source ?? 'Hi', { ai: choice(row.path) }));
      expect(outcome.kind, JSON.stringify(outcome)).toBe('ran');
      const last = server.asked.at(-1)?.body;
      expect(last).toMatchObject(row.sent);
      if (row.without !== undefined) expect(last).not.toHaveProperty(row.without);
      expect(server.asked).toHaveLength(row.replies.length);
      const notices = deltas.filter(({ kind }) => kind === 'notice').map((delta) => delta.text);
      expect(notices.join('\n')).toContain(row.notice ?? '');
      expect(notices).toHaveLength(row.notice === undefined ? 0 : 1);
    });
  }

  it('[PR-8] a refusal without a feature name is reported immediately, a chosen temperature is not dropped', async () => {
    await open(refusal('the prompt is too long'));
    expect(consoleText((await run(request('Hi'))).outcome)).toContain('(400): the prompt is too long');
    server.next(refusal('temperature is not supported'));
    expect(consoleText((await run(request('# @temperature 0.7\nHi'))).outcome)).toContain(
      'temperature is not supported',
    );
    expect(server.asked).toHaveLength(2);
  });
});

describe('[PR-10] a provider that fails', () => {
  const now = { 'retry-after': '0' };
  const busy: AiReply = { kind: 'error', status: 429, message: 'slow down', headers: now };
  interface Row {
    readonly name: string;
    readonly replies: readonly AiReply[];
    readonly asked: number;
    readonly words?: string;
    readonly ai?: Partial<AiChoice['settings']>;
    readonly source?: string;
    readonly path?: string;
  }
  const ROWS: readonly Row[] = [
    { name: 'busy, then an answer', replies: [busy, busy, text('x')], asked: 3 },
    { name: 'always busy', replies: [busy], asked: 3, words: 'slow down (tried 3 times)' },
    {
      name: 'busy for longer than a cell waits',
      replies: [{ ...busy, headers: { 'retry-after': '3600' } }],
      asked: 1,
      words: 'Wait 3600 s',
    },
    {
      name: 'an error of the server, then an answer',
      replies: [{ kind: 'error', status: 503, message: 'no', headers: now }, text('x')],
      asked: 2,
    },
    {
      name: 'an invalid key',
      replies: [{ kind: 'error', status: 401, message: 'bad key' }],
      asked: 1,
      words: 'rejected the API key (401): bad key',
    },
    {
      name: 'an unknown model',
      replies: [{ kind: 'error', status: 404, message: 'no such model' }],
      asked: 1,
      words: 'the model m-1 (404): no such model',
    },
    {
      name: 'truncated, then complete',
      replies: [{ kind: 'cut', text: 'half' }, text('whole')],
      asked: 2,
    },
    { name: 'cut every time', replies: [{ kind: 'cut', text: 'half' }], asked: 3, words: 'tried 3 times' },
    {
      name: 'an end without a reason',
      replies: [{ kind: 'text', text: 'half', finish: null }],
      asked: 3,
      words: 'The connection to the provider was lost before the response was complete.',
    },
    {
      name: 'silence',
      replies: [{ kind: 'silent', text: 'half' }],
      asked: 1,
      ai: { timeoutSeconds: 1 },
      words: 'sent nothing for 1 s',
    },
    {
      name: 'silence from the start',
      replies: [{ kind: 'silent', text: '' }],
      asked: 1,
      ai: { timeoutSeconds: 1 },
      words: 'sent nothing for 1 s',
    },
    {
      name: 'keepalives for longer than the timeout, then an answer',
      replies: [{ kind: 'slow', text: 'x', signs: 8, everyMs: 150 }],
      asked: 1,
      ai: { timeoutSeconds: 1 },
    },
    {
      name: 'an answer in one piece, whose time limit grows with its length',
      path: '/anthropic/v1',
      source: '# @output_schema {"type":"object"}\n# @max_tokens 50000\nHi',
      replies: [{ kind: 'slow', text: '{}', signs: 4, everyMs: 100 }],
      asked: 1,
      ai: { timeoutSeconds: 0.1 },
    },
    {
      name: 'no answer to a request for one piece',
      path: '/anthropic/v1',
      source: '# @output_schema {"type":"object"}\n# @max_tokens 2\nHi',
      replies: [{ kind: 'silent', text: '' }],
      asked: 1,
      ai: { timeoutSeconds: 1 },
      words: 'did not respond within 1.1 s',
    },
    { name: 'an answer without end', replies: [{ kind: 'endless' }], asked: 1, words: 'larger than 16 MiB' },
    {
      name: 'a page instead of an answer',
      replies: [{ kind: 'raw', status: 200, type: 'text/html', body: '<html>Welcome</html>' }],
      asked: 1,
      words: 'The response of',
    },
    {
      name: 'an empty stream',
      replies: [{ kind: 'raw', status: 200, type: 'text/event-stream', body: '' }],
      asked: 3,
      words: 'The connection to the provider was lost before',
    },
    {
      name: 'an empty answer',
      replies: [text('')],
      asked: 1,
      words: 'The model returned an empty response.',
    },
    {
      name: 'filtered',
      replies: [{ kind: 'text', text: 'a', finish: 'content_filter' }],
      asked: 1,
      words: 'content filter',
    },
    {
      name: 'a redirect to another address',
      replies: [{ kind: 'raw', status: 307, type: 'text/plain', body: '' }],
      asked: 1,
      words:
        'The provider’s address redirects to another address, and keys are not sent there. Enter the final address under AI in the Environment panel.',
    },
    {
      name: 'invalid for the default number of attempts',
      replies: [text('no')],
      source: '# @output_schema {"type":"object"}\nHi',
      asked: 3,
      words: 'asked 3 times',
    },
    {
      name: 'invalid for the chosen number of attempts',
      replies: [text('{"n": "x"}')],
      source: '# @output_schema {"type":"object","required":["a","b","c","d"]}\n# @validate_retries 2\nHi',
      asked: 2,
      words:
        "asked 2 times, but its response is still not valid:\n- response: must have required property 'a'\n- response: must have required property 'b'\n- response: must have required property 'c'\n- and 1 more",
    },
  ];
  for (const row of ROWS) {
    it(row.name, async () => {
      await open(...row.replies);
      const { outcome } = await run(request(row.source ?? 'Hi', { ai: choice(row.path, row.ai) }));
      if (row.words === undefined) expect(outcome.kind).toBe('ran');
      else expect(consoleText(outcome)).toContain(row.words);
      expect(server.asked).toHaveLength(row.asked);
    });
  }

  it('a partial answer is retracted before the complete one is shown', async () => {
    await open({ kind: 'cut', text: 'half' }, text('whole'));
    const { outcome, deltas } = await run(request('Hi'));
    expect(await storedText(outcome)).toBe('"whole"');
    const last = deltas.findLastIndex(({ kind }) => kind === 'retry');
    expect(
      deltas
        .slice(last + 1)
        .map((delta) => delta.text)
        .join(''),
    ).toBe('whole');
    expect(deltas[last]?.attempt).toBe(2);
  });

  it('reports an address without a server', async () => {
    await open(text('x'));
    const ai = choice();
    await server.close();
    expect(consoleText((await run(request('Hi', { ai }))).outcome)).toContain('could not be reached');
  });

  it('a timeout is reported', async () => {
    await open({ kind: 'silent', text: 'half' });
    const { outcome } = await run(request('Hi', { timeoutSeconds: 1 }));
    expect(consoleText(outcome)).toContain('did not finish within the cell’s timeout of 1 s');
  });

  it('[PR-11] cancelling ends the request immediately, while it streams and while it waits', async () => {
    for (const reply of [
      { kind: 'silent', text: 'half' },
      { kind: 'error', status: 429, message: 'x', headers: { 'retry-after': '9' } },
    ] as const) {
      await open(reply);
      const stop = new AbortController();
      const execution = run(request('Hi'), stop.signal);
      await server.whenAsked(1);
      if (reply.kind === 'error') await server.asked[0]?.closed;
      stop.abort();
      expect((await execution).outcome.kind).toBe('cancelled');
      await server.asked[0]?.closed;
      expect(server.asked).toHaveLength(1);
      await server.close();
    }
  });
});
