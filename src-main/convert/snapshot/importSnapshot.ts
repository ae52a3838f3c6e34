/** Creates a new notebook folder from a snapshot: its files, its stored results and the record of its runs. */

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { SnapshotReport } from '../../../src-shared/wire/routes/transfer.ts';
import { StoreError } from '../../artifacts/artifact.ts';
import { type ImportedRow, importRows } from '../../artifacts/importRows.ts';
import { errnoOf, syncDirectory } from '../../lib/atomicFile.ts';
import { removeTree } from '../../lib/guardedFolder/names.ts';
import { pathOf, placeIn, placeUnder } from '../../lib/guardedFolder/place.ts';
import { replaceFile } from '../../lib/guardedFolder/replace.ts';
import { ownedName } from '../../lib/ownedName.ts';
import { tryParseJson } from '../../lib/tryParseJson.ts';
import { folderNameOf, NEW_PREFIX } from '../../notebook/createNotebook.ts';
import { fileStemOf } from '../../notebook/file/cellFileNames.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownFolder, ownPath } from '../../notebook/folder/ownPlaces.ts';
import { parseNotebookText } from '../../notebook/notebookText.ts';
import { type SnapshotRun, snapshotTextDigest, writeSnapshotRuns } from '../../notebook/snapshotRuns.ts';
import { writeImportRecord } from '../../notebook/stored/importRecord.ts';
import { consoleFileOf, EMPTY_RUNTIME, saveRuntime, UNRECORDED } from '../../notebook/stored/runtimeState.ts';
import type { SnapshotManifest, SnapshotRecord } from './manifest.ts';
import { openBundle, refusal } from './openBundle.ts';
import { readSnapshot, type Snapshot } from './readSnapshot.ts';

interface SnapshotImport {
  readonly zip: string;
  readonly parentDir: string;
  readonly name: string;
  /** The folder to create; otherwise made from the name. */
  readonly folder?: string | undefined;
  /** Whether an existing notebook has this id. */
  readonly isTaken: (notebookId: string) => boolean;
  /**
   * Whether packages may be built, and downloaded from other indexes than the configured one, without asking.
   */
  readonly allowsBuilds?: boolean;
}

/**
 * Creates a notebook folder from a snapshot. It is filled beside its final place, and renamed when complete, so that a
 * failed import leaves nothing (docs/spec/export-and-import.md, 2).
 * @throws AppError bad_request for any other file, conflict if the place is in use
 */
export async function importSnapshot(
  options: SnapshotImport,
): Promise<{ readonly dir: NotebookFolder; readonly report: SnapshotReport }> {
  const own = folderNameOf(options.name);
  const folder =
    own === null || folderNameOf(options.folder ?? own) === null ? null : (options.folder ?? own);
  if (folder === null)
    throw new AppError('bad_request', `${JSON.stringify(options.name)} cannot name a folder.`);
  const dir = notebookFolder(join(options.parentDir, folder));
  const bundle = await openBundle(options.zip);
  try {
    const snapshot = await readSnapshot(bundle);
    await refuseOccupied(dir);
    const staged = notebookFolder(join(options.parentDir, await ownedName(NEW_PREFIX)));
    await mkdir(options.parentDir, { recursive: true });
    await mkdir(staged);
    try {
      const report = await fill(staged, snapshot, options);
      await syncDirectory(staged);
      await rename(staged, dir);
      await syncDirectory(options.parentDir);
      return { dir, report };
    } catch (error) {
      await rm(staged, { recursive: true, force: true });
      if (error instanceof StoreError && error.code === 'invalid') throw refusal(`${error.message}.`);
      const code = errnoOf(error);
      if (code === 'ENOTEMPTY' || code === 'EEXIST') throw occupied(dir);
      throw error;
    }
  } finally {
    bundle.close();
  }
}

async function refuseOccupied(dir: NotebookFolder): Promise<void> {
  const entries = await readdir(dir).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    if (errnoOf(error) === 'ENOTDIR') return ['a file'];
    throw error;
  });
  if (entries.length > 0) throw occupied(dir);
}

function occupied(dir: NotebookFolder): AppError {
  return new AppError('conflict', `${dir} already exists and is not empty. Use another name.`);
}

