/** Writes a snapshot: a zip with the notebook's files, outputs and selected results. */

import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import { ITERATION_MARK } from '../../../src-shared/notebook/loop.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { placeUnder } from '../../lib/guardedFolder/place.ts';
import { openHandle, readFileAt } from '../../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { fileStemOf } from '../../notebook/file/cellFileNames.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { ownFolder, ownPlace } from '../../notebook/folder/ownPlaces.ts';
import type { ExportedCell, ExportView } from '../exportView.ts';
import { withoutConsole } from '../labels.ts';
import type { SnapshotManifest } from '../snapshot/manifest.ts';
import { jsonBytes } from './provenanceRecord.ts';
import { committedMembers, readableJson } from './zipExport.ts';
import { type ZipMember, zipPieces } from './zipPieces.ts';

type SnapshotInclude = 'all' | 'selected' | 'none';

/** The stored results to include in a snapshot; `cells` applies to `selected`. */
export interface SnapshotChoice {
  readonly include: SnapshotInclude;
  readonly cells: ReadonlySet<string>;
}

/**
 * The snapshot (`fmt=snapshot`): the files of the zip export, the cells' outputs, and the selected results
 * (docs/spec/export-and-import.md, 2).
 */
export function snapshotExport(view: ExportView, choice: SnapshotChoice): AsyncGenerator<Uint8Array> {
  return zipPieces(snapshotMembers(view, choice));
}

async function* snapshotMembers(view: ExportView, choice: SnapshotChoice): AsyncGenerator<ZipMember> {
  yield* committedMembers(view);
  const outputs: Record<string, SnapshotManifest['cells'][string]['outputs']> = {};
  for (const exported of view.cells) {
    const outputEntries: SnapshotManifest['cells'][string]['outputs'] = [];
    outputs[exported.cell.id] = outputEntries;
    yield* shownMembers(view, exported, outputEntries);
  }
  const records: SnapshotManifest['records'] = {};
  for (const row of carriedRows(view, choice)) {
    const member = await artifactMember(view, row);
    if (member === null) continue;
    yield member;
    records[refOf(row)] = recordOf(row);
  }
  const fetched = await fetchIndex(view.dir);
  if (choice.include === 'all') yield* fetchMembers(view, fetched);
  // Last, because it lists what was really included.
  yield {
    path: 'artifacts.json',
    bytes: readableJson(manifestOf(view, choice, { outputs, records, fetched }), view.redactor),
  };
}

async function* shownMembers(
  view: ExportView,
  { cell }: ExportedCell,
  outputs: SnapshotManifest['cells'][string]['outputs'],
): AsyncGenerator<ZipMember> {
  // Imported outputs are not results, and are not included.
  if (cell.imported === true) return;
  const { console_stdout: stdout, console_stderr: stderr } = cell;
  if (stdout !== '' || stderr !== '') {
    yield {
      path: `outputs/${fileStemOf(cell.id)}/console.json`,
      bytes: readableJson({ stdout, stderr }, view.redactor),
    };
  }
  for (const [index, output] of cell.display_outputs.entries()) {
    const { content_type, preview, text, rows, columns, artifact_uri, error } = output;
    const base = `outputs/${fileStemOf(cell.id)}/${index}`;
    let member: ZipMember | null = null;
    if (content_type === 'image/png' || content_type === 'text/markdown') {
      const suffix = content_type === 'image/png' ? 'png' : 'md';
      const bytes = await displayBytes(view, output.markdown_text, artifact_uri);
      if (bytes !== null) {
        const hides = suffix === 'md' && !view.redactor.isIdle;
        member = {
          path: `${base}.${suffix}`,
          bytes: hides ? Buffer.from(view.redactor.text(bytes.toString('utf8'))) : bytes,
        };
      }
    }
    member ??= {
      path: `${base}.json`,
      bytes: readableJson({ content_type, preview, text, rows, columns, artifact_uri, error }, view.redactor),
    };
    outputs.push({ file: member.path, content_type, artifact_uri });
    yield member;
  }
}

