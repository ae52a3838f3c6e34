import { readFileSync } from 'node:fs';
import { isServerSecret, splitServerSecrets } from '../../src-shared/shell/serverSecrets.ts';
import { closeMemory } from '../lib/ownProcess/closeMemory.ts';
import { takeOutOfEnvironment, type Warn } from '../lib/ownProcess/takeOut.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The keys of the server that this process took out of its environment. */
let keys: Readonly<Record<string, string>> = {};

/**
 * Takes the keys of the server out of this process's environment, for every process it starts and every program that
 * looks at it. Call it first: the process may be replaced (`takeOutOfEnvironment`).
 */
export function hideServerSecrets(warn: Warn): void {
  keys = { ...keys, ...takeOutOfEnvironment(isServerSecret, warn) };
}

/**
 * Closes the memory of a process that goes on to run cells, on Linux: see `closeMemory`. Other systems protect it by
 * their own rules (docs/security.md).
 */
export function closeServerMemory(warn: Warn): void {
  if (process.platform !== 'linux') return;
  const cannot = closeMemory();
  if (cannot !== null) warn(`other programs of this user may be able to read the server's memory: ${cannot}`);
}

/** Keys that came another way than by the environment: from the desktop app, over its channel. */
export function takeServerSecrets(secrets: Readonly<Record<string, string>>): void {
  // What the channel's owner did not strip is not left for cells.
  const { secrets: inherited } = splitServerSecrets(process.env);
  for (const name of Object.keys(inherited)) delete process.env[name];
  keys = { ...keys, ...inherited, ...secrets };
}

/** What the configuration is read from: the environment, and the keys that are no longer in it. */
export function serverEnvironment(): Environment {
  return { ...process.env, ...keys };
}

/**
 * A setting with the keys of the server that it names as `${NAME}` filled in: the person who started the server wrote
 * both. Other names stay, and so does everything that a notebook says.
 */
export function withServerKeys<T>(setting: T): T {
  if (typeof setting === 'string') {
    const text = setting.replace(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => keys[name] ?? whole);
    return text as typeof setting; // a text stays one
  }
  if (Array.isArray(setting)) return setting.map(withServerKeys) as typeof setting;
  if (typeof setting !== 'object' || setting === null) return setting;
  const filled = Object.entries(setting).map(([key, value]) => [key, withServerKeys(value)]);
  return Object.fromEntries(filled) as typeof setting;
}

/** The environment and one key: what a notebook may name is looked up here, and it may name no other key. */
export function environmentWith(name: string): Environment {
  return keys[name] === undefined ? process.env : { ...process.env, [name]: keys[name] };
}

/**
 * Of these keys, those that the start environment of this process's parent still shows to the programs of this user.
 * This process cannot change that; whoever started it can.
 */
export function keysTheParentShows(names: (name: string) => boolean = isServerSecret): readonly string[] {
  let block: readonly string[];
  try {
    block = readFileSync(`/proc/${process.ppid}/environ`, 'latin1').split('\0');
  } catch {
    // Another user's, or no /proc here: a cell cannot read it either.
    return [];
  }
  return Object.entries(keys)
    .filter(
      ([name, value]) => names(name) && block.includes(`${name}=${Buffer.from(value).toString('latin1')}`),
    )
    .map(([name]) => name);
}
