/** Fills a new result store with the versions of a snapshot that is imported as a notebook. */

import type { ArtifactState } from './artifact.ts';
import { StoreError } from './artifact.ts';
import { blobPath, openBlobFolder, placeBlob, sizeOf, syncFolder } from './blobFolder.ts';
import { openDatabase } from './database.ts';
import { recheckRows } from './recheck.ts';
import { ROW_COLUMNS, type StoredRow } from './rows.ts';

/** A version from another store, with its original number and dates. */
export interface ImportedRow {
  readonly id: string;
  readonly version: number;
  readonly state: Extract<ArtifactState, 'ready' | 'superseded'>;
  readonly provenanceHash: string;
  readonly contentKey: string | null;
  readonly contentType: string;
  readonly contentSha256: string;
  readonly byteSize: number;
  readonly rowCount: number | null;
  readonly schemaJson: string | null;
  /** Epoch seconds. */
  readonly createdAt: number;
  readonly transformSpec: string | null;
  readonly inputVersions: string | null;
  /** The bytes, with a verified digest; moved into the store. */
  readonly file: string;
}

/**
 * Fills a store that is not open yet: blobs first, then all rows or none. @throws StoreError invalid (two
 * current versions of an id, a duplicate version), blob_missing
 */
export async function importRows(dir: string, rows: readonly ImportedRow[]): Promise<void> {
  const folder = await openBlobFolder(dir);
  for (const { contentSha256: sha256, byteSize, file } of rows) {
    // Two versions may share their bytes.
    if (sizeOf(blobPath(folder, sha256)) === byteSize && sizeOf(file) === null) continue;
    await placeBlob(folder, { sha256, byteSize, source: file, hashed: true, check: null });
  }
  await syncFolder(folder.blobsDir);
  const { database } = await openDatabase(dir, { wal: true });
  try {
    const add = database.prepare(
      `INSERT INTO artifact_versions (${ROW_COLUMNS}, last_used_at) VALUES
       (@id, @version, @state, @provenance_hash, @schema_json, @row_count, @byte_size, @created_at,
        @transform_spec, @input_versions, @content_sha256, @content_type, @content_key, @created_at)`,
    );
    database
      .transaction(() => {
        for (const row of rows) add.run(storedRow(row));
        // A bundle of an older version has doubtful results, too.
        recheckRows(database);
      })
      .immediate();
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')) {
      throw new StoreError(
        'invalid',
        'two of the results are the same version, or both are the current one',
        {
          cause: error,
        },
      );
    }
    throw error;
  } finally {
    database.close();
  }
}

function storedRow(row: ImportedRow): StoredRow {
  return {
    id: row.id,
    version: row.version,
    state: row.state,
    provenance_hash: row.provenanceHash,
    schema_json: row.schemaJson,
    row_count: row.rowCount,
    byte_size: row.byteSize,
    created_at: row.createdAt,
    transform_spec: row.transformSpec,
    input_versions: row.inputVersions,
    content_sha256: row.contentSha256,
    content_type: row.contentType,
    content_key: row.contentKey,
  };
}
