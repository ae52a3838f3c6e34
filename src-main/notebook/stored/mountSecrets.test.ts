import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Mount } from '../../../src-shared/wire/cell.ts';
import { MASKED } from '../../../src-shared/wire/notebookState.ts';
import { exportedNotebookText } from '../exportedText.ts';
import { settingsOf, settingsTextOf } from '../settingsText.ts';
import { isSecretOption, maskMounts, optionSecrets, splitOptions, unmaskMounts } from './mountSecrets.ts';
import { openStoredCredentials } from './storedCredentials.ts';

const mount = (options: Mount['options'], more: Partial<Mount> = {}): Mount => ({
  name: 'raw',
  uri: 's3://bucket/raw',
  mode: 'ro',
  pin: null,
  credential: null,
  options,
  ...more,
});
const dir = mkdtempSync(join(tmpdir(), 'cellar-credentials-'));
afterAll(() => rmSync(dir, { recursive: true }));

describe('[SG-61] credentials among the options of a mount', () => {
  it.each([
    'key',
    'secret',
    'token',
    'password',
    'aws_secret_access_key',
    'aws_access_key_id',
    'session_token',
    'account_key',
    'sas_token',
    'connection_string',
    'credentials',
    'Authorization',
  ])('%s is a secret option', (name) => expect(isSecretOption(name)).toBe(true));
  it.each([
    'endpoint_url',
    'region',
    'anon',
    'account_name',
    'token_url',
    'key_type',
    'auth_mode',
    'profile',
  ])('%s is not a credential', (name) => expect(isSecretOption(name)).toBe(false));

  const ROWS: readonly (readonly [name: string, options: Mount['options'], shown: Mount['options']])[] = [
    ['text', { secret: 'abc', region: 'eu' }, { secret: MASKED, region: 'eu' }],
    ['a number', { password: 1234 }, { password: MASKED }],
    ['an empty one', { secret: '' }, { secret: '' }],
    ['a reference', { secret: `\${KEY}` }, { secret: `\${KEY}` }],
    [
      'inside of a table',
      { client: { headers: { Authorization: 'Bearer x' }, a: 1 } },
      { client: { headers: { Authorization: MASKED }, a: 1 } },
    ],
    [
      'a table of them',
      { credentials: { user: 'me', pass: 'x', on: true } },
      { credentials: { user: MASKED, pass: MASKED, on: true } },
    ],
    ['a list of them', { tokens: ['a', 'b'] }, { tokens: [MASKED, MASKED] }],
  ];
  it.each(ROWS)('%s is masked, and the mask is replaced by its value', (_name, options, masked) => {
    const mounts = [mount(options)];
    expect(maskMounts(mounts)[0]?.options).toEqual(masked);
    expect(unmaskMounts(maskMounts(mounts), { now: mounts })).toEqual(mounts);
  });

  it('mounts without credentials stay the same list', () => {
    const mounts = [mount({ region: 'eu', nested: { a: [1] } })];
    expect(maskMounts(mounts)).toBe(mounts);
  });

  it.each([
    [
      'together with another change',
      mount({ secret: MASKED, region: 'us' }),
      { secret: 'abc', region: 'us' },
    ],
    ['under another name', mount({ secret: MASKED }, { name: 'other' }), { secret: 'abc' }],
    [
      'of a mount that an undo restores',
      mount({ secret: MASKED }, { name: 'gone', uri: 's3://b/gone' }),
      { secret: 'old' },
    ],
  ])('a mask %s keeps the current value', (_name, expected, options) => {
    const now = [mount({ secret: 'abc' })];
    const earlier = new Map([['gone', { secret: 'old' }]]);
    expect(unmaskMounts([expected], { now, earlier })[0]?.options).toEqual(options);
  });

  it('a mask without a stored value is refused with a reason', () => {
    const requested = [mount({ secret: MASKED }, { name: 'new', uri: 's3://b/new' })];
    expect(() => unmaskMounts(requested, { now: [mount({ secret: 'abc' })] })).toThrow(
      /option secret of the mount "new" is masked, but its value is unknown/,
    );
  });

  it('are known secrets, and become a separate list when they move', () => {
    const options = { secret: 'abc', region: 'eu', client: { token: 'xyz', retries: 2 } };
    expect(optionSecrets(mount(options)).map(({ value }) => value)).toEqual(['abc', 'xyz']);
    expect(splitOptions(options)).toEqual({
      rest: { region: 'eu' },
      secrets: { secret: 'abc', client: { token: 'xyz', retries: 2 } },
    });
  });

  it("a cell's settings show masks, which keep the current values", () => {
    const entry = { worker: null, timeout: null, env: {}, mounts: [mount({ secret: 'abc', region: 'eu' })] };
    const text = settingsTextOf(entry);
    expect(text).not.toContain('abc');
    expect(settingsOf(text, entry).mounts).toEqual(entry.mounts);
  });
});

