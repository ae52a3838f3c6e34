/** The stored versions of the results of one cell. */

import type { ArtifactRow } from '../artifacts/artifact.ts';

/** Every stored version of one cell's results by label (a variable, a display or the console), newest first. */
export type StoredVersions = Readonly<Record<string, readonly ArtifactRow[]>>;

/** The versions under a label. An own-property lookup, because variables may be called `constructor`. */
export function versionsOf(stored: StoredVersions, label: string): readonly ArtifactRow[] {
  return Object.hasOwn(stored, label) ? (stored[label] ?? []) : [];
}

/** The runs that stored the versions of a cell. */
export function storedRunIds({ stored }: { readonly stored: StoredVersions }): ReadonlySet<string> {
  const rows = Object.values(stored).flat();
  return new Set(rows.flatMap(({ params }) => params['run'] ?? []));
}
