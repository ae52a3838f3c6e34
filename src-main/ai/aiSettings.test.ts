import { describe, expect, it } from 'vitest';
import { type AiChoice, chooseAi, type FileAi, providerOf, type ServerAi } from './aiSettings.ts';

const SERVER: ServerAi = {
  apiKey: 'server-key',
  baseUrl: null,
  model: null,
  maxOutputTokens: 4096,
  timeoutSeconds: 60,
  maxContextTokens: 100_000,
  approvalTimeoutSeconds: 120,
};
const KEYLESS = { ...SERVER, apiKey: null };

interface Row {
  readonly name: string;
  readonly server?: ServerAi;
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: FileAi;
  readonly key: string | null;
  readonly settings?: Partial<AiChoice['settings']>;
  readonly hint?: string;
}

const ROWS: readonly Row[] = [
  {
    name: ', but the server’s key is sent only to its own address and to the known providers.',
    key: 'server-key',
    settings: {
      baseUrl: 'https://api.openai.com/v1',
      model: 'gpt-5.4',
      provider: 'openai',
      maxOutputTokens: 4096,
    },
  },
  {
    name: 'a key variable sets the address and model of its provider',
    env: { MISTRAL_API_KEY: 'm' },
    key: 'm',
    settings: { baseUrl: 'https://api.mistral.ai/v1', model: 'mistral-large-latest', provider: 'mistral' },
  },
  {
    name: 'the first of several that are set',
    env: { MISTRAL_API_KEY: 'm', GEMINI_API_KEY: 'g', OPENAI_API_KEY: '', ANTHROPIC_API_KEY: ' ' },
    key: 'g',
    settings: { model: 'gemini-3-flash', provider: 'google' },
  },
  {
    name: 'Anthropic before OpenAI',
    env: { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' },
    key: 'a',
    settings: { model: 'claude-sonnet-4-6', provider: 'anthropic' },
  },
  {
    name: 'SVC_AI_API_KEY of the notebook sets only the key',
    server: { ...SERVER, baseUrl: 'http://127.0.0.1:1/v1', model: 'mine' },
    env: { SVC_AI_API_KEY: 'n' },
    key: 'n',
    settings: { baseUrl: 'http://127.0.0.1:1/v1', model: 'mine', provider: 'local' },
  },
  {
    name: 'the file takes precedence over both',
    env: { OPENAI_API_KEY: 'o' },
    file: { base_url: 'http://box/v1/', model: 'f', max_output_tokens: 9, timeout_seconds: 2, api_key: 'k' },
    key: 'k',
    settings: {
      baseUrl: 'http://box/v1',
      model: 'f',
      provider: 'custom',
      maxOutputTokens: 9,
      timeoutSeconds: 2,
    },
  },
  {
    name: 'the notebook’s key is sent to the address in its file',
    env: { OPENAI_API_KEY: 'o' },
    file: { base_url: 'http://box/v1' },
    key: 'o',
  },
  {
    name: 'the server’s key is never sent to an address from the notebook file',
    file: { base_url: 'http://evil/v1' },
    key: null,
    hint: 'http://evil/v1',
  },
  {
    name: 'the server’s key is not sent to an address that only has the same prefix',
    file: { base_url: 'https://api.openai.com/v1.evil' },
    key: null,
  },
  {
    name: 'the server’s key is not sent to another host behind a user name',
    file: { base_url: 'https://api.openai.com@evil/v1' },
    key: null,
  },
  {
    name: 'the server’s key is sent to a known provider',
    file: { base_url: 'https://api.mistral.ai/v1/' },
    key: 'server-key',
  },
  {
    name: 'the server’s key is sent to its own address',
    server: { ...SERVER, baseUrl: 'http://own/v1' },
    file: { base_url: 'http://own/v1' },
    key: 'server-key',
  },
  { name: 'no key', server: KEYLESS, key: null, hint: 'Environment panel' },
  { name: 'property names of Object are not variables', server: KEYLESS, env: {}, key: null },
];

function check({ server = SERVER, env = {}, file = {}, key, settings = {}, hint = '' }: Row): void {
  const choice = chooseAi(server, env, file);
  expect(choice.apiKey).toBe(key);
  expect(choice.settings).toMatchObject(settings);
  expect(choice.hint).toContain(hint);
}

describe('[PR-5] which provider is used', () => {
  for (const row of ROWS) it(row.name, () => check(row));

  it('[PR-5] a provider is recognized by its address', () => {
    const of = (url: string) => providerOf(url);
    expect([
      of('https://api.anthropic.com/v1'),
      of('https://generativelanguage.googleapis.com/v1beta/openai'),
      of('https://api.mistral.ai/v1'),
      of('https://api.openai.com/v1'),
      of('http://localhost:11434/v1'),
      of('https://models.example/v1'),
    ]).toEqual(['anthropic', 'google', 'mistral', 'openai', 'local', 'custom']);
  });
});
