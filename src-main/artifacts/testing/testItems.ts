/** Artifacts with default facts, and digests, for tests of the artifact store. */

import { createHash } from 'node:crypto';
import type { NewArtifact, NewBlob } from '../artifact.ts';

/** An item for tests, with defaults for everything that does not matter. */
export function newItem(id: string, blob: NewBlob | string, facts: Partial<NewArtifact> = {}): NewArtifact {
  return {
    id,
    provenanceHash: `p-${id}`,
    contentKey: null,
    contentType: 'json/object',
    params: { variable_name: id },
    inputVersions: {},
    rowCount: null,
    schemaJson: null,
    blob: typeof blob === 'string' ? { bytes: Buffer.from(blob) } : blob,
    ...facts,
  };
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
