/**
 * The stores to which results of notebooks are promoted: the artifact store of this server, or that of another server.
 */

import { createReadStream } from 'node:fs';
import * as z from 'zod';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { artifactUri, parseArtifactUri } from '../../artifacts/uri.ts';
import type { DataPlane } from '../../dataPlane/api.ts';
import type { Registry } from '../../registry/registry.ts';
import { type Party, uriOf, type VersionRef } from '../../registry/versionRow.ts';
import type { RemoteStore } from '../../remoteStore/remoteStore.ts';
import { type RequestContext, readAs, shownUrl } from '../../remoteStore/rest.ts';

/** A version to copy. `inputs` are those of the row, with their URIs in the store. */
interface Copy {
  readonly row: ArtifactRow;
  readonly file: string;
  readonly provenanceHash: string;
  readonly inputs: Readonly<Record<string, string>>;
}

interface Copied {
  readonly uri: string;
  readonly written: boolean;
}

/** The target of promotions: the store of this server, or that of a team. */
export interface PromotionStore {
  readonly place: string;
  /** The ready version of a provenance in the store. */
  ready(provenanceHash: string): Promise<{ readonly uri: string; readonly sha256: string | null } | null>;
  copy(copy: Copy): Promise<Copied>;
  setName(name: string, uri: string): Promise<void>;
  /** @returns whether it waits for approval */
  setAlias(name: string, alias: string, uri: string): Promise<boolean>;
  setTag(uri: string, key: string, value: string): Promise<void>;
  /** Writes a version to a table. */
  exportTable(
    uri: string,
    to: { readonly table: string; readonly alias: string | null },
  ): Promise<{ readonly snapshot_id: number }>;
  namesOf(uri: string): Promise<readonly string[]>;
  /** The versions that a notebook promoted. */
  promotedBy(notebookId: string): Promise<readonly PromotedVersion[]>;
}

type TablePlane = Pick<DataPlane, 'exportTable' | 'moveTableTags'>;

/** A version in the store with its labels. */
export type PromotedVersion = z.infer<typeof promoted>;
const promoted = z.object({
  artifact_id: z.string(),
  version: z.number().int(),
  uri: z.string(),
  names: z.array(z.string()),
  tags: z.record(z.string(), z.string()),
});

/** The tags that link a version to the cell that made it. */
export const NOTEBOOK_TAG = 'nb_notebook';
export const CELL_TAG = 'nb_cell';

const EXECUTOR = 'notebook/cell@v1';

function specOf({ params }: ArtifactRow, inputs: Copy['inputs']) {
  return { executor: params['executor'] ?? EXECUTOR, inputs: Object.keys(inputs), params };
}

function refOf(uri: string): VersionRef {
  const ref = parseArtifactUri(uri);
  if (ref === null) throw new Error(`not the address of an artifact: ${uri}`);
  return ref;
}

/** The artifact store of this server. */
export function localPromotionStore(
  { registry, dataPlane }: { readonly registry: Registry; readonly dataPlane: TablePlane },
  { party, signal }: { readonly party: Party; readonly signal: AbortSignal },
): PromotionStore {
  return {
    place: 'local',
    async ready(provenanceHash) {
      const row = registry.readyByProvenance(provenanceHash, party);
      return row === null ? null : { uri: uriOf(row), sha256: row.contentSha256 };
    },
    async copy({ row, file, provenanceHash, inputs }) {
      const blob = await registry.receive(createReadStream(file), Number.POSITIVE_INFINITY);
      try {
        const { row: stored, written } = await registry.importVersion(
          {
            id: row.id,
            version: row.version,
            provenanceHash,
            remap: true,
            blob,
            state: 'ready',
            schemaJson: row.schemaJson,
            rowCount: row.rowCount,
            byteSize: row.byteSize,
            createdAt: row.createdAt / 1000,
            principal: party.principal,
            contentSha256: row.contentSha256,
            contentType: row.contentType,
            transformSpec: specOf(row, inputs),
            inputVersions: inputs,
          },
          party,
        );
        return { uri: uriOf(stored), written };
      } finally {
        registry.discard(blob);
      }
    },
    async setName(name, uri) {
      registry.names.set(name, refOf(uri), party);
    },
    async setAlias(name, alias, uri) {
      const ref = refOf(uri);
      const isPending = registry.names.setAlias({ name, alias, ref }, party) === 'pending';
      if (!isPending) await dataPlane.moveTableTags(alias, ref, party, signal);
      return isPending;
    },
    exportTable: (uri, { table, alias }) =>
      dataPlane.exportTable({ ref: refOf(uri), table, alias }, party, signal),
    async setTag(uri, key, value) {
      registry.tags.set(refOf(uri), { key, value }, party);
    },
    async namesOf(uri) {
      const { id, version } = refOf(uri);
      return registry.names
        .all(party)
        .filter((one) => one.artifact_id === id && one.version === version)
        .map(({ name }) => name);
    },
    async promotedBy(notebookId) {
      const all = registry.names.all(party);
      return registry.tags.find({ key: NOTEBOOK_TAG, value: notebookId }, party).map(({ id, version }) => ({
        artifact_id: id,
        version,
        uri: artifactUri(id, version),
        tags: registry.tags.of({ id, version }, party),
        names: all.filter((one) => one.artifact_id === id && one.version === version).map(({ name }) => name),
      }));
    },
  };
}

