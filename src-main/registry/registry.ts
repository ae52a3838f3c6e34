/**
 * The server's registry of artifacts that clients upload, name, share and publish: versions, names, lineage, publications,
 * garbage collection. Cached results of cells have a store of their own (artifacts/artifact.ts).
 */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from 'better-sqlite3';
import { ownerMayLive, ownerName } from '../artifacts/blobFolder.ts';
import { parseArtifactUri } from '../artifacts/uri.ts';
import { type ArrowFacts, arrowOfJson, readArrowFacts } from './arrowBytes.ts';
import { type AuditLog, createAuditLog } from './auditLog.ts';
import { type BlobFiles, openBlobFiles, type ReceivedBlob } from './blobFiles.ts';
import { type CatalogQuery, catalogOf, createTotalBytes } from './catalog.ts';
import { type CollectResult, collect } from './collect.ts';
import type { CollectLimits } from './collectPlan.ts';
import { createTableExports, type TableExports } from './exports.ts';
import { type Hold, holdsOf } from './holdsOf.ts';
import { createPins, createTags, type Pins, type Tags } from './labels.ts';
import { type Dependent, dependentsOf, type Lineage, lineageOf } from './lineage.ts';
import { type LineageMap, lineageMapOf, type MapQuery } from './lineageMap.ts';
import { createNames, type Names } from './names.ts';
import { transformProvenance } from './provenance.ts';
import { createPublications, type Publications } from './publications.ts';
import { RegistryError } from './registryError.ts';
import { openRegistryDatabase } from './registrySchema.ts';
import { dropStaged, stagedBlob } from './staged.ts';
import {
  type ListQuery,
  listVersions,
  type StoreStats,
  type StoreUsage,
  statsOf,
  usageOf,
} from './storeFigures.ts';
import { createStreamOwners, type StreamOwners } from './streamOwners.ts';
import { type Verification, verifyStore } from './verifyStore.ts';
import { createVersionBuilds, type VersionBuilds } from './versionBuilds.ts';
import {
  type Party,
  type TransformSpec,
  uriOf,
  type VersionDetails,
  type VersionRef,
  type VersionRow,
  versionText,
} from './versionRow.ts';
import { checkId, createVersions, saveInputs, type Versions } from './versions.ts';

/**
 * The artifact store of a server: results that clients put, name, share and publish (docs/spec/core-services.md, 3 to
 * 6). It is separate from the results of notebooks, which are in each notebook's own folder.
 * Bytes are on disk, flushed, before their row says `ready`; a crash leaves a version `building` (it fails after the
 * zombie timeout) or a file that no row names.
 */
