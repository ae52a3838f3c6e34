/** Compares every file of an artifact store with the row of its version, for the command that verifies a store. */

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Database } from 'better-sqlite3';
import { hashFile } from '../lib/hashFile.ts';
import type { BlobFiles } from './blobFiles.ts';
import { type StoredVersion, uriOf, type VersionRef, versionRowOf } from './versionRow.ts';

/** A problem of one version, or of one file of the store. */
interface StoreProblem {
  /**
   * missing: a version has no file. torn: its file has another size than recorded. damaged: it has other bytes.
   * orphaned: no version has the file.
   */
  readonly kind: 'missing' | 'torn' | 'damaged' | 'orphaned';
  /** The URI of the version, or the name of the file. */
  readonly of: string;
  readonly message: string;
}

export interface Verification {
  readonly versions: number;
  readonly bytes: number;
  readonly problems: readonly StoreProblem[];
}

/** Compares every file of the store with its row. Changes nothing. */
export async function verifyStore(database: Database, blobs: BlobFiles): Promise<Verification> {
  // Listed first, so that a file that is written during the check is not taken for an orphan.
  const names = new Set(blobs.names());
  const rows = database
    .prepare<[], StoredVersion>('SELECT * FROM artifact_versions ORDER BY id, version')
    .all()
    .map(versionRowOf);
  const problems: StoreProblem[] = [];
  let versions = 0;
  let bytes = 0;
  for (const row of rows) {
    const path = blobs.pathOf(row);
    names.delete(basename(path));
    // If another version answers, its bytes are the ones that are read.
    if ((row.state !== 'ready' && row.state !== 'superseded') || row.supersededBy !== null) continue;
    versions += 1;
    const problem = await problemOf(row, path);
    if (problem !== null) problems.push(problem);
    else bytes += row.byteSize ?? 0;
  }
  const staged = database
    .prepare<[], { tenant: string; content_sha256: string }>(
      'SELECT tenant, content_sha256 FROM import_staging',
    )
    .all();
  for (const { tenant, content_sha256 } of staged)
    names.delete(basename(blobs.stagedPath(tenant, content_sha256)));
  const unmatched = new Set(blobs.names());
  for (const name of [...names].sort()) {
    // It was deleted during the check.
    if (!unmatched.has(name)) continue;
    problems.push({
      kind: 'orphaned',
      of: name,
      message: `The file ${name} belongs to no version. It can be deleted.`,
    });
  }
  return { versions, bytes, problems };
}

async function problemOf(
  row: VersionRef & { readonly byteSize: number | null; readonly contentSha256: string | null },
  path: string,
): Promise<StoreProblem | null> {
  const uri = uriOf(row);
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined || !info.isFile()) {
    return {
      kind: 'missing',
      of: uri,
      message: `${uri} has no file. Import it again, or delete the version.`,
    };
  }
  if (row.byteSize !== null && info.size !== row.byteSize) {
    const text = `${uri} has ${info.size} bytes, but ${row.byteSize} were stored. Import it again, or delete the version.`;
    return { kind: 'torn', of: uri, message: text };
  }
  if (row.contentSha256 !== null && (await hashFile(path)) !== row.contentSha256) {
    return {
      kind: 'damaged',
      of: uri,
      message: `${uri} has other bytes than were stored. Import it again, or delete the version.`,
    };
  }
  return null;
}
