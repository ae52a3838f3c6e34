import { AppError } from '../../../src-shared/wire/errors.ts';
import { ownValue } from '../../lib/ownValue.ts';
import { type Connection, readConnections } from '../file/connectionBlocks.ts';
import type { TomlOp } from '../toml/tomlOp.ts';
import { isTable, valueAt, writableValue } from '../toml/tomlValue.ts';
import type { NotebookText } from './notebookEdits.ts';
import { CONNECTION_KEYS, unknownKeysOf } from './unknownKeys.ts';

/**
 * Checks a user's list of connections, read as notebook.toml would be; a masked value keeps its current value. A block
 * of an unsupported driver is written, too, and then listed as malformed (docs/spec/rest-notebooks.md, 7).
 * @throws AppError bad_request naming the connection and its problem
 */
export function requestedConnections(
  list: readonly Readonly<Record<string, unknown>>[],
  { now, mask }: { readonly now: readonly Connection[]; readonly mask: string },
): readonly Connection[] {
  const blocks = new Map<string, unknown>();
  for (const { name, ...wantedConnection } of list) {
    // `credential` is null in replies for a connection without one.
    const { credential, ...rest } = wantedConnection;
    const block = credential === null ? rest : wantedConnection;
    if (typeof name !== 'string' || name === '')
      throw new AppError('bad_request', 'A connection needs a name.');
    if (blocks.has(name))
      throw new AppError('bad_request', `Two connections are named "${name}". Rename one of them.`);
    if (holdsNull(block)) {
      throw new AppError('bad_request', `connection '${name}': a value is null. Omit it instead.`);
    }
    blocks.set(name, unmasked(block, { before: now.find((one) => one.name === name), mask }));
  }
  const { connections, malformed } = readConnections(Object.fromEntries(blocks), { anyDriver: true });
  const [bad] = malformed;
  if (bad !== undefined) throw new AppError('bad_request', `connection '${bad.name}': ${bad.error}`);
  return connections;
}

function unmasked(
  block: Readonly<Record<string, unknown>>,
  { before, mask }: { readonly before: Connection | undefined; readonly mask: string },
): Readonly<Record<string, unknown>> {
  const { auth } = block;
  if (typeof auth !== 'object' || auth === null || Array.isArray(auth)) return block;
  const entries = Object.entries(auth).map(([key, value]: [string, unknown]) => [
    key,
    value === mask ? (ownValue(before?.auth, key) ?? '') : value,
  ]);
  return { ...block, auth: Object.fromEntries(entries) };
}

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.values(value).some(holdsNull);
}

/**
 * The changes of the list to the file: unusable blocks stay, unless the list has a connection of the same
 * name.
 */
export function connectionOps(
  { file, document }: NotebookText,
  connections: readonly Connection[],
): readonly TomlOp[] {
  const names = new Set(connections.map(({ name }) => name));
  const removals = file.connections.filter(({ name }) => !names.has(name));
  const staying = file.malformedConnections.some(({ name }) => !names.has(name));
  const hasBlock = isTable(document['connections']);
  if (connections.length === 0 && !staying) {
    return document['connections'] === undefined ? [] : [{ op: 'remove', path: ['connections'] }];
  }
  const tables = connections.map(({ name, auth, options, ...keys }) => ({
    name,
    table: {
      ...unknownKeysOf(valueAt(document, ['connections', name]), CONNECTION_KEYS),
      ...keys,
      ...(Object.keys(auth).length === 0 ? {} : { auth }),
      ...(Object.keys(options).length === 0 ? {} : { options }),
    },
  }));
  if (!hasBlock) {
    const all = Object.fromEntries(tables.map(({ name, table }) => [name, table]));
    return [{ op: 'set', path: ['connections'], value: writableValue(all) }];
  }
  return [
    ...removals.map(({ name }): TomlOp => ({ op: 'remove', path: ['connections', name] })),
    ...tables.map(
      ({ name, table }): TomlOp => ({ op: 'set', path: ['connections', name], value: writableValue(table) }),
    ),
  ];
}