export interface Registry {
  readonly names: Names;
  readonly tags: Tags;
  readonly pins: Pins;
  readonly audit: AuditLog;
  readonly publications: Publications;
  readonly builds: VersionBuilds;
  readonly streamOwners: StreamOwners;
  readonly exports: TableExports;
  get(ref: VersionRef, party: Party): VersionRow;
  /** A version that the client may see; null for an unknown one. */
  find(ref: VersionRef, party: Party): VersionRow | null;
  /** The newest version of an id that has data; null if there is none. */
  newestOf(id: string, party: Party): VersionRow | null;
  list(query: ListQuery, party: Party): readonly VersionRow[];
  catalog(query: CatalogQuery, party: Party): ReturnType<typeof catalogOf> & { readonly totalBytes: number };
  stats(tenant: string | null): StoreStats;
  usage(tenant: string | null): StoreUsage;
  lineage(ref: VersionRef, maxDepth: number, party: Party): Lineage;
  /** The reasons for which a version is retained. */
  holds(ref: VersionRef, party: Party): readonly Hold[];
  /** The versions around one, for drawing. */
  lineageMap(ref: VersionRef, query: MapQuery, party: Party): LineageMap;
  dependents(
    ref: VersionRef,
    limit: number,
    party: Party,
  ): { dependents: readonly Dependent[]; total_count: number };
  /** The file with the bytes of a version that is ready or superseded. @throws RegistryError invalid, not_found */
  dataFile(ref: VersionRef, party: Party): { readonly path: string; readonly row: VersionRow };
  readyByProvenance(provenanceHash: string, party: Party): VersionRow | null;
  /** Receives a body to disk. If it is not used within the request, it must be discarded. */
  receive(body: Readable, maxBytes: number): Promise<ReceivedBlob>;
  receiveJson(data: unknown): Promise<ReceivedBlob>;
  discard(blob: ReceivedBlob): void;
  /**
   * Stores an Arrow stream under the provenance of `spec`; the bytes are discarded if that provenance is already
   * stored.
   */
  put(
    request: { readonly spec: TransformSpec; readonly blob: ReceivedBlob },
    party: Party,
  ): Promise<{ readonly row: VersionRow; readonly hit: boolean }>;
  /** Stores bytes under a provenance that the client computed; the first writer wins. */
  putByProvenance(request: ProvenanceUpload, party: Party): Promise<VersionRow>;
  stageImport(blob: ReceivedBlob, party: Party): void;
  /**
   * Stores a version of another store with its id and number.
   * @throws RegistryError invalid, not_found (nothing staged), conflict (the version exists with other content)
   */
  importVersion(
    request: ImportRequest,
    party: Party,
  ): Promise<{ row: VersionRow; written: boolean; remapped: boolean }>;
  /** The bytes of a building version; `finalize` makes it ready. */
  upload(ref: VersionRef, blob: ReceivedBlob, party: Party): void;
  finalize(ref: VersionRef, facts: ArrowFacts, party: Party): VersionRow;
  /** Deletes a version. @throws RegistryError not_found, conflict (published) */
  remove(ref: VersionRef, party: Party): void;
  collect(limits: CollectLimits, dryRun: boolean): Promise<CollectResult>;
  /** The current version of each input. @throws RegistryError invalid (no artifact or name), not_found */
  resolveInputs(inputs: readonly string[], party: Party): Readonly<Record<string, string>>;
  /** Compares every file with its row. */
  verify(): Promise<Verification>;
  /** The version that an input resolves to now. Null: it no longer resolves. */
  currentInput(uri: string, party: Party): string | null;
  close(): void;
}

interface ProvenanceUpload {
  readonly provenanceHash: string;
  readonly contentType: string;
  readonly details: VersionDetails;
  readonly artifactId: string | null;
  readonly rowCount: number | null;
  readonly schemaJson: string | null;
  readonly blob: ReceivedBlob;
}

interface ImportRequest {
  readonly id: string;
  readonly version: number;
  readonly provenanceHash: string;
  readonly createdAt: number;
  readonly state: 'ready' | 'superseded';
  readonly schemaJson: string | null;
  readonly rowCount: number | null;
  readonly byteSize: number | null;
  readonly principal: string | null;
  readonly transformSpec: TransformSpec | null;
  readonly inputVersions: Readonly<Record<string, string>>;
  readonly contentSha256: string | null;
  /** Null: the `content_type` of the transform's params, else an Arrow stream. */
  readonly contentType: string | null;
  readonly remap: boolean;
  /** Null: bytes that were staged before. */
  readonly blob: ReceivedBlob | null;
}

export interface RegistryOptions {
  /** The folder of the store (SVC_ARTIFACT_DIR). */
  readonly dir: string;
  readonly protectedAliases: readonly string[];
  readonly zombieSeconds: number;
  /** Epoch seconds; the system's clock by default. */
  readonly now?: () => number;
  /** False: a server may have the store open too, so apparent leftovers are not removed. Default: true. */
  readonly sweeps?: boolean;
}

