/** Finds the newest stored result of a cell, whatever key it has. */

import { readVariantLabel } from '../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../artifacts/artifact.ts';
import { displayLabel, type StoredResult } from './cache.ts';
import type { StoredVersions } from './storedVersions.ts';

/**
 * The result of a cell's newest rows, under any key; null if it has none, or runs once per variant, because
 * its rows may belong to several runs then.
 */
export function lastStoredResult(stored: StoredVersions): StoredResult | null {
  let newest: ArtifactRow | null = null;
  for (const [label, [row]] of Object.entries(stored)) {
    if (readVariantLabel(label).variant !== null) return null;
    if (row !== undefined && (newest === null || row.createdAt > newest.createdAt)) newest = row;
  }
  const run = newest?.params['run'];
  if (newest === null || run === undefined) return null;
  const rows: Record<string, ArtifactRow> = {};
  for (const [label, [row]] of Object.entries(stored)) {
    if (row?.params['run'] === run) rows[label] = row;
  }
  const displayCount = Number(newest.params['display_count'] ?? 0);
  const isWhole = Array.from({ length: displayCount }, (_, i) => rows[displayLabel(i)]).every(Boolean);
  return isWhole ? { rows, displayCount, current: false } : null;
}