async function fill(
  staged: NotebookFolder,
  snapshot: Snapshot,
  options: SnapshotImport,
): Promise<SnapshotReport> {
  const { bundle, manifest, file, committed, fetched } = snapshot;
  const isTaken = options.isTaken(file.notebookId);
  const newId = isTaken ? randomUUID().replaceAll('-', '') : file.notebookId;
  const rename = renamer(file.notebookId, newId);
  for (const name of committed) if (name !== 'notebook.toml') await bundle.extract(name, join(staged, name));
  await replaceFile(
    placeIn(staged, 'notebook.toml'),
    tomlWith(snapshot, { id: newId, name: options.name.trim() }),
  );
  const parts = ownPath(staged, 'tmp');
  const rows: ImportedRow[] = [];
  for (const [ref, record] of Object.entries(manifest.records)) {
    const place = join(parts, String(rows.length));
    const sha256 = await bundle.extract(`artifacts/${ref}`, place);
    if (sha256 !== record.content_sha256) throw refusal(`The data of ${ref} differs from what was exported.`);
    rows.push(importedRow(record, { file: place, rename, contentType: typeOf(manifest, record) }));
  }
  for (const name of fetched) {
    const sha256 = await bundle.extract(name, pathOf(placeUnder(ownFolder(staged), name)));
    if (sha256 !== name.split('/')[1]) throw refusal(`The data of ${name} does not match its name.`);
  }
  if (fetched.length > 0 && bundle.sizes.has('fetch/index.json')) {
    await bundle.extract('fetch/index.json', ownPath(staged, 'fetch', 'index.json'));
  }
  await importRows(ownPath(staged, 'artifacts'), rows);
  await removeTree(parts);
  await fillRuntime(staged, snapshot, rename);
  await writeImportRecord(staged, { kind: 'snapshot', builds: options.allowsBuilds ?? false, waiting: [] });
  return {
    imported_artifacts: rows.length,
    replaced_notebook_id: isTaken ? file.notebookId : null,
    by_reference_cells: byReference(snapshot),
  };
}

type Rename = (text: string) => string;

/**
 * Replaces the ids of the notebook at word starts: `nb_<id>_`, `nb_remote_<id>_`. They cannot occur in
 * hashes.
 */
function renamer(from: string, to: string): Rename {
  if (from === to) return (text) => text;
  return (text) =>
    text.replaceAll(`nb_${from}_`, `nb_${to}_`).replaceAll(`nb_remote_${from}_`, `nb_remote_${to}_`);
}

function typeOf(
  { artifacts }: SnapshotManifest,
  { id, content_type, transform_spec }: SnapshotRecord,
): string {
  if (content_type !== undefined) return content_type;
  const params =
    transform_spec === null
      ? null
      : (JSON.parse(transform_spec) as { params?: { content_type?: unknown } }).params;
  if (typeof params?.content_type === 'string') return params.content_type;
  const artifact = Object.values(artifacts)
    .flat()
    .find(({ artifact_id }) => artifact_id === id);
  return artifact?.content_type ?? 'application/octet-stream';
}

/** Params of a result that contain URIs of other results; its source and its names do not change. */
const ADDRESSED = ['display', 'injected'];

function importedRow(
  record: SnapshotRecord,
  {
    file,
    rename,
    contentType,
  }: { readonly file: string; readonly rename: Rename; readonly contentType: string },
): ImportedRow {
  return {
    id: rename(record.id),
    version: record.version,
    state: record.state,
    provenanceHash: record.provenance_hash,
    contentKey: record.content_key ?? null,
    contentType,
    contentSha256: record.content_sha256,
    byteSize: record.byte_size,
    rowCount: record.row_count,
    schemaJson: record.schema_json,
    createdAt: record.created_at,
    transformSpec: record.transform_spec === null ? null : renamedSpec(record.transform_spec, rename),
    inputVersions: record.input_versions === null ? null : rename(record.input_versions),
    file,
  };
}

function renamedSpec(text: string, rename: Rename): string {
  const spec = JSON.parse(text) as { params?: Record<string, unknown> }; // the manifest's schema asked for an object
  const { params } = spec;
  if (typeof params !== 'object' || params === null) return text;
  const renamed = Object.entries(params).map(([key, value]) => [
    key,
    ADDRESSED.includes(key) && typeof value === 'string' ? rename(value) : value,
  ]);
  return JSON.stringify({ ...spec, params: Object.fromEntries(renamed) });
}