export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const now = options.now ?? (() => Date.now() / 1000);
  const database = await openRegistryDatabase(options.dir);
  const { sweeps = true } = options;
  const blobs = openBlobFiles(options.dir, { sweeps });
  const versions = createVersions(database, now);
  if (sweeps) versions.failStuck(now() - options.zombieSeconds);
  const audit = createAuditLog(database, now);
  const names = createNames(database, {
    versions,
    audit,
    now,
    protectedAliases: new Set(options.protectedAliases),
  });
  const get = (ref: VersionRef, party: Party): VersionRow => versions.get(ref, party);
  const totalBytes = createTotalBytes(database);

  /** Places the bytes first, then writes the row, so that readers only find complete files. */
  const finishWith = (row: VersionRow, blob: ReceivedBlob, facts: Partial<ArrowFacts>): VersionRow => {
    const path = blobs.pathOf(row);
    blobs.place(blob, path);
    const answer = versions.finish(row, {
      byteSize: blob.byteSize,
      sha256: blob.sha256,
      rowCount: facts.rowCount ?? null,
      schemaJson: facts.schemaJson ?? null,
    });
    // Another version answers in its place: its bytes are the ones to keep.
    if (answer.id !== row.id) blobs.remove(path);
    return answer;
  };

  /** The version that an input has now. Null: it does not resolve. */
  const currentInput = (uri: string, party: Party): string | null => {
    const name = /^svc:\/\/name\/(.+)$/.exec(uri)?.[1];
    const ref = parseArtifactUri(uri);
    try {
      if (name !== undefined) {
        const { artifact_id, version } = names.get(decodeURIComponent(name), party);
        return versionText({ id: artifact_id, version });
      }
      return ref === null ? null : versionText(get(ref, party));
    } catch (error) {
      if (error instanceof RegistryError) return null;
      throw error;
    }
  };

  /**
   * The current version of each input.
   * @throws RegistryError invalid for an input that is not an artifact or a name, not_found for an unknown one
   */
  const resolveInputs = (inputs: readonly string[], party: Party): Readonly<Record<string, string>> => {
    const resolved: Record<string, string> = {};
    for (const uri of inputs) {
      if (!/^svc:\/\/(artifact|name)\//.test(uri)) {
        throw new RegistryError(
          'invalid',
          `The input ${uri} is not an artifact or a name. Inputs are svc://artifact/<id>@v=<n> or svc://name/<name>.`,
        );
      }
      if (uri.startsWith('svc://artifact/') && parseArtifactUri(uri) === null) {
        throw new RegistryError('invalid', `The input ${uri} names no version. Add @v=<n>.`);
      }
      const version = currentInput(uri, party);
      if (version === null) throw new RegistryError('not_found', `Input not found: ${uri}`);
      resolved[uri] = version;
    }
    return resolved;
  };

  const removeFiles = (row: VersionRow): void => blobs.remove(blobs.pathOf(row));

  return {
    names,
    tags: createTags(database, { versions, audit }),
    pins: createPins(database, { versions, now }),
    audit,
    publications: createPublications(database, { versions, audit, now }),
    streamOwners: createStreamOwners(database, now),
    exports: createTableExports(database, now),
    builds: createVersionBuilds(database, {
      versions,
      now,
      ownerMayLive,
      place: finishWith,
      owner: ownerName(process.pid),
    }),
    get,
    find: (ref, party) => versions.findFor(ref, party),
    newestOf: (id, party) => versions.newestOf(id, party),
    list: (query, party) => listVersions(database, query, party),
    catalog: (query, party) => ({ ...catalogOf(database, query, party), totalBytes: totalBytes() }),
    stats: (tenant) => statsOf(database, tenant),
    usage: (tenant) => usageOf(database, tenant),
    lineage: (ref, maxDepth, party) =>
      lineageOf(database, { versions, row: get(ref, party), party, maxDepth }),
    holds: (ref, party) => holdsOf(database, get(ref, party)),
    lineageMap: (ref, query, party) =>
      lineageMapOf(database, { versions, row: get(ref, party), party, query }),
    dependents(ref, limit, party) {
      get(ref, party);
      return dependentsOf(database, { ref, party, limit });
    },
    dataFile(ref, party) {
      const version = get(ref, party);
      if (version.state !== 'ready' && version.state !== 'superseded') {
        throw new RegistryError('invalid', `${uriOf(version)} has no data: its state is ${version.state}.`);
      }
      const row = versions.canonical(version);
      versions.touch(row);
      return { path: blobs.pathOf(row), row };
    },
    readyByProvenance(provenanceHash, party) {
      const row = versions.readyByProvenance(provenanceHash, party.tenant);
      if (row !== null) versions.touch(row);
      return row;
    },
    receive: (body, maxBytes) => blobs.receive(body, maxBytes),
    receiveJson: async (data) =>
      blobs.receive(Readable.from([Buffer.from(arrowOfJson(data))]), Number.POSITIVE_INFINITY),
    discard: (blob) => blobs.remove(blob.path),
    async put({ spec, blob }, party) {
      const inputVersions = resolveInputs(spec.inputs ?? [], party);
      const provenanceHash = transformProvenance(spec, inputVersions);
      const stored = versions.readyByProvenance(provenanceHash, party.tenant);
      if (stored !== null) {
        versions.touch(stored);
        return { row: stored, hit: true };
      }
      const facts = await readArrowFacts(blob.path);
      const pending = versions.begin(
        {
          id: null,
          provenanceHash,
          contentType: 'arrow/ipc',
          transformSpec: spec,
          inputVersions,
          details: {},
        },
        party,
      );
      const row = settle(pending, () => finishWith(pending, blob, facts));
      return { row, hit: false };
    },
    async putByProvenance(request, party) {
      const { provenanceHash, contentType, details, artifactId, blob } = request;
      const stored = versions.readyByProvenance(provenanceHash, party.tenant);
      if (stored !== null) return stored;
      const isArrow = contentType === 'arrow/ipc';
      const facts = isArrow && request.rowCount === null ? await readArrowFacts(blob.path) : null;
      const pending = versions.begin(
        { id: artifactId, provenanceHash, contentType, transformSpec: null, inputVersions: {}, details },
        party,
      );
      const rowCount = request.rowCount ?? facts?.rowCount;
      const schemaJson = request.schemaJson ?? facts?.schemaJson;
      return settle(pending, () =>
        finishWith(pending, blob, {
          ...(rowCount === undefined ? {} : { rowCount }),
          ...(schemaJson === undefined ? {} : { schemaJson }),
        }),
      );
    },
    stageImport(blob, party) {
      dropStaged(database, blobs, now());
      blobs.place(blob, blobs.stagedPath(party.tenant, blob.sha256));
      database
        .prepare('INSERT OR REPLACE INTO import_staging VALUES (?, ?, ?, ?)')
        .run(party.tenant, blob.sha256, blob.byteSize, now());
    },
    async importVersion(request, party) {
      checkId(request.id);
      const blob = request.blob ?? stagedBlob(database, blobs, request.contentSha256, party);
      if (request.contentSha256 !== null && blob.sha256 !== request.contentSha256) {
        throw new RegistryError(
          'invalid',
          `The data has SHA-256 ${blob.sha256}, but content_sha256 is ${request.contentSha256}.`,
        );
      }
      return importRow({ database, versions, blobs, now }, { ...request, blob }, party);
    },
    upload(ref, blob, party) {
      const row = get(ref, party);
      if (row.state !== 'building') {
        throw new RegistryError('conflict', `${uriOf(row)} accepts no data: its state is ${row.state}.`);
      }
      blobs.place(blob, blobs.pathOf(row));
      database
        .prepare(
          'UPDATE artifact_versions SET byte_size = ?, content_sha256 = ? WHERE id = ? AND version = ?',
        )
        .run(blob.byteSize, blob.sha256, row.id, row.version);
    },
    finalize(ref, facts, party) {
      const row = get(ref, party);
      if (row.byteSize === null || row.contentSha256 === null) {
        throw new RegistryError('invalid', `${uriOf(row)} has no data yet. Upload it first.`);
      }
      const answer = versions.finish(row, { ...facts, byteSize: row.byteSize, sha256: row.contentSha256 });
      if (answer.id !== row.id) removeFiles(row);
      return answer;
    },
    remove(ref, party) {
      const row = get(ref, party);
      const published = database
        .prepare(
          'SELECT 1 FROM artifact_publications WHERE artifact_id = ? AND version = ? AND revoked_at IS NULL',
        )
        .get(row.id, row.version);
      if (published !== undefined) {
        throw new RegistryError('conflict', `${uriOf(row)} is published. Withdraw the publication first.`);
      }
      // Versions that are read from its file keep their data: one of them takes over the file.
      const heir = versions.heirOf(row);
      if (heir !== null) blobs.duplicate(blobs.pathOf(row), blobs.pathOf(heir));
      versions.remove(row, heir);
      removeFiles(row);
    },
    verify: () => verifyStore(database, blobs),
    collect: (limits, dryRun) => collect({ database, blobs }, { limits, dryRun }),
    currentInput,
    resolveInputs,
    close: () => void database.close(),
  };

  /** Fails a version that cannot be finished, so that clients do not wait for it. */
  function settle(row: VersionRow, work: () => VersionRow): VersionRow {
    try {
      return work();
    } catch (error) {
      versions.fail(row);
      throw error;
    }
  }
}