async function displayBytes(
  view: ExportView,
  text: string | null,
  uri: string | null,
): Promise<Buffer | null> {
  if (text !== null) return Buffer.from(text);
  const row = uri === null ? null : view.store.rowByUri(uri);
  if (row === null) return null;
  const blob = await view.store.readable(row);
  return blob.kind === 'ok' ? readFileAt(blob.path) : null;
}

/**
 * The results for a snapshot: with `all` every stored version of the existing cells, with `selected` the
 * newest of each; a loop includes its iterations. Results of deleted cells are not included.
 */
function* carriedRows(view: ExportView, { include, cells }: SnapshotChoice): Generator<ArtifactRow> {
  if (include === 'none') return;
  for (const { cell, stored, isLoop } of view.cells) {
    if (include === 'selected' && !cells.has(cell.id)) continue;
    const depth = include === 'all' ? Number.POSITIVE_INFINITY : 1;
    for (const versions of Object.values(stored)) yield* versions.slice(0, depth);
    if (isLoop) yield* iterationRows(view, cell.id, depth);
  }
}

function* iterationRows(view: ExportView, cellId: string, depth: number): Generator<ArtifactRow> {
  const prefix = artifactIdOf(view.notebookId, cellId, '');
  let last = '';
  let count = 0;
  for (const row of view.store.current(prefix)) {
    if (!row.id.includes(ITERATION_MARK)) continue;
    count = row.id === last ? count + 1 : 1;
    last = row.id;
    if (count <= depth) yield row;
  }
}

/** The bytes of these types are readable text, which may contain a secret. */
const TEXT = /^(text\/|json\/|application\/(json|xml)|image\/svg|module\/)/;

/**
 * The member with a stored result; null if its bytes are missing, or would reveal a secret: then the cell must run
 * again after an import.
 */
async function artifactMember(view: ExportView, row: ArtifactRow): Promise<ZipMember | null> {
  const blob = await view.store.readable(row);
  if (blob.kind !== 'ok') return null;
  if (!view.redactor.isIdle) {
    const record = JSON.stringify(withoutConsole(row));
    if (view.redactor.text(record) !== record) return null;
    if (TEXT.test(row.contentType) && (await containsSecret(view, blob.path))) return null;
  }
  try {
    return {
      path: `artifacts/${refOf(row)}`,
      handle: await openHandle(blob.path),
      compress: isCompressible(row.contentType),
    };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof PlaceRefusal) return null;
    throw error;
  }
}

async function containsSecret({ redactor }: ExportView, path: string): Promise<boolean> {
  const [before, after] = [createHash('sha256'), createHash('sha256')];
  const decoder = new StringDecoder('utf8');
  const stream = redactor.stream();
  const handle = await openHandle(path);
  const take = (text: string): void => {
    before.update(text);
    after.update(stream.push(text));
  };
  for await (const piece of handle.createReadStream()) take(decoder.write(piece as Buffer));
  take(decoder.end());
  after.update(stream.end());
  return before.digest('hex') !== after.digest('hex');
}

/** Pictures are already compressed. */
function isCompressible(contentType: string): boolean {
  return !/^image\/(png|jpeg|gif|webp)/.test(contentType);
}

/** The files of the cells' fetches, with their index entries (docs/spec/analysis-and-graph.md, 3.6). */
async function* fetchMembers(view: ExportView, index: FetchIndex): AsyncGenerator<ZipMember> {
  const urls = new Set(view.cells.flatMap(({ fetches }) => fetches.map(({ url }) => url)));
  const attachments: Record<string, unknown> = {};
  const digests = new Set<string>();
  for (const [url, entry] of Object.entries(index)) {
    if (!urls.has(url)) continue;
    const path = `fetch/${entry.sha256}/${entry.filename}`;
    if (!digests.has(path)) {
      const handle = await openHandle(placeUnder(ownFolder(view.dir), path)).catch((error: unknown) => {
        if (errnoOf(error) === 'ENOENT' || error instanceof PlaceRefusal) return null;
        throw error;
      });
      if (handle === null) continue;
      digests.add(path);
      yield { path, handle, compress: true };
    }
    attachments[url] = entry;
  }
  if (Object.keys(attachments).length > 0) yield { path: 'fetch/index.json', bytes: jsonBytes(attachments) };
}

interface IndexEntry {
  readonly sha256: string;
  readonly filename: string;
}

