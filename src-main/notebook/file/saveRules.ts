/** The changes that every save of notebook.toml must include, such as removing literal secrets. */

import type { TomlOp } from '../toml/tomlOp.ts';
import { isTable, type TomlRecord } from '../toml/tomlValue.ts';
import { readConnections } from './connectionBlocks.ts';

const SECRET_WORDS = ['KEY', 'SECRET', 'TOKEN', 'PASSWORD', 'CREDENTIAL'];

/** Unknown keys of `[secret_manager]` are dropped on save (docs/spec/notebook-file.md, 3). */
export const SECRET_MANAGER_KEYS: readonly string[] = [
  'provider',
  'project_id',
  'environment',
  'path',
  'base_url',
];

/** True for an environment variable whose value is never written to notebook.toml (docs/spec/notebook-file.md, 3.1). */
export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return SECRET_WORDS.some((word) => upper.includes(word));
}

/**
 * Whether an auth value only names a variable: the only kind that notebook.toml stores (docs/spec/annotations.md, 1.3).
 */
export function isReference(value: string): boolean {
  return /^\$\{[A-Za-z_]\w*\}$/.test(value);
}

/**
 * The changes that every save of this document must also make (docs/spec/notebook-file.md, 3): secret-looking env
 * values are blanked, an empty env block is removed, secret_manager keeps only its known keys, and a connection's auth
 * only its references.
 */
export function saveRules(document: TomlRecord): readonly TomlOp[] {
  const cells = document['cells'];
  return [
    ...envRules(document, []),
    ...(Array.isArray(cells)
      ? cells.flatMap((cell: unknown, index) => (isTable(cell) ? envRules(cell, ['cells', index]) : []))
      : []),
    ...secretManagerRules(document['secret_manager']),
    ...authRules(document['connections']),
  ];
}

function envRules(owner: TomlRecord, path: readonly (string | number)[]): readonly TomlOp[] {
  const env = Object.hasOwn(owner, 'env') ? owner['env'] : undefined;
  if (!isTable(env)) return [];
  const entries = Object.entries(env);
  if (entries.every(([key, value]) => value === '' || isSecretName(key))) {
    return [{ op: 'remove', path: [...path, 'env'] }];
  }
  return entries
    .filter(([key, value]) => isSecretName(key) && value !== '')
    .map(([key]) => ({ op: 'set', path: [...path, 'env', key], value: '' }));
}

function secretManagerRules(table: unknown): readonly TomlOp[] {
  if (!isTable(table)) return [];
  const unknown = Object.keys(table).filter((key) => !SECRET_MANAGER_KEYS.includes(key));
  return unknown.map((key) => ({ op: 'remove', path: ['secret_manager', key] }));
}

/**
 * The rules for connections: literal text in `auth` is blanked; an unusable block stays byte for byte
 * (docs/spec/rest-notebooks.md, 2.1).
 */
function authRules(table: unknown): readonly TomlOp[] {
  return readConnections(table).connections.flatMap(({ name, auth }) =>
    Object.entries(auth)
      .filter(([, value]) => value !== '' && !isReference(value))
      .map(([key]): TomlOp => ({ op: 'set', path: ['connections', name, 'auth', key], value: '' })),
  );
}
