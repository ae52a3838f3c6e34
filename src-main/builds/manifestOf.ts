/** Makes the manifest of a signed build, which a worker downloads to run the cell. */

import type { PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import type { NewBuild } from './build.ts';
import type { BuildPlace } from './buildPlace.ts';
import { ARTIFACT_VERSION, type ServedBuild } from './servedBuild.ts';
import { type SignedPayload, signedQuery } from './signedUrls.ts';

export interface Signing {
  readonly maxOutputBytes: number;
  readonly place: BuildPlace;
}

/**
 * The manifest (the pull request of docs/spec/worker-protocol.md, 5.1) for the build's current lease, with URLs valid
 * until `expiresAt`.
 */
export async function manifestOf(
  build: ServedBuild,
  metadata: NewBuild['metadata'],
  { expiresAt, maxOutputBytes, place }: Signing & { readonly expiresAt: number },
): Promise<PullRequestInput> {
  const { inputs: inputList, buildId, artifactId, serverUrl, lease, key } = build;
  const route = (name: string, payload: SignedPayload, keys: readonly string[]): string =>
    `${serverUrl}/v1/builds/${buildId}/${name}?${signedQuery(key, payload, keys)}`;
  const ids = { build_id: buildId, expires_at: expiresAt };
  // The lease's part is signed before the lease can be renewed.
  const target = place.uploadTarget(build, expiresAt);
  const finalizeUrl = route('finalize', { op: 'finalize', ...ids, lease }, ['expires_at', 'lease']);
  const [{ url, method, fields, headers }, inputs] = await Promise.all([
    target,
    Promise.all(
      inputList.map(async ({ artifactId: id, version }, at) => ({
        url: await place.readUrl(build, at, expiresAt),
        artifact_id: id,
        version,
        expires_at: expiresAt,
      })),
    ),
  ]);
  return {
    build_id: buildId,
    metadata: { build_id: buildId, artifact_id: artifactId, version: ARTIFACT_VERSION, ...metadata },
    inputs,
    output: {
      url,
      max_bytes: maxOutputBytes,
      expires_at: expiresAt,
      method,
      ...(fields === undefined ? {} : { fields }),
      ...(headers === undefined ? {} : { headers }),
    },
    finalize_url: finalizeUrl,
    log_url: route('log', { op: 'log', ...ids }, ['expires_at']),
  };
}