type FetchIndex = Readonly<Record<string, IndexEntry>>;

async function fetchIndex(dir: NotebookFolder): Promise<FetchIndex> {
  try {
    const parsed: unknown = JSON.parse(
      (await readFileAt(ownPlace(dir, 'fetch', 'index.json'))).toString('utf8'),
    );
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, entry]) => isEntry(entry)));
  } catch (error) {
    // A cache may be lost; unreadable entries are ignored.
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof PlaceRefusal)
      return {};
    throw error;
  }
}

function isEntry(value: unknown): value is IndexEntry {
  if (typeof value !== 'object' || value === null || !('sha256' in value) || !('filename' in value))
    return false;
  const { sha256, filename } = value;
  if (typeof sha256 !== 'string' || typeof filename !== 'string') return false;
  return /^[0-9a-f]{64}$/.test(sha256) && filename !== '' && !/[/\\\0]|^\.\.?$/.test(filename);
}

function refOf({ id, version }: Pick<ArtifactRow, 'id' | 'version'>): string {
  return `${id}@v=${version}`;
}

function recordOf(row: ArtifactRow): SnapshotManifest['records'][string] {
  return {
    id: row.id,
    version: row.version,
    state: row.state === 'superseded' ? 'superseded' : 'ready',
    provenance_hash: row.provenanceHash,
    schema_json: row.schemaJson,
    row_count: row.rowCount,
    byte_size: row.byteSize,
    created_at: row.createdAt / 1000,
    transform_spec: JSON.stringify({
      executor: row.params['executor'] ?? EXECUTOR,
      params: withoutConsole(row).params,
    }),
    input_versions: JSON.stringify(row.inputVersions),
    principal: null,
    content_sha256: row.contentSha256,
    content_type: row.contentType,
    content_key: row.contentKey,
  };
}

const EXECUTOR = 'notebook/cell@v1';

function manifestOf(
  view: ExportView,
  { include }: SnapshotChoice,
  members: {
    readonly outputs: Readonly<Record<string, SnapshotManifest['cells'][string]['outputs']>>;
    readonly records: SnapshotManifest['records'];
    readonly fetched: FetchIndex;
  },
): SnapshotManifest {
  return {
    format_version: 2,
    notebook_id: view.notebookId,
    include,
    cells: Object.fromEntries(
      view.cells.map(({ cell, runtime }) => [
        cell.id,
        {
          status: cell.status,
          provenance_hash: runtime.provenanceHash,
          source_hash: runtime.sourceHash,
          env_hash: runtime.envHash,
          reopen_identity: runtime.reopenIdentity,
          execution_samples: runtime.executionSamples.map(({ duration_ms, cache_hit }) => ({
            duration_ms,
            cache_hit,
          })),
          error: runtime.error,
          error_source_hash: runtime.errorSourceHash,
          outputs: members.outputs[cell.id] ?? [],
          display_outputs: runtime.displays,
          widget_values: runtime.widgetValues,
          cellar: {
            inputs: runtime.inputs,
            facts: runtime.facts,
            last_run: runtime.lastRun,
            last_execution_method: runtime.lastExecutionMethod,
            cache_hit: runtime.cacheHit,
          },
        },
      ]),
    ),
    artifacts: Object.fromEntries(
      view.cells.map(({ cell, stored }) => [
        cell.id,
        Object.entries(stored).flatMap(([variable, [row]]) =>
          row === undefined
            ? []
            : [
                {
                  variable,
                  artifact_id: row.id,
                  version: row.version,
                  provenance_hash: row.provenanceHash,
                  content_type: row.contentType,
                  content_sha256: row.contentSha256,
                  byte_size: row.byteSize,
                },
              ],
        ),
      ]),
    ),
    carried: Object.keys(members.records),
    records: members.records,
    fetches: view.cells.flatMap(({ cell, fetches }) =>
      fetches.map(({ name, url, pin, refetch }) => ({
        cell_id: cell.id,
        name,
        url,
        pinned: pin !== null,
        sha256: pin ?? (Object.hasOwn(members.fetched, url) ? (members.fetched[url]?.sha256 ?? null) : null),
        refetch,
      })),
    ),
  };
}
