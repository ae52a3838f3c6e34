import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from '../lib/atomicFile.ts';
import type { BuildPlace } from './buildPlace.ts';
import { OUTPUT_FILE } from './servedBuild.ts';
import { attemptOf, type SignedPayload, signedQuery } from './signedUrls.ts';

/**
 * Transfers inputs and outputs of a build through routes of this server with signed URLs
 * (docs/spec/signed-builds.md, 2).
 */
export function serverPlace({ maxOutputBytes }: { readonly maxOutputBytes: number }): BuildPlace {
  return {
    goodUntil: async (wantedUntil) => wantedUntil,
    putInputs: async () => undefined,
    async readUrl({ inputs, buildId, serverUrl, key }, at, expiresAt) {
      const input = inputs[at];
      if (input === undefined) throw new Error(`build ${buildId} has no input ${at}`);
      const payload: SignedPayload = {
        op: 'download',
        artifact_id: input.artifactId,
        version: input.version,
        build_id: buildId,
        expires_at: expiresAt,
      };
      const keys = ['artifact_id', 'version', 'build_id', 'expires_at'];
      return `${serverUrl}/v1/artifacts/download?${signedQuery(key, payload, keys)}`;
    },
    async uploadTarget({ buildId, lease, serverUrl, key }, expiresAt) {
      const payload: SignedPayload = {
        op: 'upload',
        build_id: buildId,
        max_bytes: maxOutputBytes,
        expires_at: expiresAt,
        ...(lease === '' ? {} : { attempt: attemptOf(lease) }),
      };
      const query = signedQuery(key, payload, ['build_id', 'max_bytes', 'expires_at', 'attempt']);
      return { url: `${serverUrl}/v1/artifacts/upload?${query}`, method: 'POST' };
    },
    async take({ dir }) {
      const file = join(dir, OUTPUT_FILE);
      const stats = await stat(file).catch(nullIfMissing);
      if (stats === null) return null;
      return { bytes: stats.size, file: stats.size > maxOutputBytes ? null : file };
    },
    // The creator owns the folder of a build.
    clear: () => undefined,
  };
}
