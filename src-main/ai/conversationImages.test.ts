/**
 * Figures in requests to a language model: the form each provider takes, and the note sent instead when a
 * model refuses images. `fetch` is mocked.
 */

import { afterEach, expect, it, vi } from 'vitest';
import type { AiSettings } from './aiSettings.ts';
import { type ConversationQuestion, openConversation } from './openConversation.ts';
import { type Api, streamedBytes } from './testing/streamedReply.ts';

afterEach(() => vi.restoreAllMocks());

const settingsOf = (api: Api): AiSettings => ({
  provider: api === 'openai' ? 'custom' : 'anthropic',
  apiKey: 'the-key',
  baseUrl: `http://${api}.test/v1`,
  model: 'm',
  maxOutputTokens: 50,
  timeoutSeconds: 5,
});
const IMAGE = { mimeType: 'image/png' as const, data: 'cG5n' };
const call = (id: string) => ({ id, name: 'look_at_figure', arguments: '{}' });
const QUESTION: ConversationQuestion = {
  messages: [
    { role: 'user', text: 'Look' },
    { role: 'assistant', text: '', calls: [call('c0'), call('c1')] },
    { role: 'tool', callId: 'c0', text: 'a figure', isError: false, images: [IMAGE] },
    { role: 'tool', callId: 'c1', text: 'no figure', isError: true },
  ],
  tools: [],
  mayCall: true,
};
const OPTIONS = { signal: new AbortController().signal, onText: () => undefined };

/** Answers each request with the next response; no network. */
function answerWith(...responses: readonly (() => Response)[]): { readonly messages: unknown[] }[] {
  const bodies: { readonly messages: unknown[] }[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_input, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return (responses[bodies.length - 1] ?? (() => new Response(null, { status: 500 })))();
  });
  return bodies;
}

const replied = (api: Api) => () =>
  new Response(streamedBytes(api, { text: 'ok', calls: [] }), {
    headers: { 'content-type': 'text/event-stream' },
  });
const refused = (status: number, message: string) => () =>
  new Response(JSON.stringify({ type: 'error', error: { type: 'x', message } }), {
    status,
    headers: { 'content-type': 'application/json' },
  });

const LAST: Readonly<Record<Api, object>> = {
  openai: {
    role: 'user',
    content: [
      { type: 'text', text: expect.stringContaining('figures') },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } },
    ],
  },
  anthropic: {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'c0',
        content: [
          { type: 'text', text: 'a figure' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'cG5n' } },
        ],
      },
      { type: 'tool_result', tool_use_id: 'c1', content: 'no figure', is_error: true },
    ],
  },
};

it.each(['openai', 'anthropic'] as const)(
  '[AG-109] figures are sent in the form that %s accepts',
  async (api) => {
    const bodies = answerWith(replied(api));
    await openConversation(settingsOf(api)).ask(QUESTION, OPTIONS);
    expect(bodies[0]?.messages.at(-1)).toEqual(LAST[api]);
    // Results of one turn stay together.
    if (api === 'openai') {
      const roles = bodies[0]?.messages.map((message) => (message as { role: string }).role);
      expect(roles).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
    }
  },
);

it.each<readonly [api: Api, status: number, message: string]>([
  ['openai', 400, 'Invalid content type image_url'],
  ['openai', 422, 'content must be a string'],
  ['openai', 404, 'No endpoints found that support image input'],
  ['openai', 500, 'image input is not supported'],
  ['anthropic', 400, 'This model does not support image inputs.'],
])(
  '[AG-109] after %s refuses figures with %i %j, the model gets a note in their place',
  async (api, status, message) => {
    const bodies = answerWith(refused(status, message), replied(api), replied(api));
    const talk = openConversation(settingsOf(api));
    expect((await talk.ask(QUESTION, OPTIONS)).text).toBe('ok');
    await talk.ask(QUESTION, OPTIONS);
    expect(bodies.map((body) => JSON.stringify(body).includes('cG5n'))).toEqual([true, false, false]);
    expect(JSON.stringify(bodies[1])).toContain('this model does not accept images');
  },
);

it.each([
  [401, 'no image key'],
  [429, 'too many images'],
])('[AG-109] %i %j is not taken as a refusal of figures', async (status, message) => {
  const bodies = answerWith(refused(status, message));
  await expect(openConversation(settingsOf('openai')).ask(QUESTION, OPTIONS)).rejects.toThrow();
  expect(bodies).toHaveLength(1);
});
