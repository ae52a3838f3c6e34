/** Finds which inputs of a stored version of the data plane have changed since it was built. */

import type { VersionRow } from '../registry/versionRow.ts';
import { SCAN } from './executors.ts';

/** The prefix of the version of an input that cannot be resolved. */
export const ERROR_MARK = '<error: ';

export interface ChangedInput {
  readonly input_uri: string;
  readonly old_version: string | null;
  readonly new_version: string | null;
}

/** Inputs whose version has changed since a stored version read them, or that only one of the two reads. */
export function changedInputs(
  { inputVersions, transformSpec }: Pick<VersionRow, 'inputVersions' | 'transformSpec'>,
  versions: Readonly<Record<string, string>>,
): readonly ChangedInput[] {
  // A scan that names its snapshot always reads that one.
  const isPinned = transformSpec?.executor === SCAN && (transformSpec.params['snapshot_id'] ?? null) !== null;
  const uris = [...new Set([...Object.keys(inputVersions), ...Object.keys(versions)])].sort();
  return uris.flatMap((uri): ChangedInput[] => {
    const [before, now] = [inputVersions[uri] ?? null, versions[uri] ?? null];
    if (isPinned && before !== null && now !== null) return [];
    return isSame(before, now) ? [] : [{ input_uri: uri, old_version: before, new_version: now }];
  });
}

/** Why a named version is stale, in a few words. */
export function staleReason({ length }: readonly ChangedInput[]): string | null {
  return length === 0 ? null : `${length} input${length === 1 ? '' : 's'} changed`;
}

const EMPTY = /^empty:[^:]+:/;

/** A table that has no snapshot yet has not changed, although its versions never equal one another. */
function isSame(before: string | null, now: string | null): boolean {
  if (before === null || now === null || !EMPTY.test(before) || !EMPTY.test(now)) return before === now;
  return before.replace(EMPTY, '') === now.replace(EMPTY, '');
}
