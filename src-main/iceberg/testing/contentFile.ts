import type { ContentFile } from '../metadata/manifests.ts';

/** A data file as in a manifest, with the given parts and defaults for all others. */
export function contentFile(parts: Partial<ContentFile>): ContentFile {
  return {
    content: 'data',
    path: 'd.parquet',
    format: 'parquet',
    specId: 0,
    partition: {},
    sequenceNumber: 1n,
    recordCount: 10n,
    fileSize: 100n,
    isEncrypted: false,
    valueCounts: new Map(),
    nullCounts: new Map(),
    nanCounts: new Map(),
    lowerBounds: new Map(),
    upperBounds: new Map(),
    equalityIds: [],
    rowGroups: 1,
    referencedFile: null,
    contentOffset: null,
    contentSize: null,
    ...parts,
  };
}