const TOML = `notebook_id = "n"
name = "N" # mine
[[mounts]]
name = "raw"
uri = "s3://bucket/raw"
options = { secret = "abc-short", region = "eu" } # why
[[mounts]]
name = "other"
uri = "s3://bucket/other"
[mounts.options]
token = "tok"
anon = false
[[cells]]
id = "a0000001"
file = "cells/a0000001.py"
order = 0.0
[[cells.mounts]]
name = "own"
uri = "s3://bucket/own"
options = { key = "cell-key" }
`;

describe('[SG-62] exports', () => {
  it('leave the credentials of mounts out, and change nothing else', () => {
    const text = exportedNotebookText(TOML);
    for (const value of ['abc-short', '"tok"', 'cell-key']) expect(text).not.toContain(value);
    expect(text).toContain('region = "eu"');
    expect(text).toContain('anon = false');
    expect(text).toContain('name = "N" # mine');
    expect(exportedNotebookText(text)).toBe(text);
  });

  it.each(['', 'name = "n"\n', 'not toml [', 'mounts = 3\n', '[[mounts]]\nname = 3\n'])(
    '%j is sent unchanged',
    (text) => expect(exportedNotebookText(text)).toBe(text),
  );
});

describe('[SG-63] named credentials that were moved out of notebooks', () => {
  const open = (path: string | null, configured: Record<string, unknown> | null = null) => {
    const problems: string[] = [];
    return {
      credentials: openStoredCredentials(path, {
        configured,
        onProblem: (message) => problems.push(message),
      }),
      problems,
    };
  };

  it('are stored for the owner only, under an unused name, and read by the next start', async () => {
    const path = join(dir, 'sub', 'credentials.json');
    const { credentials } = open(path, { raw: { key: 'configured' } });
    expect(await credentials.keep('raw', { secret: 'moved' })).toBe('raw_2');
    expect(await credentials.keep('raw', { secret: 'moved' })).toBe('raw_2');
    expect(await credentials.keep('raw', { secret: 'third' })).toBe('raw_3');
    expect(await credentials.keep('raw', { key: 'configured' })).toBe('raw');
    expect(credentials.values()).toEqual(['moved', 'third']);
    if (process.platform !== 'win32')
      expect([path, join(dir, 'sub')].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700]);
    expect(open(path).credentials.named).toEqual({ raw_2: { secret: 'moved' }, raw_3: { secret: 'third' } });
    expect(JSON.parse(readFileSync(path, 'utf8'))).not.toHaveProperty('raw');
  });

  it('without a place to store them: refused, and the configured ones are unchanged', async () => {
    const { credentials } = open(null, null);
    expect(credentials.named).toBe(null);
    await expect(credentials.keep('raw', { secret: 'x' })).rejects.toThrow(
      /This server cannot store credentials\. Set SVC_ARTIFACT_DIR on the server\./,
    );
  });

  it('an unreadable file is reported, and contains none', () => {
    const { credentials, problems } = open(dir, { a: { b: 1 } });
    expect(credentials.named).toEqual({ a: { b: 1 } });
    expect(problems).toEqual([expect.stringContaining('cannot be read')]);
  });
});
