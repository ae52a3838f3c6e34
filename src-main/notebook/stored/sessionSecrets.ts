/** The secret values of a notebook's settings, which stay in memory while it is open and are written to no file. */

import { ownValue } from '../../lib/ownValue.ts';
import type { Connection } from '../file/connectionBlocks.ts';
import type { NotebookFile } from '../file/notebookFile.ts';
import { isReference, isSecretName } from '../file/saveRules.ts';
import { optionSecrets } from './mountSecrets.ts';

type Env = Readonly<Record<string, string>>;

const CONNECTION = 'connection:';

/**
 * The secret values by owner: typed by a user, or written by hand and blanked by the first save
 * (docs/spec/notebook-file.md, 3.1). The notebook's own have the key '', a cell's its id, the auth of a connection
 * `connection:` and its name, which no cell id can be.
 */
export type SessionSecrets = ReadonlyMap<string, Env>;

export const NO_SECRETS: SessionSecrets = new Map();

/**
 * The last result of a secret manager: it fills the values that the notebook leaves blank
 * (docs/spec/rest-notebooks.md, 7).
 */
export interface FetchedEnv {
  /** The manager's id. */
  readonly from: string;
  readonly values: Env;
}

/** Adds the secret values in a file; blank ones are placeholders and override nothing. */
export function rememberSecrets(secrets: SessionSecrets, file: NotebookFile): SessionSecrets {
  const result = new Map(secrets);
  for (const [owner, values] of ownersOf(file)) {
    if (Object.keys(values).length > 0) result.set(owner, { ...result.get(owner), ...values });
  }
  return result;
}

/** Replaces the remembered values of one owner by what a user just set. */
export function replaceSecrets(secrets: SessionSecrets, owner: string, env: Env): SessionSecrets {
  return new Map(secrets).set(owner, secretsIn(env));
}

/** The file with the remembered values in place of blank and omitted ones, then with the fetched ones. */
export function withSecrets(
  file: NotebookFile,
  secrets: SessionSecrets,
  fetched: FetchedEnv | null = null,
): NotebookFile {
  if (secrets.size === 0 && fetched === null) return file;
  const env = filled(file.env, secrets.get(''));
  const additions = Object.entries(fetched?.values ?? {}).filter(
    ([key]) => (ownValue(env, key) ?? '') === '',
  );
  return {
    ...file,
    env: additions.length === 0 ? env : { ...env, ...Object.fromEntries(additions) },
    fetchedFrom: Object.fromEntries(additions.map(([key]) => [key, fetched?.from ?? ''])),
    connections: file.connections.map((connection) => withAuth(connection, secrets)),
    cells: file.cells.map((cell) => {
      const values = secrets.get(cell.id);
      return values === undefined ? cell : { ...cell, env: filled(cell.env, values) };
    }),
  };
}

function withAuth(connection: Connection, secrets: SessionSecrets): Connection {
  const values = secrets.get(authOwner(connection)) ?? {};
  const blank = Object.entries(connection.auth).filter(
    ([key, value]) => value === '' && ownValue(values, key),
  );
  if (blank.length === 0) return connection;
  const auth = {
    ...connection.auth,
    ...Object.fromEntries(blank.map(([key]) => [key, ownValue(values, key) ?? ''])),
  };
  return { ...connection, auth };
}

function filled(env: Env, values: Env | undefined): Env {
  const missing = Object.entries(values ?? {}).filter(([key]) => (ownValue(env, key) ?? '') === '');
  return missing.length === 0 ? env : { ...env, ...Object.fromEntries(missing) };
}

function secretsIn(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([key, value]) => value !== '' && isSecretName(key)));
}

/** Replaces all remembered values of the connections by what a user just set. */
export function replaceAuth(secrets: SessionSecrets, connections: readonly Connection[]): SessionSecrets {
  const result = new Map([...secrets].filter(([owner]) => !owner.startsWith(CONNECTION)));
  for (const connection of connections) {
    const literals = literalsIn(connection);
    if (Object.keys(literals).length > 0) result.set(authOwner(connection), literals);
  }
  return result;
}

/** The literal texts in a connection's auth, which the file does not store. */
function literalsIn({ auth }: Connection): Env {
  return Object.fromEntries(Object.entries(auth).filter(([, value]) => value !== '' && !isReference(value)));
}

function authOwner({ name }: Connection): string {
  return `${CONNECTION}${name}`;
}

function ownersOf(file: NotebookFile): readonly (readonly [string, Env])[] {
  return [
    ['', secretsIn(file.env)],
    ...file.cells.map((cell) => [cell.id, secretsIn(cell.env)] as const),
    ...file.connections.map((connection) => [authOwner(connection), literalsIn(connection)] as const),
  ];
}

/**
 * The notebook's own variables from a user's list (docs/spec/rest-notebooks.md, 7): a mask keeps the current value, and
 * an unchanged value from a secret manager is not written.
 */
export function ownEnv(file: NotebookFile, variables: Env, mask: string): Env {
  const own: Record<string, string> = {};
  for (const [key, text] of Object.entries(variables)) {
    const now = ownValue(file.env, key);
    const value = text === mask ? now : text;
    const isFetched = Object.hasOwn(file.fetchedFrom, key) && value === now;
    if (value !== undefined && !isFetched) own[key] = value;
  }
  return own;
}

/** Every secret value in a file: secret by its name, from a manager, of a connection, or of a mount. */
export function secretValuesOf(file: NotebookFile): readonly string[] {
  const fetched = Object.keys(file.fetchedFrom).map((key) => file.env[key] ?? '');
  const owned = ownersOf(file).flatMap(([, values]) => Object.values(values));
  const mounts = [...file.mounts, ...file.cells.flatMap((cell) => cell.mounts)];
  const options = mounts.flatMap((mount) => optionSecrets(mount).map(({ value }) => value));
  const { api_key: apiKey = '' } = file.ai;
  return [...new Set([...owned, ...fetched, ...options, apiKey])].filter((value) => value !== '');
}
