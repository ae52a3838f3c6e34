/** The SQL statements on the rows of a result store: inserts versions, makes one current, prunes old ones. */

import type { Database, Statement } from 'better-sqlite3';
import type { ArtifactRow, ArtifactState, NewArtifact, Promotion } from './artifact.ts';
import { StoreError } from './artifact.ts';
import type { StepHook } from './publishSteps.ts';
import { artifactUri } from './uri.ts';

/**
 * The number of superseded (and failed) versions of one id to keep besides the ready one
 * (docs/spec/provenance-and-cache.md, 2).
 */
export const SUPERSEDED_VERSIONS = 3;

/** A new artifact whose blob is in its final place. */
interface PlacedArtifact {
  readonly item: NewArtifact;
  readonly contentSha256: string;
  readonly byteSize: number;
}

/** The SQL of the store. Every writing method must be called inside a transaction. */
export interface Rows {
  current(idPrefix: string, without: string | null): ArtifactRow[];
  versions(id: string): ArtifactRow[];
  get(id: string, version: number): ArtifactRow | null;
  insert(artifact: PlacedArtifact, createdAt: number, step: StepHook): InsertedRow;
  promote(promotion: Promotion, createdAt: number): InsertedRow;
  /** Marks every row of that blob failed. */
  failBlob(contentSha256: string): void;
  isReferenced(contentSha256: string): boolean;
  referenced(): Set<string>;
}

export interface InsertedRow {
  readonly row: ArtifactRow;
  /** Blobs of the versions pruned for it; other versions may still refer to them. */
  readonly prunedBlobs: readonly string[];
}

/** A row as stored in SQLite. */
export interface StoredRow {
  readonly id: string;
  readonly version: number;
  readonly state: ArtifactState;
  readonly provenance_hash: string;
  readonly schema_json: string | null;
  readonly row_count: number | null;
  readonly byte_size: number;
  readonly created_at: number;
  readonly transform_spec: string | null;
  readonly input_versions: string | null;
  readonly content_sha256: string;
  readonly content_type: string;
  readonly content_key: string | null;
}

export const ROW_COLUMNS = `id, version, state, provenance_hash, schema_json, row_count, byte_size, created_at,
  transform_spec, input_versions, content_sha256, content_type, content_key`;

/** The file may come from an untrusted notebook: a row with an invalid digest could name any file. */
export const HAS_VALID_DIGEST = "length(content_sha256) = 64 AND content_sha256 NOT GLOB '*[^0-9a-f]*'";

