/** Finds the stored result that answers a run: looks up versions by provenance, then by content key. */

import { readVariantLabel, variantLabel } from '../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { needsRecheck } from '../artifacts/recheck.ts';
import { UNLOCKED_PARAM } from './observed/packages.ts';
import { subkey } from './provenance.ts';
import { companionLabelsOf } from './shared/pinned.ts';
import { type StoredVersions, versionsOf } from './storedVersions.ts';

/**
 * The param of a result with a key of its own (a prompt's reply) that records the key of the session's
 * request, so that the session finds the result without computing the other key.
 */
export const SESSION_KEY_PARAM = 'asked_under';

export const CONSOLE_LABEL = '__console__';
/** The label under which the display with this index, from 0, is stored. */
export function displayLabel(index: number): string {
  return `__display__${index}`;
}

/** Caches the keys of labels, because every step looks up the same runs and labels. */
const labelKeys = new Map<string, string>();
const MAX_KEYS = 5_000;

/**
 * The key a result is stored under: with `variant=<n>` if a cell runs once per variant
 * (docs/spec/analysis-and-graph.md, 3.4).
 */
export function keyOfLabel(provenanceHash: string, label: string): string {
  const both = `${provenanceHash}:${label}`;
  const cached = labelKeys.get(both);
  if (cached !== undefined) return cached;
  const { name, variant } = readVariantLabel(label);
  const key =
    variant === null ? subkey(provenanceHash, name) : subkey(provenanceHash, name, `variant=${variant}`);
  if (labelKeys.size >= MAX_KEYS) labelKeys.clear();
  labelKeys.set(both, key);
  return key;
}

/** A stored result that answers a run without executing it. */
export interface StoredResult {
  /** The rows by their label within the run, without the variant. */
  readonly rows: Readonly<Record<string, ArtifactRow>>;
  /** The number of displays of the run, whether or not each is still stored. */
  readonly displayCount: number;
  /** False: some row is an older version or has another provenance, so a new version must point at it. */
  readonly current: boolean;
}

/** The id of the run that made a result; all rows of the result have the same. */
export function runOf({ rows }: Pick<StoredResult, 'rows'>): string | undefined {
  return Object.values(rows)[0]?.params['run'];
}

/** The ids of the runs of several results that are shown together, as one text. */
export function runsOf(results: readonly StoredResult[]): string {
  return results.map((result) => runOf(result) ?? '').join(' ');
}

interface CacheKey {
  readonly provenanceHash: string;
  readonly contentKey: string | null;
  readonly unlockedKey?: string | null | undefined;
}

/**
 * The key by which a stored version matched: its provenance, the bytes of its inputs, or all but the
 * packages.
 */
export type FoundBy = 'provenance' | 'content' | 'packages';

interface Lookup extends CacheKey {
  readonly stored: StoredVersions;
  /** Whether a version with the key may answer: the key does not cover the files it was made from. */
  readonly accepts: (row: ArtifactRow, by: FoundBy) => boolean;
  /** Consumed variables; a cell without any is answered with its console and displays. */
  readonly consumed: readonly string[];
  /** Always stored, and needed for a hit: a loop's carry (docs/spec/analysis-and-graph.md, 3.5). */
  readonly carry?: string | undefined;
  /** The one run of a fan-out to look up. */
  readonly variant?: string | null;
}

type Match = (label: string, row: ArtifactRow) => boolean;

function displayCountOf(row: ArtifactRow): number {
  const count = Number(row.params['display_count'] ?? 0);
  return Number.isSafeInteger(count) && count >= 0 ? count : 0;
}

/**
 * The newest complete result among the versions that match: every row of one run, because two runs under one
 * key (a rerun of a cell that draws random numbers) may not be consistent (docs/spec/provenance-and-cache.md, 2).
 */
