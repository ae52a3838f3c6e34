/** Uploads the stored values of one result to the team's cache. */

import type * as z from 'zod';
import type { provenanceUploadMetadata } from '../../../src-shared/wire/routes/artifactUploads.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import type { RemoteStore } from '../../remoteStore/remoteStore.ts';

/** A longer upload is abandoned; the next run of the cell tries again. */
const UPLOAD_MS = 10 * 60_000;

/** One stored value as it is sent. */
export interface Upload {
  readonly row: ArtifactRow;
  readonly file: string;
  readonly metadata: z.input<typeof provenanceUploadMetadata>;
}

/** Sends the parts of a result in order; stops if the store already has one of another run. */
export async function sendUploads(
  store: RemoteStore,
  uploads: readonly Upload[],
  { principal, signal }: { readonly principal: string | null; readonly signal: AbortSignal },
): Promise<void> {
  for (const { row, file, metadata } of uploads) {
    const context = { principal, signal: AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_MS)]) };
    const stored = await store.put(row.provenanceHash, { file, metadata }, context);
    if (stored.shared_run?.params['run'] !== row.params['run']) return;
  }
}