export function prepareRows(database: Database, executor: string | null): Rows {
  const one = (where: string) =>
    database.prepare(
      `SELECT ${ROW_COLUMNS} FROM artifact_versions WHERE ${HAS_VALID_DIGEST} AND ${where}`,
    ) as Statement<unknown[], StoredRow>;
  const inPrefix = one(
    `id >= ? AND id < ? || char(1114111) AND state IN ('ready', 'superseded') ORDER BY id, version DESC`,
  );
  // Skips from id to id and over all ids that share the text's prefix, so that skipped rows cost nothing.
  const inPrefixWithout = database.prepare(
    `WITH RECURSIVE ids(id) AS (
       SELECT min(id) FROM artifact_versions WHERE id >= @prefix AND id < @prefix || char(1114111)
       UNION ALL
       SELECT (
         SELECT min(id) FROM artifact_versions
         WHERE id < @prefix || char(1114111) AND id > CASE instr(ids.id, @without)
           WHEN 0 THEN ids.id
           ELSE substr(ids.id, 1, instr(ids.id, @without) - 1) || @without || char(1114111)
         END
       ) FROM ids WHERE ids.id IS NOT NULL
     )
     SELECT ${ROW_COLUMNS} FROM artifact_versions
     WHERE id IN (SELECT id FROM ids WHERE instr(id, @without) = 0) AND ${HAS_VALID_DIGEST}
       AND state IN ('ready', 'superseded') ORDER BY id, version DESC`,
  ) as Statement<unknown[], StoredRow>;
  const ofId = one(`id = ? AND state IN ('ready', 'superseded') ORDER BY version DESC`);
  const byVersion = one('id = ? AND version = ?');
  const highest = database
    .prepare('SELECT max(version) FROM artifact_versions WHERE id = ?')
    .pluck() as Statement<unknown[], number | null>;
  const supersede = database.prepare(
    "UPDATE artifact_versions SET state = 'superseded', superseded_by = ? WHERE id = ? AND state = 'ready'",
  );
  const add = database.prepare(
    `INSERT INTO artifact_versions (${ROW_COLUMNS}, last_used_at) VALUES
     (@id, @version, @state, @provenance_hash, @schema_json, @row_count, @byte_size, @created_at,
      @transform_spec, @input_versions, @content_sha256, @content_type, @content_key, @created_at)`,
  );
  const prune = database
    .prepare(
      `DELETE FROM artifact_versions WHERE id = @id AND version IN (
         SELECT version FROM artifact_versions WHERE id = @id AND state IN ('superseded', 'failed')
         ORDER BY version DESC LIMIT -1 OFFSET ${SUPERSEDED_VERSIONS}) RETURNING content_sha256`,
    )
    .pluck() as Statement<unknown[], string>;
  const fail = database.prepare("UPDATE artifact_versions SET state = 'failed' WHERE content_sha256 = ?");
  const isReferenced = database
    .prepare('SELECT 1 FROM artifact_versions WHERE content_sha256 = ? LIMIT 1')
    .pluck();
  const referenced = database
    .prepare('SELECT DISTINCT content_sha256 FROM artifact_versions')
    .pluck() as Statement<unknown[], string>;

  function write(stored: Omit<StoredRow, 'version' | 'state'>, step: StepHook): InsertedRow {
    const version = (highest.get(stored.id) ?? 0) + 1;
    supersede.run(artifactUri(stored.id, version), stored.id);
    step('previous_superseded');
    const row: StoredRow = { ...stored, version, state: 'ready' };
    add.run(row);
    step('row_inserted');
    const prunedBlobs = prune.all({ id: stored.id });
    step('old_pruned');
    return { row: toRow(row), prunedBlobs };
  }

  return {
    current: (prefix, without) =>
      (without === null ? inPrefix.all(prefix, prefix) : inPrefixWithout.all({ prefix, without })).map(toRow),
    versions: (id) => ofId.all(id).map(toRow),
    get: (id, version) => orNull(byVersion.get(id, version)),
    insert: ({ item, contentSha256, byteSize }, createdAt, step) =>
      write(
        {
          id: item.id,
          provenance_hash: item.provenanceHash,
          schema_json: item.schemaJson,
          row_count: item.rowCount,
          byte_size: byteSize,
          created_at: createdAt / 1000,
          transform_spec: specOf(executor, item.params),
          input_versions: JSON.stringify(item.inputVersions),
          content_sha256: contentSha256,
          content_type: item.contentType,
          content_key: item.contentKey,
        },
        step,
      ),
    promote(promotion, createdAt) {
      const { id, fromVersion, params, inputVersions } = promotion;
      const from = byVersion.get(id, fromVersion);
      if (from === undefined || (from.state !== 'ready' && from.state !== 'superseded')) {
        const what = from === undefined ? 'is not in the store' : `is ${from.state}`;
        throw new StoreError('unknown_version', `${artifactUri(id, fromVersion)} ${what}`);
      }
      return write(
        {
          ...from,
          provenance_hash: promotion.provenanceHash,
          content_key: promotion.contentKey,
          created_at: createdAt / 1000,
          transform_spec: params === undefined ? from.transform_spec : specOf(executor, params),
          input_versions: inputVersions === undefined ? from.input_versions : JSON.stringify(inputVersions),
        },
        () => {},
      );
    },
    failBlob: (contentSha256) => void fail.run(contentSha256),
    isReferenced: (contentSha256) => isReferenced.get(contentSha256) !== undefined,
    referenced: () => new Set(referenced.all()),
  };
}

function specOf(executor: string | null, params: Readonly<Record<string, string>>): string {
  const by = params['executor'] ?? executor;
  return JSON.stringify(by === null ? { params } : { executor: by, params });
}

function orNull(stored: StoredRow | undefined): ArtifactRow | null {
  return stored === undefined ? null : toRow(stored);
}

export function toRow(stored: StoredRow): ArtifactRow {
  const params = parsedObject(stored.transform_spec)?.['params'];
  return {
    id: stored.id,
    version: stored.version,
    state: stored.state,
    provenanceHash: stored.provenance_hash,
    contentKey: stored.content_key,
    contentType: stored.content_type,
    contentSha256: stored.content_sha256,
    byteSize: stored.byte_size,
    rowCount: stored.row_count,
    schemaJson: stored.schema_json,
    createdAt: Math.round(stored.created_at * 1000),
    params: textsOf(params),
    inputVersions: textsOf(parsedObject(stored.input_versions)),
  };
}

/** A damaged JSON column counts as empty; the bytes of its row are verified by their digest. */
function parsedObject(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null; // any JSON object
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  const texts = value as Record<string, unknown>; // any JSON object
  // As written by this program, thousands of times in a listing: nothing to filter.
  if (Object.values(texts).every((text) => typeof text === 'string')) return texts as Record<string, string>;
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
}
