import { afterEach, expect, it, vi } from 'vitest';
import { boundedFetch } from './boundedFetch.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** Replaces `fetch`; returns the headers of each request. */
function headersSent(): Headers[] {
  const requestHeaders: Headers[] = [];
  vi.stubGlobal('fetch', async (_input: unknown, init?: RequestInit) => {
    requestHeaders.push(new Headers(init?.headers));
    return new Response('{}', { headers: { 'content-type': 'application/json' } });
  });
  return requestHeaders;
}

it('[PR-11] only the headers of the client and the credential are sent', async () => {
  const requestHeaders = headersSent();
  await boundedFetch({ 'x-api-key': 'mine' })('http://provider.test/v1', {
    headers: {
      'Content-Type': 'application/json',
      'X-Stainless-Lang': 'js',
      'anthropic-version': '1',
      'X-Internal': 'secret',
      'X-Api-Key': 'of the server',
      Authorization: 'Bearer of the server',
    },
  });
  expect(Object.fromEntries(requestHeaders[0] ?? [])).toEqual({
    'anthropic-version': '1',
    'content-type': 'application/json',
    'x-api-key': 'mine',
    'x-stainless-lang': 'js',
  });
});

it('[PR-11] headers that the server’s environment names for a client are not sent', async () => {
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Internal: secret');
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'X-Internal: secret');
  const requestHeaders = headersSent();
  const { default: OpenAi } = await import('openai');
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const at = { apiKey: 'mine', baseURL: 'http://provider.test/v1', maxRetries: 0 };
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };
  await new OpenAi({ ...at, fetch: boundedFetch({ authorization: 'Bearer mine' }) }).chat.completions.create(
    request,
  );
  await new Anthropic({ ...at, fetch: boundedFetch({ 'x-api-key': 'mine' }) }).messages.create({
    ...request,
    max_tokens: 1,
  });
  expect(requestHeaders.map((headers) => [headers.get('x-internal'), headers.has('content-type')])).toEqual([
    [null, true],
    [null, true],
  ]);
  expect([requestHeaders[0]?.get('authorization'), requestHeaders[1]?.get('x-api-key')]).toEqual([
    'Bearer mine',
    'mine',
  ]);
});
