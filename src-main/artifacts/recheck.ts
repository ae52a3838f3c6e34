/**
 * Marks results of older releases that may be wrong, so that their cells run again. Older releases let a result answer
 * for other inputs of the same bytes and stored it again under the new provenance, whatever else its run had read or
 * written. Such a version may be wrong, and so may everything made from it: here they lose their keys, so that each
 * answers only after one new run. Their bytes stay, and can be viewed.
 */

import type { Database } from 'better-sqlite3';
import { artifactUri } from './uri.ts';

/** Put before a provenance hash, so that no lookup matches it. */
const RECHECK = 'recheck:';

/** Whether a version lost its key: it can be viewed, and answers no run. */
export function needsRecheck({ provenanceHash }: { readonly provenanceHash: string }): boolean {
  return provenanceHash.startsWith(RECHECK);
}

interface StoredVersion {
  readonly id: string;
  readonly version: number;
  readonly provenance_hash: string;
  readonly content_sha256: string;
  readonly transform_spec: string | null;
  readonly input_versions: string | null;
}

/**
 * Removes the keys of the doubtful versions of a database; versions with an observation are not doubtful.
 * Call it inside a transaction. Returns how many there were.
 */
export function recheckRows(database: Database): number {
  const rows = database
    .prepare(
      `SELECT id, version, provenance_hash, content_sha256, transform_spec, input_versions
       FROM artifact_versions ORDER BY id, version`,
    )
    .all() as StoredVersion[]; // the columns are named above
  const older = rows.filter(({ transform_spec }) => paramOf(transform_spec, 'basis') === null);
  const clear = database.prepare(
    'UPDATE artifact_versions SET content_key = NULL WHERE id = ? AND version = ? AND content_key IS NOT NULL',
  );
  for (const { id, version } of older) clear.run(id, version);
  const mark = database.prepare(
    `UPDATE artifact_versions SET provenance_hash = '${RECHECK}' || provenance_hash
     WHERE id = ? AND version = ? AND provenance_hash NOT LIKE '${RECHECK}%'`,
  );
  const doubtful = doubtfulRows(older);
  for (const { id, version } of doubtful) mark.run(id, version);
  return doubtful.length;
}

/** The versions whose bytes were stored under another provenance before, and everything made from those. */
function doubtfulRows(rows: readonly StoredVersion[]): readonly StoredVersion[] {
  const first = new Map<string, string>();
  const doubtful = new Map<string, StoredVersion>();
  for (const row of rows) {
    const run = paramOf(row.transform_spec, 'run');
    // The request of a prompt is recorded, so it can be compared.
    if (run === null || paramOf(row.transform_spec, 'asked_under') !== null) continue;
    const bytes = `${row.id}\0${row.content_sha256}\0${run}`;
    const before = first.get(bytes);
    if (before === undefined) first.set(bytes, row.provenance_hash);
    else if (before !== row.provenance_hash) doubtful.set(artifactUri(row.id, row.version), row);
  }
  const readers = new Map<string, StoredVersion[]>();
  for (const row of rows) {
    for (const uri of inputsOf(row.input_versions)) readers.set(uri, [...(readers.get(uri) ?? []), row]);
  }
  const waiting = [...doubtful.keys()];
  for (let uri = waiting.pop(); uri !== undefined; uri = waiting.pop()) {
    for (const reader of readers.get(uri) ?? []) {
      const its = artifactUri(reader.id, reader.version);
      if (doubtful.has(its)) continue;
      doubtful.set(its, reader);
      waiting.push(its);
    }
  }
  return [...doubtful.values()];
}

function paramOf(spec: string | null, name: string): string | null {
  const params = objectOf(spec)['params'];
  if (typeof params !== 'object' || params === null || !Object.hasOwn(params, name)) return null;
  const value: unknown = Reflect.get(params, name);
  return typeof value === 'string' ? value : null;
}

function inputsOf(text: string | null): readonly string[] {
  return Object.keys(objectOf(text));
}

/** A damaged column counts as empty. */
function objectOf(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // any JSON object
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