function collect(lookup: Lookup, depth: number, match: Match): Omit<StoredResult, 'current'> | null {
  const matching = (label: string): readonly ArtifactRow[] =>
    versionsOf(lookup.stored, variantLabel(label, lookup.variant ?? null))
      .slice(0, depth)
      // A version that needs a recheck answers nothing, by any key.
      .filter((row) => !needsRecheck(row) && match(label, row));
  const isLeafLike = lookup.consumed.length === 0;
  const always = lookup.carry === undefined ? [] : [lookup.carry];
  // A leaf that had readers when it ran has no console; then its displays answer (docs/spec/provenance-and-cache.md,
  // 3), as long as they are the newest: only then does the cell's last console belong to them.
  const displaysAlone = isLeafLike && depth === 1 ? [[displayLabel(0), ...always]] : [];
  const groups = isLeafLike
    ? [[CONSOLE_LABEL, ...always], ...displaysAlone]
    : [[...new Set([...lookup.consumed, ...always])]];
  for (const labels of groups) {
    for (const anchor of matching(labels[0] ?? '')) {
      const result = resultOf(anchor, { labels, matching, needsDisplays: isLeafLike });
      if (result !== null) return result;
    }
  }
  return null;
}

function resultOf(
  anchor: ArtifactRow,
  options: {
    readonly labels: readonly string[];
    readonly matching: (label: string) => readonly ArtifactRow[];
    readonly needsDisplays: boolean;
  },
): Omit<StoredResult, 'current'> | null {
  const { labels, matching, needsDisplays } = options;
  const ofSameRun = (label: string): ArtifactRow | undefined =>
    matching(label).find((row) => row.params['run'] === anchor.params['run']);
  const rows: Record<string, ArtifactRow> = {};
  for (const label of labels) {
    const row = ofSameRun(label);
    if (row === undefined) return null;
    rows[label] = row;
  }
  // Code without the values it needs is not a complete result.
  const open = Object.values(rows).flatMap(companionLabelsOf);
  for (let label = open.pop(); label !== undefined; label = open.pop()) {
    if (Object.hasOwn(rows, label)) continue;
    const beside = ofSameRun(label);
    if (beside === undefined) return null;
    rows[label] = beside;
    open.push(...companionLabelsOf(beside));
  }
  const displayCount = displayCountOf(anchor);
  for (let i = 0; i < displayCount; i++) {
    const label = displayLabel(i);
    const row = ofSameRun(label);
    if (row !== undefined) rows[label] = row;
    else if (needsDisplays) return null;
  }
  return { rows, displayCount };
}

/**
 * The stored result that answers this run (docs/spec/provenance-and-cache.md, 3 rules 2 and 3), or null. Tried in
 * order: the current versions under this provenance; the current versions over the same input bytes (early cut-off);
 * those of a run that differs only in packages it did not reach; older versions in the same order (a reverted edit).
 * @param lookup.depth `current` looks only at the newest versions, the only ones a status may depend on
 */
export function findStored(lookup: Lookup & { readonly depth: 'current' | 'all' }): StoredResult | null {
  const exact: Match = (label, row) =>
    (row.provenanceHash === keyOfLabel(lookup.provenanceHash, variantLabel(label, lookup.variant ?? null)) ||
      row.params[SESSION_KEY_PARAM] === lookup.provenanceHash) &&
    lookup.accepts(row, 'provenance');
  const contentKey = lookup.contentKey;
  const sameBytes: Match = (_label, row) =>
    contentKey !== null && row.contentKey === contentKey && lookup.accepts(row, 'content');
  const { unlockedKey = null } = lookup;
  const samePackages: Match = (_label, row) =>
    unlockedKey !== null && row.params[UNLOCKED_PARAM] === unlockedKey && lookup.accepts(row, 'packages');
  const depths = lookup.depth === 'current' ? [1] : [1, Number.POSITIVE_INFINITY];
  for (const depth of depths) {
    for (const match of [exact, sameBytes, samePackages]) {
      const result = collect(lookup, depth, match);
      if (result !== null) return { ...result, current: depth === 1 && match === exact };
    }
  }
  return null;
}
