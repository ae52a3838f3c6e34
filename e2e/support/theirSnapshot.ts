/** Rewrites a snapshot of Cellar as another program that follows docs/spec would write it, for tests of the import. */

import { createHash } from 'node:crypto';
import type { SnapshotManifest } from '../../src-main/convert/snapshot/manifest.ts';

/** The fields of a snapshot's `artifacts.json` that tests change. */
type Manifest = {
  cells: Record<string, Record<string, unknown> & { display_outputs: Record<string, unknown>[] }>;
  artifacts: Record<string, SnapshotManifest['artifacts'][string]>;
  records: Record<string, SnapshotManifest['records'][string]>;
};

/** Params of a result that the documents name (docs/spec/provenance-and-cache.md, 2); all others are extensions. */
const PARAMS: ReadonlySet<string> = new Set([
  ...[
    'cell_id',
    'variable_name',
    'content_type',
    'iteration',
    'variant',
    'source_hash',
    'source',
    'env_hash',
  ],
  ...['build_env', 'build_duration_ms', 'fetched_at', 'loop_run', 'display', 'display_count'],
]);

/** What a recorded display leaves out (docs/spec/values.md, 2). */
const UNRECORDED = ['inline_data_url', 'markdown_text', 'file'];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Hashes that the other program would use, of the run of a cell and of its source. */
const runOf = (cellId: string): string => sha256(`their run of ${cellId}`);
const sourceOf = (cellId: string): string => sha256(`their source of ${cellId}`);

function keyOf(cellId: string, label: string): string {
  const [name = '', variant] = label.split('@variant=');
  return sha256([runOf(cellId), name, ...(variant === undefined ? [] : [`variant=${variant}`])].join(':'));
}

/**
 * Converts a snapshot of Cellar into the form of another program that follows the documents: with other hashes, which
 * are consistent, and without the fields and params that are extensions.
 */
export function asTheirs(members: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const theirs = new Map(members);
  const json = (name: string): unknown => JSON.parse(String(members.get(name)));
  const manifest = json('artifacts.json') as Manifest; // exported by Cellar
  for (const [id, { cellar: _, ...cell }] of Object.entries(manifest.cells)) {
    const ran = cell['provenance_hash'] !== null;
    manifest.cells[id] = {
      ...cell,
      ...(ran
        ? { provenance_hash: runOf(id), source_hash: sourceOf(id), env_hash: sha256('their env') }
        : {}),
      ...(cell['error_source_hash'] === null ? {} : { error_source_hash: sourceOf(id) }),
      reopen_identity: cell['reopen_identity'] === null ? null : sha256('theirs'),
      display_outputs: cell.display_outputs.map(recorded),
    };
  }
  const labels = new Map<string, readonly [cellId: string, label: string]>();
  for (const [cellId, rows] of Object.entries(manifest.artifacts)) {
    for (const row of rows) {
      labels.set(row.artifact_id, [cellId, row.variable]);
      row.provenance_hash = keyOf(cellId, row.variable);
    }
  }
  for (const record of Object.values(manifest.records)) {
    const [cellId, label] = labels.get(record.id) ?? ['', record.id];
    const isNewest = manifest.artifacts[cellId]?.some(
      ({ artifact_id, version }) => artifact_id === record.id && version === record.version,
    );
    record.provenance_hash =
      isNewest === true ? keyOf(cellId, label) : sha256(`${record.id} ${record.version}`);
    record.transform_spec = JSON.stringify(theirSpec(record.transform_spec));
    delete record.content_key;
    delete record.content_type;
  }
  theirs.set('artifacts.json', Buffer.from(JSON.stringify(manifest)));
  const provenance = json('provenance.json') as { cells: Record<string, { source_hash: string }> }; // exported by Cellar
  for (const [id, cell] of Object.entries(provenance.cells)) cell.source_hash = sourceOf(id);
  theirs.set('provenance.json', Buffer.from(JSON.stringify(provenance)));
  return theirs;
}

function recorded(display: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(display).filter(([key, value]) => !UNRECORDED.includes(key) && value !== null),
  );
}

function theirSpec(text: string | null): object {
  const { params } = JSON.parse(text ?? '{}') as { params: Record<string, string> }; // Cellar writes params
  const entries = Object.entries(params).filter(([key]) => PARAMS.has(key) && key !== 'display');
  return { executor: 'notebook/cell@v1', params: Object.fromEntries(entries) };
}