/** The original notebook.toml, except for an id or a name that had to change. */
function tomlWith(
  { tomlText, file }: Snapshot,
  target: { readonly id: string; readonly name: string },
): string {
  if (file.notebookId === target.id && file.name === target.name) return tomlText;
  const end = /^[ \t]*\[/m.exec(tomlText)?.index ?? tomlText.length;
  let head = withKey(tomlText.slice(0, end), 'notebook_id', target.id);
  if (file.name !== target.name) head = withKey(head, 'name', target.name);
  const text = head + tomlText.slice(end);
  const { file: entry } = parseNotebookText(text);
  if (entry.notebookId === target.id && entry.name === target.name) return text;
  throw refusal('The ID or name in its notebook.toml is written in a form that cannot be changed.');
}

function withKey(head: string, key: string, value: string): string {
  const line = `${key} = ${JSON.stringify(value)}`;
  const keyLine = new RegExp(`^[ \\t]*"?${key}"?[ \\t]*=[^\\n]*$`, 'm');
  return keyLine.test(head) ? head.replace(keyLine, () => line) : `${line}\n${head}`;
}

/** The record of the notebook's runs: `.svc/runtime.json` and each cell's console. */
async function fillRuntime(staged: NotebookFolder, snapshot: Snapshot, rename: Rename): Promise<void> {
  const { bundle, manifest, file } = snapshot;
  const cells = Object.entries(manifest.cells).map(([id, cell]) => [
    id,
    {
      provenanceHash: cell.provenance_hash,
      sourceHash: cell.source_hash,
      envHash: cell.env_hash,
      inputs: cell.cellar?.inputs ?? [],
      reopenIdentity: cell.reopen_identity,
      error: cell.error,
      errorSourceHash: cell.error_source_hash,
      displays: JSON.parse(rename(JSON.stringify(cell.display_outputs))) as unknown[],
      executionSamples: cell.execution_samples,
      lastExecutionMethod: cell.cellar?.last_execution_method ?? null,
      cacheHit: cell.cellar?.cache_hit ?? false,
      logRun: null,
      shownRuns: UNRECORDED,
      consoleDigest: null,
      errorProvenance: null,
      facts: cell.cellar?.facts ?? null,
      lastRun: cell.cellar?.last_run ?? null,
      testResult: null,
      widgetValues: cell.widget_values,
    },
  ]);
  await keepForeignRuns(staged, snapshot);
  await saveRuntime(staged, { ...EMPTY_RUNTIME, cells: Object.fromEntries(cells) });
  for (const { id } of file.cells) {
    const name = `outputs/${fileStemOf(id)}/console.json`;
    if (bundle.sizes.has(name)) await bundle.extract(name, ownPath(staged, 'console', consoleFileOf(id)));
  }
}

const foreignSources = z.object({
  cells: z.record(z.string(), z.object({ source_hash: z.string().nullable() })),
});

/**
 * Stores what a snapshot of another program records about its runs for the first opening, because its keys are
 * incompatible.
 */
async function keepForeignRuns(staged: NotebookFolder, { bundle, manifest, file }: Snapshot): Promise<void> {
  const isOurs = Object.values(manifest.cells).some(({ cellar }) => cellar !== undefined);
  if (isOurs || Object.keys(manifest.cells).length === 0) return;
  const record = bundle.sizes.has('provenance.json')
    ? tryParseJson((await bundle.read('provenance.json')).toString('utf8'))
    : null;
  const sources = foreignSources.safeParse(record).data?.cells ?? {};
  const runs: Record<string, SnapshotRun> = {};
  for (const { id, file: source } of file.cells) {
    const cell = Object.hasOwn(manifest.cells, id) ? manifest.cells[id] : undefined;
    if (cell === undefined) continue;
    const of = cell.status === 'error' ? cell.error_source_hash : cell.source_hash;
    const now = Object.hasOwn(sources, id) ? sources[id]?.source_hash : null;
    runs[id] = {
      text: snapshotTextDigest((await bundle.read(source)).toString('utf8')),
      status: cell.status,
      provenanceHash: cell.provenance_hash,
      isOfText: of !== null && of === now,
    };
  }
  await writeSnapshotRuns(staged, runs);
}

function byReference({ manifest, file }: Snapshot): string[] {
  const uris = new Set(Object.keys(manifest.records));
  return file.cells
    .map(({ id }) => id)
    .filter((id) => {
      const current = Object.hasOwn(manifest.artifacts, id) ? (manifest.artifacts[id] ?? []) : [];
      return current.some(({ artifact_id, version }) => !uris.has(`${artifact_id}@v=${version}`));
    });
}
