/** Stores the tokens of workers that a user entered in the desktop app, encrypted by the system's keychain. */

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ShellStoredToken, ShellWorkerToken } from '../../src-shared/shell/bridge.ts';

/** The system's keychain, through Electron. */
export interface Keychain {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(bytes: Buffer): string;
  /** Newer Electrons on Linux: `basic_text` is not a keychain but encryption with a public password. */
  getSelectedStorageBackend?(): string;
}

/** Tokens of workers that outlast the app: encrypted on disk by the system's keychain. */
export interface StoredTokens {
  /** Stores a token; null deletes it. @returns whether the keychain stores it */
  keep(token: ShellWorkerToken): boolean;
  of(notebook: string): readonly ShellStoredToken[];
}

interface Entry {
  readonly notebook: string;
  readonly worker: string;
  /** The URL for which it was entered: it is returned for no other. */
  readonly url: string;
  /** Encrypted, in base64. */
  readonly sealed: string;
}

const MAX_TOKENS = 500;

/**
 * @param onProblem called for a file that cannot be read or written, and for tokens that the keychain cannot
 * decrypt
 */
export function openStoredTokens(
  path: string,
  { keychain, onProblem }: { readonly keychain: Keychain; readonly onProblem: (error: unknown) => void },
): StoredTokens {
  let entries = readEntries(path, onProblem);
  const isThere = (): boolean =>
    keychain.isEncryptionAvailable() && keychain.getSelectedStorageBackend?.() !== 'basic_text';
  const change = (next: readonly Entry[]): boolean => {
    try {
      writeWhole(path, next);
    } catch (error) {
      onProblem(error);
      return false;
    }
    entries = next;
    return true;
  };
  return {
    keep({ notebook, worker, url, token }) {
      const others = entries.filter((one) => one.notebook !== notebook || one.worker !== worker);
      if (token === null) {
        if (others.length < entries.length) change(others);
        return false;
      }
      if (!isThere()) return false;
      const sealed = keychain.encryptString(token).toString('base64');
      return change([...others, { notebook, worker, url, sealed }].slice(-MAX_TOKENS));
    },
    of(notebook) {
      if (!isThere()) return [];
      return entries
        .filter((one) => one.notebook === notebook)
        .flatMap(({ worker, url, sealed }) => {
          try {
            return [{ worker, url, token: keychain.decryptString(Buffer.from(sealed, 'base64')) }];
          } catch (error) {
            // Encrypted with another keychain: the user must enter it again.
            onProblem(error);
            return [];
          }
        });
    },
  };
}

function readEntries(path: string, onProblem: (error: unknown) => void): readonly Entry[] {
  try {
    const data: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(data) ? data.filter(isEntry) : [];
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) onProblem(error);
    return [];
  }
}

function isEntry(data: unknown): data is Entry {
  if (typeof data !== 'object' || data === null) return false;
  const fields: Record<string, unknown> = { ...data };
  return ['notebook', 'worker', 'url', 'sealed'].every((key) => typeof fields[key] === 'string');
}

/** Writes the file atomically: a crash leaves the old file or the new one. */
function writeWhole(path: string, entries: readonly Entry[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.tmp`;
  const file = openSync(beside, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify(entries));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}
