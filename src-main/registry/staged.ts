/** Finds bytes that a client uploaded before it imports a version into the artifact store, and deletes unused ones. */

import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { BlobFiles, ReceivedBlob } from './blobFiles.ts';
import { RegistryError } from './registryError.ts';
import type { Party } from './versionRow.ts';

const STAGED_SECONDS = 86_400;

/** Bytes that were staged for an import. @throws RegistryError invalid, not_found */
export function stagedBlob(
  database: Database,
  blobs: BlobFiles,
  sha256: string | null,
  party: Party,
): ReceivedBlob {
  if (sha256 === null) {
    throw new RegistryError('invalid', 'content_sha256 is required when the data was staged before.');
  }
  const byteSize = database
    .prepare('SELECT byte_size FROM import_staging WHERE tenant = ? AND content_sha256 = ?')
    .pluck()
    .get(party.tenant, sha256);
  const path = blobs.stagedPath(party.tenant, sha256);
  // A crash while it was imported leaves the record without the file.
  if (byteSize === undefined || !existsSync(path)) {
    throw new RegistryError('not_found', `No data with SHA-256 ${sha256} is staged. Upload it first.`);
  }
  return { path, byteSize: Number(byteSize), sha256 };
}

/** Removes staged bytes that no import has used for a day. */
export function dropStaged(database: Database, blobs: BlobFiles, now: number): void {
  const old = database
    .prepare<[number], { tenant: string; content_sha256: string }>(
      'DELETE FROM import_staging WHERE staged_at < ? RETURNING tenant, content_sha256',
    )
    .all(now - STAGED_SECONDS);
  for (const { tenant, content_sha256 } of old) blobs.remove(blobs.stagedPath(tenant, content_sha256));
}
