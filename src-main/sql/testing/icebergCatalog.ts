import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type HttpStandIn, type StandInAnswer, type StandInRequest, startStandIn } from './httpStandIn.ts';

/**
 * A fake of an Iceberg REST catalog as specified, with the routes that DuckDB uses: configuration, namespaces, and
 * tables that are created, loaded and committed to. Tables are stored in a local folder. It accepts one bearer token,
 * which it issues to one client.
 */
export interface IcebergCatalog extends HttpStandIn {
  readonly token: string;
  readonly client: string;
  /** `METHOD path` of every request, in order. */
  readonly requests: string[];
  /** Resets a table to its first snapshot, as its owner could. */
  rollBack(table: string): void;
  drop(table: string): void;
}

type Json = Record<string, unknown>;

/** @param folder absolute path of the folder for table files */
export async function startIcebergCatalog(folder: string): Promise<IcebergCatalog> {
  const token = 'token-of-the-catalog';
  const client = 'the-client:the-secret';
  const requests: string[] = [];
  const tables = new Map<string, Json>();
  const answer = (request: StandInRequest): StandInAnswer => {
    const { method, path, headers, body } = request;
    requests.push(`${method} ${path}`);
    if (path === '/v1/oauth/tokens')
      return { body: { access_token: token, token_type: 'bearer', expires_in: 3600 } };
    if (headers.authorization !== `Bearer ${token}`) return fault(401, 'NotAuthorizedException');
    if (path === '/v1/config') return { body: { defaults: {}, overrides: {} } };
    if (path === '/v1/namespaces') return { body: { namespaces: [['ns']] } };
    if (path === '/v1/namespaces/ns') return { body: { namespace: ['ns'], properties: {} } };
    if (path === '/v1/transactions/commit') {
      for (const change of (body as { 'table-changes': Json[] })['table-changes']) {
        const { name } = change['identifier'] as { name: string };
        commit(tables, name, change);
      }
      return { status: 204 };
    }
    const table = /^\/v1\/namespaces\/ns\/tables(?:\/([^/]+))?$/.exec(path);
    if (table === null) return fault(404, 'NoSuchNamespaceException');
    const name = table[1];
    if (name === undefined && method === 'POST')
      return { body: tableResponse(create(tables, body as Json, folder)) };
    if (name === undefined) {
      return { body: { identifiers: [...tables.keys()].map((one) => ({ namespace: ['ns'], name: one })) } };
    }
    if (method === 'POST') return { body: tableResponse(commit(tables, name, body as Json)) };
    const metadata = tables.get(name);
    return metadata === undefined ? fault(404, 'NoSuchTableException') : { body: tableResponse(metadata) };
  };
  const standIn = await startStandIn(answer);
  const rollBack = (table: string): void => {
    const [first] = (tables.get(table)?.['snapshots'] ?? []) as Json[]; // written by `withUpdate`
    const update = { action: 'set-snapshot-ref', 'snapshot-id': first?.['snapshot-id'] };
    commit(tables, table, { updates: [update] });
  };
  const drop = (table: string): void => void tables.delete(table);
  return Object.assign(standIn, { token, client, requests, rollBack, drop });
}

function fault(code: number, type: string): StandInAnswer {
  return { status: code, body: { error: { message: type, type, code } } };
}

/** A table response. Also writes the metadata to a file, from which DuckDB lists snapshots. */
function tableResponse(metadata: Json): Json {
  const folder = `${String(metadata['location'])}/metadata`;
  mkdirSync(folder, { recursive: true });
  mkdirSync(`${String(metadata['location'])}/data`, { recursive: true });
  const file = `${folder}/v${(metadata['snapshots'] as Json[]).length}.metadata.json`;
  writeFileSync(file, JSON.stringify(metadata));
  return { 'metadata-location': file, metadata, config: {} };
}

function create(tables: Map<string, Json>, body: Json, folder: string): Json {
  const name = String(body['name']);
  const metadata: Json = {
    'format-version': 2,
    'table-uuid': randomUUID(),
    location: `${folder}/${name}`,
    'last-sequence-number': 0,
    'last-updated-ms': Date.now(),
    'last-column-id': 100,
    'current-schema-id': 0,
    schemas: [{ ...(body['schema'] as Json), 'schema-id': 0 }],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'last-partition-id': 999,
    'default-sort-order-id': 0,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    properties: {},
    refs: {},
    snapshots: [],
    'snapshot-log': [],
    'metadata-log': [],
  };
  tables.set(name, metadata);
  return metadata;
}

function commit(tables: Map<string, Json>, name: string, body: Json): Json {
  let metadata = tables.get(name) ?? {};
  for (const update of body['updates'] as Json[]) metadata = withUpdate(metadata, update);
  tables.set(name, metadata);
  return metadata;
}

function withUpdate(metadata: Json, update: Json): Json {
  switch (update['action']) {
    case 'add-snapshot': {
      const snapshot = update['snapshot'] as Json;
      return {
        ...metadata,
        snapshots: [...(metadata['snapshots'] as Json[]), snapshot],
        'last-sequence-number': snapshot['sequence-number'],
      };
    }
    case 'set-snapshot-ref': {
      const id = update['snapshot-id'];
      const ref = { 'snapshot-id': id, type: 'branch' };
      return { ...metadata, 'current-snapshot-id': id, refs: { main: ref } };
    }
    default:
      return metadata;
  }
}