/** Writes a version of another store with its original data, or reports that it already exists here. */
function importRow(
  {
    database,
    versions,
    blobs,
    now,
  }: { database: Database; versions: Versions; blobs: BlobFiles; now: () => number },
  request: ImportRequest & { readonly blob: ReceivedBlob },
  party: Party,
): { row: VersionRow; written: boolean; remapped: boolean } {
  const write = database.transaction(() => {
    const same = (row: VersionRow): boolean =>
      row.provenanceHash === request.provenanceHash && row.contentSha256 === request.blob.sha256;
    let ref: VersionRef = { id: request.id, version: request.version };
    let remapped = false;
    const existing = versions.find(ref);
    if (existing !== null && existing.tenant === party.tenant && same(existing)) {
      return { row: existing, written: false, remapped: false };
    }
    if (existing !== null) {
      if (!request.remap) {
        throw new RegistryError(
          'conflict',
          `${uriOf(ref)} exists with other content. Import with remap=true to store it under another id.`,
        );
      }
      ref = { id: `${request.id}@import=${randomBytes(4).toString('hex')}`, version: request.version };
      remapped = true;
    }
    const ready = versions.readyByProvenance(request.provenanceHash, party.tenant);
    const state = ready === null ? request.state : 'superseded';
    database
      .prepare(
        `INSERT INTO artifact_versions (id, version, state, provenance_hash, schema_json, row_count, byte_size, created_at,
           transform_spec, input_versions, tenant, principal, content_sha256, last_used_at, minted, superseded_by,
           content_type, details)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
      )
      .run(
        ...[ref.id, ref.version, state, request.provenanceHash, request.schemaJson, request.rowCount],
        ...[request.blob.byteSize, request.createdAt],
        request.transformSpec === null ? null : JSON.stringify(request.transformSpec),
        JSON.stringify(request.inputVersions),
        ...[party.tenant, request.principal, request.blob.sha256, now()],
        ready === null || request.state === 'superseded' ? null : uriOf(ready),
        request.contentType ?? textIn(request.transformSpec, 'content_type') ?? 'arrow/ipc',
        JSON.stringify(detailsIn(request.transformSpec)),
      );
    saveInputs(
      database.prepare('INSERT INTO artifact_inputs VALUES (?, ?, ?, ?, ?, ?)'),
      ref,
      request.inputVersions,
    );
    // Last in the transaction: if the file cannot be placed, no row names it.
    blobs.place(request.blob, blobs.pathOf(ref));
    database
      .prepare('DELETE FROM import_staging WHERE tenant = ? AND content_sha256 = ?')
      .run(party.tenant, request.blob.sha256);
    const row = versions.find(ref);
    if (row === null) throw new Error('a version that was just imported is missing');
    return { row, written: true, remapped };
  });
  return write.immediate();
}

function textIn(spec: TransformSpec | null, name: string): string | null {
  const value = spec?.params[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The details in the params of a notebook's result about how it was made. */
function detailsIn(spec: TransformSpec | null): VersionDetails {
  const duration = Number(textIn(spec, 'build_duration_ms') ?? Number.NaN);
  const variable = textIn(spec, 'variable_name');
  const environment = textIn(spec, 'build_env');
  const envHash = textIn(spec, 'env_hash');
  return {
    ...(variable === null ? {} : { variable_name: variable }),
    ...(environment === null ? {} : { build_env: environment }),
    ...(envHash === null ? {} : { env_hash: envHash }),
    ...(Number.isFinite(duration) ? { build_duration_ms: duration } : {}),
  };
}
