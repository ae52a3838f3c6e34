import { expect, it } from 'vitest';
import { type IdentitySource, reopenIdentity } from './reopenIdentity.ts';
import type { SqlUse } from './sql/sqlUse.ts';

type Parts = IdentitySource & { readonly atMs?: number };
const CODE: Parts = { language: 'python' };
const AT = 1_000_000;

function widget(...values: readonly (readonly [name: string, text: string])[]): Parts {
  const controls = values.map(([name, text]) => ({ name, kind: 'text', text, value: text, key: '' }));
  return { language: 'widget', widget: { controls, problem: null, reuses: true } };
}

function prompt(
  source: string,
  asked: { readonly model?: string; readonly maxOutputTokens?: number } = {},
): Parts {
  const settings = {
    ...({ provider: 'local', baseUrl: 'http://127.0.0.1', timeoutSeconds: 60 } as const),
    model: 'm-1',
    maxOutputTokens: 4096,
    ...asked,
  };
  return { language: 'prompt', source, ai: { settings, apiKey: null, hint: '' } };
}

function sql(
  policy: SqlUse['policy'],
  {
    sessionId = 's1',
    atMs = AT,
    ...block
  }: Readonly<Record<string, unknown>> & { readonly sessionId?: string; readonly atMs?: number } = {},
): Parts {
  const connection = { name: 'db', driver: 'sqlite', path: 'a.db', auth: {}, options: {}, ...block };
  return {
    language: 'sql',
    atMs,
    sql: { connection, write: false, policy, sessionId, catalogs: {} },
  };
}

const identityOf = ({ atMs = AT, ...parts }: Parts): string | null => reopenIdentity(parts, atMs);
type Compared = readonly [what: string, a: Parts, b: Parts];
const ASK = '# @name a\nSay it';
const SCHEMA = '# @output_schema {"type":"object","properties":{}}';

it.each<Compared>([
  ['nothing but the values of a widget', widget(['a', '1'], ['b', '2']), widget(['a', '1'], ['b', '2'])],
  [
    'a prompt, whatever its text and number of attempts',
    prompt(ASK),
    prompt('# @validate_retries 1\nSay more'),
  ],
  ['a default that is written down', prompt(ASK), prompt('# @temperature 0\n# @max_tokens 4096\nSay it')],
  [
    'a schema with its keys in another order',
    prompt(`${SCHEMA}\nSay`),
    prompt('# @output_schema {"properties":{},"type":"object"}\nSay'),
  ],
  [
    'a result that never expires',
    sql({ kind: 'forever' }),
    sql({ kind: 'forever' }, { sessionId: 's2', atMs: 9e15 }),
  ],
  ['one session', sql({ kind: 'session' }), sql({ kind: 'session' })],
  [
    'one window of time',
    sql({ kind: 'ttl', seconds: 60 }),
    sql({ kind: 'ttl', seconds: 60 }, { sessionId: 's2', atMs: AT + 19_999 }),
  ],
  [
    'the settings a connection is opened with',
    sql({ kind: 'forever' }, { auth: { password: 'a' } }),
    sql({ kind: 'forever' }, { auth: { password: 'b' } }),
  ],
])('[ST-12] the same identity: %s', (_what, a, b) => {
  expect(identityOf(a)).toMatch(/^[0-9a-f]{64}$/);
  expect(identityOf(b)).toBe(identityOf(a));
});

it.each<Compared>([
  ['a control at another value', widget(['a', '1']), widget(['a', '2'])],
  ['another model', prompt(ASK), prompt(ASK, { model: 'm-2' })],
  ['its own model', prompt(ASK), prompt('# @model m-2\nSay it')],
  ['another token limit', prompt(ASK), prompt(ASK, { maxOutputTokens: 10 })],
  ['another temperature', prompt(ASK), prompt('# @temperature 0.5\nSay it')],
  ['a system text', prompt(ASK), prompt('# @system Be brief\nSay it')],
  ['another output', prompt(ASK), prompt('# @output json\nSay it')],
  ['a schema', prompt('# @output json\nSay it'), prompt(`${SCHEMA}\nSay it`)],
  ['another session', sql({ kind: 'session' }), sql({ kind: 'session' }, { sessionId: 's2' })],
  [
    'another window of time',
    sql({ kind: 'ttl', seconds: 60 }),
    sql({ kind: 'ttl', seconds: 60 }, { atMs: AT + 20_000 }),
  ],
  ['another length of time', sql({ kind: 'ttl', seconds: 60 }), sql({ kind: 'ttl', seconds: 61 })],
  ['another place', sql({ kind: 'forever' }), sql({ kind: 'forever' }, { path: 'b.db' })],
  ['another credential', sql({ kind: 'forever' }), sql({ kind: 'forever' }, { credential: 'lab' })],
])('[ST-12] a different identity: %s', (_what, a, b) => {
  expect(identityOf(b)).not.toBe(identityOf(a));
});

it.each<readonly [what: string, parts: Parts]>([
  ['a cell of code', CODE],
  ['data that is checked by its fingerprint', sql({ kind: 'fingerprint' })],
  ['data as of a snapshot', sql({ kind: 'snapshot' })],
  [
    'a cell without a connection',
    {
      language: 'sql',
      sql: {
        connection: null,
        problem: 'none',
        write: false,
        policy: { kind: 'forever' },
        sessionId: '',
        catalogs: {},
      },
    },
  ],
])('[ST-12] no identity: %s', (_what, parts) => {
  expect(identityOf(parts)).toBeNull();
});
