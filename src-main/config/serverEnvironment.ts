/** Reads the environment of the server process, and removes its secret keys from it so that cells cannot read them. */

import { readFileSync } from 'node:fs';
import { isServerSecret, splitServerSecrets } from '../../src-shared/shell/serverSecrets.ts';
import { closeMemory } from '../lib/ownProcess/closeMemory.ts';
import { removeFromEnvironment, type Warn } from '../lib/ownProcess/removeFromEnvironment.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The server's keys, which this process removed from its environment. */
let keys: Readonly<Record<string, string>> = {};

/**
 * Removes the server's keys from this process's environment, so that neither child processes nor other
 * programs see them. Call it first: the process may be replaced (`removeFromEnvironment`).
 */
export function hideServerSecrets(warn: Warn): void {
  keys = { ...keys, ...removeFromEnvironment(isServerSecret, warn) };
}

/**
 * Protects the memory of a process that will run cells, on Linux: see `closeMemory`. Other systems protect it
 * by their own rules (docs/security.md).
 */
export function closeServerMemory(warn: Warn): void {
  if (process.platform !== 'linux') return;
  const cannot = closeMemory();
  if (cannot !== null) warn(`other programs of this user may be able to read the server's memory: ${cannot}`);
}

/** Takes keys that did not come through the environment: the desktop app sends them over its channel. */
export function takeServerSecrets(secrets: Readonly<Record<string, string>>): void {
  // Keys that the desktop app left in the environment must not reach cells.
  const { secrets: inherited } = splitServerSecrets(process.env);
  for (const name of Object.keys(inherited)) delete process.env[name];
  keys = { ...keys, ...inherited, ...secrets };
}

/** The source of the configuration: the environment, and the keys removed from it. */
export function serverEnvironment(): Environment {
  return { ...process.env, ...keys };
}

/**
 * A setting in which `${NAME}` of a server key is replaced: the administrator wrote both. Other names stay,
 * and so does everything from a notebook.
 */
export function withServerKeys<T>(setting: T): T {
  if (typeof setting === 'string') {
    const text = setting.replace(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => keys[name] ?? whole);
    return text as typeof setting; // a string stays one
  }
  if (Array.isArray(setting)) return setting.map(withServerKeys) as typeof setting;
  if (typeof setting !== 'object' || setting === null) return setting;
  const filled = Object.entries(setting).map(([key, value]) => [key, withServerKeys(value)]);
  return Object.fromEntries(filled) as typeof setting;
}

/** The environment plus one key: for looking up names from a notebook, which may name no other key. */
export function environmentWith(name: string): Environment {
  return keys[name] === undefined ? process.env : { ...process.env, [name]: keys[name] };
}

/**
 * The keys that are still visible to the user's programs in the initial environment of this process's parent. Only the
 * program that started the parent can change that.
 */
export function keysVisibleInParent(names: (name: string) => boolean = isServerSecret): readonly string[] {
  let block: readonly string[];
  try {
    block = readFileSync(`/proc/${process.ppid}/environ`, 'latin1').split('\0');
  } catch {
    // Another user's, or no /proc: a cell cannot read it either.
    return [];
  }
  return Object.entries(keys)
    .filter(
      ([name, value]) => names(name) && block.includes(`${name}=${Buffer.from(value).toString('latin1')}`),
    )
    .map(([name]) => name);
}
