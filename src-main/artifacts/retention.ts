/** Decides which stored results a sweep of the result store collects: those unused for long, then for space. */

import type { ArtifactRow, UsedRow } from './artifact.ts';
import { artifactUri, parseArtifactUri } from './uri.ts';

/** The resolution of a version's last use (docs/spec/core-services.md, 6). */
export const LAST_USE_MS = 300_000;

/** Which versions may be collected, and when (docs/spec/configuration.md, 3). */
export interface RetentionLimits {
  /** Collect versions unused for longer; null: no limit. */
  readonly maxIdleMs: number | null;
  /** Collect, least recently used first, once the blobs are larger than this; null: no limit. */
  readonly maxBytes: number | null;
  /** A version used more recently than this is never collected. */
  readonly minIdleMs: number;
}

/**
 * Why a version is retained: `Held` is the caller's reason; `input`: a held one was made from it or needs it; `recent`:
 * it was used recently; `numbering`: an older version of its id is retained, and numbers are not reused; `spare`:
 * nothing needs it and no limit requires its space yet.
 */
type KeptBecause<Held extends string> = Held | 'input' | 'recent' | 'numbering' | 'spare';

export interface RetentionPlan<Held extends string> {
  readonly collect: readonly { readonly used: UsedRow; readonly why: 'idle' | 'space' }[];
  /** What is retained, by reason; a blob that several versions share counts for the first retained one. */
  readonly kept: ReadonlyMap<KeptBecause<Held>, { readonly results: number; readonly bytes: number }>;
  /** Bytes of all blobs now, and after the collection. */
  readonly bytes: number;
  readonly bytesAfter: number;
}

/** A collection for space continues down to this part of the limit (docs/spec/configuration.md, 3). */
const COLLECTION_TARGET = 0.8;

interface Retained<Held extends string> {
  readonly rows: readonly UsedRow[];
  /** Why the caller needs a version; null: it does not. */
  readonly heldBecause: (row: ArtifactRow) => Held | null;
  /** URIs of the versions that this one needs, in addition to its recorded inputs. */
  readonly needs: (row: ArtifactRow) => readonly string[];
  readonly limits: RetentionLimits;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * What a sweep collects (docs/spec/core-services.md, 6): never a held version, nor one that held versions were made
 * from; of the others those idle for too long, then the least recently used until the store fits.
 */
export function planRetention<Held extends string>(request: Retained<Held>): RetentionPlan<Held> {
  const { rows, limits, now } = request;
  const because = holdReasons(request);
  const guardMs = limits.minIdleMs + LAST_USE_MS;
  const free: UsedRow[] = [];
  for (const used of rows) {
    if (because.has(used.row)) continue;
    if (now - used.lastUsedAt < guardMs) because.set(used.row, 'recent');
    else free.push(used);
  }
  const blobs = countBlobs(rows);
  const bytes = [...blobs.values()].reduce((sum, blob) => sum + blob.bytes, 0);
  let remaining = bytes;
  const collected = new Map<UsedRow, 'idle' | 'space'>();
  const take = (used: UsedRow, why: 'idle' | 'space'): void => {
    collected.set(used, why);
    remaining -= releaseBlob(blobs, used.row);
  };
  const oldestFirst = free.toSorted((a, b) => a.lastUsedAt - b.lastUsedAt);
  if (limits.maxIdleMs !== null) {
    const idleMs = Math.max(limits.maxIdleMs, guardMs);
    for (const used of oldestFirst) if (now - used.lastUsedAt > idleMs) take(used, 'idle');
  }
  if (limits.maxBytes !== null && remaining > limits.maxBytes) {
    for (const used of oldestFirst) {
      if (remaining <= limits.maxBytes * COLLECTION_TARGET) break;
      if (!collected.has(used)) take(used, 'space');
    }
  }
  for (const used of highestAbove(rows, collected)) {
    collected.delete(used);
    because.set(used.row, 'numbering');
    remaining += retainBlob(blobs, used.row);
  }
  return {
    collect: Array.from(collected, ([used, why]) => ({ used, why })),
    kept: keptOf(rows, collected, because),
    bytes,
    bytesAfter: remaining,
  };
}

function holdReasons<Held extends string>({
  rows,
  heldBecause,
  needs,
}: Retained<Held>): Map<ArtifactRow, KeptBecause<Held>> {
  const because = new Map<ArtifactRow, KeptBecause<Held>>();
  const byUri = new Map(rows.map(({ row }) => [artifactUri(row.id, row.version), row]));
  const open: ArtifactRow[] = [];
  for (const { row } of rows) {
    const why = heldBecause(row);
    if (why === null) continue;
    because.set(row, why);
    open.push(row);
  }
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    for (const uri of [...Object.keys(row.inputVersions), ...needs(row)]) {
      const input = parseArtifactUri(uri) === null ? undefined : byUri.get(uri);
      if (input === undefined || because.has(input)) continue;
      because.set(input, 'input');
      open.push(input);
    }
  }
  return because;
}

interface BlobUse {
  readonly bytes: number;
  holders: number;
}

function countBlobs(rows: readonly UsedRow[]): Map<string, BlobUse> {
  const blobs = new Map<string, BlobUse>();
  for (const { row } of rows) {
    const blob = blobs.get(row.contentSha256) ?? { bytes: row.byteSize, holders: 0 };
    blob.holders += 1;
    blobs.set(row.contentSha256, blob);
  }
  return blobs;
}

/** The bytes that become free when this row is removed. */
function releaseBlob(blobs: Map<string, BlobUse>, row: ArtifactRow): number {
  const blob = blobs.get(row.contentSha256);
  if (blob === undefined) return 0;
  blob.holders -= 1;
  return blob.holders === 0 ? blob.bytes : 0;
}

function retainBlob(blobs: Map<string, BlobUse>, row: ArtifactRow): number {
  const blob = blobs.get(row.contentSha256);
  if (blob === undefined) return 0;
  blob.holders += 1;
  return blob.holders === 1 ? blob.bytes : 0;
}

/**
 * Collected versions that are the highest of their id while a lower one is retained: the next version would
 * get their number.
 */
function highestAbove(rows: readonly UsedRow[], collected: ReadonlyMap<UsedRow, string>): readonly UsedRow[] {
  const highest = new Map<string, UsedRow>();
  const stays = new Set<string>();
  for (const used of rows) {
    const { id, version } = used.row;
    if ((highest.get(id)?.row.version ?? 0) < version) highest.set(id, used);
    if (!collected.has(used)) stays.add(id);
  }
  return [...highest.values()].filter((used) => collected.has(used) && stays.has(used.row.id));
}

function keptOf<Held extends string>(
  rows: readonly UsedRow[],
  collected: ReadonlyMap<UsedRow, string>,
  because: ReadonlyMap<ArtifactRow, KeptBecause<Held>>,
): RetentionPlan<Held>['kept'] {
  const totals = new Map<KeptBecause<Held>, { results: number; bytes: number }>();
  const countedBlobs = new Set<string>();
  const ordered = rows.filter((used) => !collected.has(used));
  // A blob that a held and a spare version share counts for the held one.
  const spareLast = ordered.toSorted((a, b) => Number(!because.has(a.row)) - Number(!because.has(b.row)));
  for (const { row } of spareLast) {
    const why = because.get(row) ?? 'spare';
    const group = totals.get(why) ?? { results: 0, bytes: 0 };
    totals.set(why, group);
    group.results += 1;
    if (!countedBlobs.has(row.contentSha256)) group.bytes += row.byteSize;
    countedBlobs.add(row.contentSha256);
  }
  return totals;
}
