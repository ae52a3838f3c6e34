import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Keychain, openStoredTokens } from './storedTokens.ts';

const root = mkdtempSync(join(tmpdir(), 'cellar-kept-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Seals so that only the same key opens it. */
function keychain(key = 7, more: Partial<Keychain> = {}): Keychain {
  const turned = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ key));
  return {
    isEncryptionAvailable: () => true,
    encryptString: (text) => turned(Buffer.from(`v1:${text}`)),
    decryptString(bytes) {
      const text = turned(bytes).toString();
      if (!text.startsWith('v1:')) throw new Error('cannot be opened');
      return text.slice(3);
    },
    ...more,
  };
}

const TOKEN = { notebook: 'book', worker: 'gpu', url: 'http://gpu/v1/execute', token: 'a-secret-token' };
let files = 0;
function open(chain: Keychain, path = join(root, `deep/${files++}.json`)) {
  const problems: unknown[] = [];
  const tokens = openStoredTokens(path, { keychain: chain, onProblem: (error) => problems.push(error) });
  return { tokens, path, problems };
}

it('[DK-32] a token survives a restart of the app, encrypted, only for its owner, and with the address it was entered for', () => {
  const { tokens, path } = open(keychain());
  expect(tokens.keep(TOKEN)).toBe(true);
  expect(tokens.keep({ ...TOKEN, notebook: 'other', token: 'another' })).toBe(true);
  expect(readFileSync(path, 'utf8')).not.toContain(TOKEN.token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const again = open(keychain(), path).tokens;
  expect(again.of('book')).toEqual([{ worker: 'gpu', url: TOKEN.url, token: TOKEN.token }]);
  expect(again.keep({ ...TOKEN, token: null })).toBe(false);
  expect(again.of('book')).toEqual([]);
  expect(open(keychain(), path).tokens.of('other')).toHaveLength(1);
});

it.each<[what: string, chain: Keychain]>([
  ['no keychain', keychain(7, { isEncryptionAvailable: () => false })],
  ['a publicly known password', keychain(7, { getSelectedStorageBackend: () => 'basic_text' })],
])('[DK-32] %s stores nothing, and returns false', (_what, chain) => {
  const { tokens, path } = open(chain);
  expect(tokens.keep(TOKEN)).toBe(false);
  expect(tokens.of('book')).toEqual([]);
  expect(() => statSync(path)).toThrow();
});

it('[DK-32] tokens of another keychain and an invalid file are reported, and count as empty', () => {
  const { tokens, path } = open(keychain(7));
  tokens.keep(TOKEN);
  const other = open(keychain(8), path);
  expect(other.tokens.of('book')).toEqual([]);
  expect(other.problems).toHaveLength(1);
  for (const text of ['{', '{}', '[1, {"notebook": 2}]']) {
    writeFileSync(path, text);
    expect(open(keychain(), path).tokens.of('book')).toEqual([]);
  }
});
