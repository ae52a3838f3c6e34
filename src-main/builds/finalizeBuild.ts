/** The last step of a signed build: checks the uploaded output against the lease, and ends the build once. */

import type { FinalizeAnswer } from '../../src-shared/wire/worker/build.ts';
import { finalizeRequest } from '../../src-shared/wire/worker/pull.ts';
import type { BuildPlace } from './buildPlace.ts';
import { BAD_QUERY, BuildRefusal, LEASE_LOST } from './buildRefusal.ts';
import type { KnownBuilds } from './knownBuilds.ts';
import { publishOutput } from './publishOutput.ts';
import { finalizedAnswer, hasExpired } from './servedBuild.ts';
import { floatOf, type Query, textOf } from './signedUrls.ts';

interface Finalizing {
  readonly place: BuildPlace;
  readonly maxOutputBytes: number;
  readonly nowSeconds: () => number;
}

/**
 * Ends a build with the output uploaded for the valid lease; a repeated call has no further effect.
 * @throws BuildRefusal 409 if the lease is not the current one or the build has ended
 */
export async function finalizeBuild(
  builds: KnownBuilds,
  { place, maxOutputBytes, nowSeconds }: Finalizing,
  { buildId, query, body }: { readonly buildId: string; readonly query: Query; readonly body: unknown },
): Promise<FinalizeAnswer> {
  const lease = query['lease'] === undefined ? '' : textOf(query, 'lease');
  const expiresAt = floatOf(query, 'expires_at');
  const payload = { op: 'finalize', build_id: buildId, expires_at: expiresAt, lease } as const;
  const build = await builds.signed(payload, query);
  if (lease !== build.lease) throw new BuildRefusal(409, LEASE_LOST);
  // Workers repeat the call when they got no reply to an earlier one.
  if (build.finalizing !== null) return build.finalizing;
  if (build.end?.state === 'ready') return finalizedAnswer(build);
  if (build.end !== null || hasExpired(lease, nowSeconds())) throw new BuildRefusal(409, LEASE_LOST);
  if (!finalizeRequest.safeParse(body).success) throw new BuildRefusal(400, BAD_QUERY);
  const finalizing = publishOutput(build, { place, maxOutputBytes, end: (how) => builds.end(build, how) });
  build.finalizing = finalizing;
  // After a temporary failure the worker may call again.
  finalizing.catch(() => {
    if (build.end === null) build.finalizing = null;
  });
  return finalizing;
}