const imported = z.object({ artifact_uri: z.string(), written: z.boolean() });
const exportAnswer = z.object({ snapshot_id: z.number() });
const aliasAnswer = z.object({ status: z.string() });
const namesAnswer = z.object({ names: z.array(z.object({ name: z.string(), artifact_uri: z.string() })) });

/** The artifact store of another server. */
export function remotePromotionStore(store: RemoteStore, context: RequestContext): PromotionStore {
  return {
    place: shownUrl(store.url),
    async ready(provenanceHash) {
      const match = await store.match(provenanceHash, context);
      if (match === null) return null;
      return { uri: artifactUri(match.artifact_id, match.version), sha256: match.content_sha256 };
    },
    async copy({ row, file, provenanceHash, inputs }) {
      const metadata = {
        id: row.id,
        version: row.version,
        provenance_hash: provenanceHash,
        state: 'ready',
        created_at: row.createdAt / 1000,
        schema_json: row.schemaJson,
        row_count: row.rowCount,
        byte_size: row.byteSize,
        principal: context.principal,
        content_sha256: row.contentSha256,
        content_type: row.contentType,
        transform_spec: specOf(row, inputs),
        input_versions: inputs,
      };
      const answer = readAs(imported, await store.importVersion({ metadata, file }, context), store.url);
      return { uri: answer.artifact_uri, written: answer.written };
    },
    async setName(name, uri) {
      const { id, version } = refOf(uri);
      await store.call('POST', '/v1/names', { name, artifact_id: id, version }, context);
    },
    async setAlias(name, alias, uri) {
      const { id, version } = refOf(uri);
      const path = `/v1/names/${pathOf(name)}/aliases/${encodeURIComponent(alias)}`;
      const answer = await store.call('PUT', path, { artifact_id: id, version }, context);
      return readAs(aliasAnswer, answer, store.url).status === 'pending';
    },
    async exportTable(uri, { table, alias }) {
      const { id, version } = refOf(uri);
      const path = `/v1/artifacts/${encodeURIComponent(id)}/v/${version}/export`;
      return readAs(exportAnswer, await store.call('POST', path, { table, alias }, context), store.url);
    },
    async setTag(uri, key, value) {
      const { id, version } = refOf(uri);
      const path = `/v1/artifacts/${encodeURIComponent(id)}/v/${version}/tags`;
      await store.call('PUT', path, { key, value }, context);
    },
    async namesOf(uri) {
      const { names } = readAs(namesAnswer, await store.call('GET', '/v1/names', null, context), store.url);
      return names.filter((one) => one.artifact_uri === uri).map(({ name }) => name);
    },
    async promotedBy(notebookId) {
      const query = new URLSearchParams({ tag_key: NOTEBOOK_TAG, tag_value: notebookId });
      const answer = await store.call('GET', `/v1/registry/artifacts?${query}`, null, context);
      return readAs(z.object({ artifacts: z.array(promoted) }), answer, store.url).artifacts;
    },
  };
}

/** Slashes are part of names. */
function pathOf(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** @throws AppError conflict if the server has no store */
export function noStore(): AppError {
  return new AppError(
    'conflict',
    'There is no store to promote to. Set SVC_NOTEBOOK_REMOTE_STORE_URL to the address of a shared store, or SVC_ARTIFACT_DIR to a folder for one of this server, and restart the server.',
  );
}
