/** A fake result store for tests: its rows are in memory, its blobs in a temporary folder. */

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ArtifactRow,
  type ArtifactStore,
  type BlobReadResult,
  checkItems,
  type NewArtifact,
  type Promotion,
  type RemovalResult,
  type RowRef,
  StoreError,
  type UsedRow,
} from '../artifact.ts';
import { SUPERSEDED_VERSIONS } from '../rows.ts';
import { artifactUri, parseArtifactUri } from '../uri.ts';

/** Opens an empty fake store; `close` removes its folder. */
export async function openMemoryStore(
  options: { readonly clock?: { now(): number } } = {},
): Promise<ArtifactStore> {
  const dir = await mkdtemp(join(tmpdir(), 'memory-store-'));
  return new MemoryArtifactStore(dir, () => options.clock?.now() ?? Date.now());
}

class MemoryArtifactStore implements ArtifactStore {
  readonly notice = null;
  readonly #dir: string;
  readonly #now: () => number;
  readonly #used = new Map<string, number>();
  #rows: readonly ArtifactRow[] = [];
  #closed = false;

  constructor(dir: string, now: () => number) {
    this.#dir = dir;
    this.#now = now;
  }

  current(idPrefix: string, options?: { readonly without: string }): readonly ArtifactRow[] {
    const without = options?.without;
    return this.#open()
      .filter((row) => row.id.startsWith(idPrefix) && isUsable(row))
      .filter((row) => without === undefined || !row.id.includes(without))
      .sort((a, b) => (a.id === b.id ? b.version - a.version : a.id < b.id ? -1 : 1));
  }

  versions(id: string): readonly ArtifactRow[] {
    return this.current(id).filter((row) => row.id === id);
  }

  async publish(items: readonly NewArtifact[]): Promise<readonly ArtifactRow[]> {
    this.#open();
    checkItems(items);
    const blobs: { readonly sha256: string; readonly byteSize: number }[] = [];
    for (const item of items) blobs.push(await this.#keep(item));
    for (const { blob } of items) if ('file' in blob) await rm(blob.file, { force: true });
    return items.map((item, index) => {
      const { blob: _, ...facts } = item;
      const { sha256, byteSize } = blobs[index] ?? { sha256: '', byteSize: 0 };
      return this.#add({ ...facts, contentSha256: sha256, byteSize });
    });
  }

  promote(items: readonly Promotion[]): readonly ArtifactRow[] {
    const sources = items.map((item) => {
      const from = this.#open().find((row) => row.id === item.id && row.version === item.fromVersion);
      if (from !== undefined && isUsable(from)) return { item, from };
      throw new StoreError('unknown_version', `${artifactUri(item.id, item.fromVersion)} cannot be promoted`);
    });
    return sources.map(({ item, from }) =>
      this.#add({
        ...from,
        provenanceHash: item.provenanceHash,
        contentKey: item.contentKey,
        params: item.params ?? from.params,
        inputVersions: item.inputVersions ?? from.inputVersions,
      }),
    );
  }

  async readable(row: ArtifactRow): Promise<BlobReadResult> {
    this.#open();
    this.#used.set(artifactUri(row.id, row.version), this.#now());
    const path = this.#path(row.contentSha256);
    const size = await stat(path).then(
      (info) => info.size,
      () => null,
    );
    if (size === null)
      return this.#fail(row, { kind: 'missing', message: `the bytes of ${row.id} are missing` });
    if (sha256Of(await readFile(path)) === row.contentSha256) return { kind: 'ok', path };
    await rm(path);
    return this.#fail(row, { kind: 'corrupt', message: `the bytes of ${row.id} are damaged` });
  }

  rowByUri(uri: string): ArtifactRow | null {
    const ref = parseArtifactUri(uri);
    return this.#open().find((row) => row.id === ref?.id && row.version === ref.version) ?? null;
  }

  async uses(): Promise<readonly UsedRow[]> {
    return this.#open()
      .map((row) => ({ row, lastUsedAt: this.#used.get(artifactUri(row.id, row.version)) ?? row.createdAt }))
      .sort((a, b) => (a.row.id === b.row.id ? a.row.version - b.row.version : a.row.id < b.row.id ? -1 : 1));
  }

  async remove(refs: readonly RowRef[], unusedSince: number): Promise<RemovalResult> {
    const uris = new Set(refs.map(({ id, version }) => artifactUri(id, version)));
    const removals = (await this.uses()).filter(
      ({ row, lastUsedAt }) => uris.has(artifactUri(row.id, row.version)) && lastUsedAt <= unusedSince,
    );
    const rows = new Set(removals.map(({ row }) => row));
    this.#rows = this.#rows.filter((row) => !rows.has(row));
    const digests = new Set(this.#rows.map((row) => row.contentSha256));
    const freed = new Map(
      removals
        .filter(({ row }) => !digests.has(row.contentSha256))
        .map(({ row }) => [row.contentSha256, row.byteSize]),
    );
    for (const sha256 of freed.keys()) await rm(this.#path(sha256), { force: true });
    const bytes = [...freed.values()].reduce((sum, size) => sum + size, 0);
    return { refs: removals.map(({ row: { id, version } }) => ({ id, version })), bytes };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #keep({ blob }: NewArtifact): Promise<{ sha256: string; byteSize: number }> {
    const bytes = 'bytes' in blob ? blob.bytes : await readResult(blob.file);
    const claimed = 'file' in blob ? blob.sha256 : undefined;
    const sha256 = claimed ?? sha256Of(bytes);
    await writeFile(this.#path(sha256), bytes);
    return { sha256, byteSize: bytes.byteLength };
  }

  #add(facts: Omit<ArtifactRow, 'version' | 'state' | 'createdAt'>): ArtifactRow {
    const ofId = this.#rows.filter((row) => row.id === facts.id);
    const version = Math.max(0, ...ofId.map((row) => row.version)) + 1;
    const row: ArtifactRow = { ...facts, version, state: 'ready', createdAt: this.#now() };
    const older = ofId
      .map((old): ArtifactRow => (old.state === 'ready' ? { ...old, state: 'superseded' } : old))
      .sort((a, b) => b.version - a.version)
      .slice(0, SUPERSEDED_VERSIONS);
    this.#rows = [...this.#rows.filter(({ id }) => id !== facts.id), row, ...older];
    return row;
  }

  #fail(row: ArtifactRow, answer: BlobReadResult): BlobReadResult {
    this.#rows = this.#rows.map((old) =>
      old.contentSha256 === row.contentSha256 ? { ...old, state: 'failed' } : old,
    );
    return answer;
  }

  #path(sha256: string): string {
    return join(this.#dir, sha256);
  }

  #open(): readonly ArtifactRow[] {
    if (this.#closed) throw new StoreError('closed', 'the store is closed');
    return this.#rows;
  }
}

async function readResult(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new StoreError('blob_missing', `the result file ${path} cannot be read`, { cause: error });
  }
}

function isUsable(row: ArtifactRow): boolean {
  return row.state === 'ready' || row.state === 'superseded';
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
