/**
 * The command `svc artifact promote`: copies a version, with its inputs, from a folder's artifact store to a shared
 * store.
 */

import { parseArtifactUri } from '../../../artifacts/uri.ts';
import { uriOf, type VersionRow } from '../../../registry/versionRow.ts';
import { UsageError } from '../../arguments.ts';
import { serverUrl } from '../../place/target.ts';
import {
  onlyArgument,
  resolveVersion,
  type StoreCommandContext,
  storeCommand,
  textOption,
  textOptions,
} from './storeCommand.ts';

const LEVELS = 10;
const COPY_MS = 30 * 60_000;

export const artifactPromote = storeCommand({
  usage: 'REF',
  options: {
    to: {
      type: 'string',
      takes: 'URL',
      says: 'Server with the target store. Default: SVC_NOTEBOOK_REMOTE_STORE_URL.',
    },
    name: { type: 'string', takes: 'NAME', says: 'Its name there.' },
    alias: { type: 'string', takes: 'ALIAS', says: 'An alias of that name.' },
    tag: { type: 'string', multiple: true, takes: 'KEY=VALUE', says: 'A tag; may be given several times.' },
    table: { type: 'string', takes: 'TABLE', says: 'A table on that server that receives the rows.' },
    header: {
      type: 'string',
      multiple: true,
      takes: 'NAME:VALUE',
      says: 'A header for that server; may be given several times.',
    },
  },
  async run(on) {
    const { values, config } = on;
    const row = resolveVersion(on, onlyArgument(on, 'artifact'));
    const url = textOption(values, 'to') ?? config.notebookRemoteStoreUrl;
    if (url === null) throw new UsageError('name the server: --to URL, or set SVC_NOTEBOOK_REMOTE_STORE_URL');
    const name = textOption(values, 'name');
    const alias = textOption(values, 'alias');
    if (alias !== undefined && name === undefined) throw new UsageError('--alias needs --name');
    const tags = textOptions(values, 'tag').map((text) => pairOf(text, '=', '--tag'));
    const own = url === config.notebookRemoteStoreUrl ? config.notebookRemoteStoreHeaders : {};
    const headers = {
      ...own,
      ...Object.fromEntries(textOptions(values, 'header').map((text) => pairOf(text, ':', '--header'))),
    };
    // Not for help and wrong usage [AR-63].
    const { createRemoteStore } = await import('../../../remoteStore/remoteStore.ts');
    const store = createRemoteStore({
      url: serverUrl(url).href,
      headers,
      principalHeader: null,
      onProblem: () => undefined, // the command shows the error itself
    });
    const context = { principal: null, signal: AbortSignal.timeout(COPY_MS) };
    let copied = 0;
    const storeUris = new Map<string, string>();
    for (const part of withInputs(on, row)) {
      const { path } = on.registry.dataFile(part, on.party);
      const inputs = Object.fromEntries(
        Object.entries(part.inputVersions).map(([uri, version]) => {
          const moved = storeUris.get(uri);
          return moved === undefined ? [uri, version] : [moved, moved.slice('svc://artifact/'.length)];
        }),
      );
      const metadata = {
        id: part.id,
        version: part.version,
        provenance_hash: part.provenanceHash,
        state: 'ready',
        created_at: part.createdAt,
        schema_json: part.schemaJson,
        row_count: part.rowCount,
        byte_size: part.byteSize,
        principal: part.principal,
        content_sha256: part.contentSha256,
        transform_spec: part.transformSpec,
        input_versions: inputs,
        content_type: part.contentType,
      };
      const answer = (await store.importVersion({ file: path, metadata }, context)) as {
        readonly artifact_uri: string;
        readonly written: boolean;
      }; // the answer of its route
      if (answer.written) copied += 1;
      storeUris.set(uriOf(part), await readyUri(answer.artifact_uri, part));
    }
    const uri = storeUris.get(uriOf(row)) ?? uriOf(row);
    const ref = parseArtifactUri(uri);
    if (ref === null) throw new UsageError(`${url} is not an artifact store`);
    const version = { artifact_id: ref.id, version: ref.version };
    for (const [key, value] of tags) {
      const path = `/v1/artifacts/${encodeURIComponent(ref.id)}/v/${ref.version}/tags`;
      await store.call('PUT', path, { key, value }, context);
    }
    if (name !== undefined) await store.call('POST', '/v1/names', { name, ...version }, context);
    const table = textOption(values, 'table');
    let snapshot: number | null = null;
    if (table !== undefined) {
      const path = `/v1/artifacts/${encodeURIComponent(ref.id)}/v/${ref.version}/export`;
      const answer = (await store.call('POST', path, { table }, context)) as { readonly snapshot_id: number }; // the answer of its route
      snapshot = answer.snapshot_id;
    }
    let isPending = false;
    if (name !== undefined && alias !== undefined) {
      const path = `/v1/names/${name.split('/').map(encodeURIComponent).join('/')}/aliases/${encodeURIComponent(alias)}`;
      const answer = (await store.call('PUT', path, version, context)) as { readonly status: string }; // the answer of its route
      isPending = answer.status === 'pending';
    }
    return {
      answer: {
        artifact_uri: uri,
        copied,
        name: name ?? null,
        alias: alias ?? null,
        alias_pending: isPending,
        table: table ?? null,
        table_snapshot: snapshot,
        store: url,
      },
      human: `${uri}, ${copied} versions copied${isPending ? '; the alias waits for approval' : ''}`,
    };

    /** If the store has the same result under another URI, that URI. */
    async function readyUri(imported: string, part: VersionRow): Promise<string> {
      const match = await store.match(part.provenanceHash, context);
      const isSame = match !== null && match.content_sha256 === part.contentSha256;
      return isSame ? `svc://artifact/${match.artifact_id}@v=${match.version}` : imported;
    }
  },
});

/** A version and the versions it was made from, inputs first. */
function withInputs({ registry, party }: StoreCommandContext, row: VersionRow): readonly VersionRow[] {
  const order: VersionRow[] = [];
  const visited = new Set<string>();
  const visit = (one: VersionRow, level: number): void => {
    if (visited.has(uriOf(one))) return;
    visited.add(uriOf(one));
    for (const uri of level < LEVELS ? Object.keys(one.inputVersions) : []) {
      const ref = parseArtifactUri(uri);
      const input = ref === null ? null : registry.find(ref, party);
      if (input !== null && (input.state === 'ready' || input.state === 'superseded'))
        visit(input, level + 1);
    }
    order.push(one);
  };
  visit(row, 0);
  return order;
}

/** @throws UsageError */
function pairOf(text: string, between: string, option: string): readonly [string, string] {
  const at = text.indexOf(between);
  if (at < 1) throw new UsageError(`${option} must be NAME${between}VALUE, not ${text}`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
