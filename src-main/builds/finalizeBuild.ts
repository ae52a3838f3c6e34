import type { FinalizeAnswer } from '../../src-shared/wire/worker/build.ts';
import { finalizeRequest } from '../../src-shared/wire/worker/pull.ts';
import type { BuildPlace } from './buildPlace.ts';
import { BAD_QUERY, BuildRefusal, LEASE_LOST } from './buildRefusal.ts';
import { finalizedAnswer, hasLapsed } from './keptBuild.ts';
import type { KnownBuilds } from './knownBuilds.ts';
import { publishOutput } from './publishOutput.ts';
import { floatOf, type Query, textOf } from './signedUrls.ts';

export interface Finalizing {
  readonly place: BuildPlace;
  readonly maxOutputBytes: number;
  readonly nowSeconds: () => number;
}

/**
 * Ends a build with the output uploaded for the valid lease; a repeated call has no further effect. @throws
 * BuildRefusal
 */
export async function finalizeBuild(
  known: KnownBuilds,
  { place, maxOutputBytes, nowSeconds }: Finalizing,
  { buildId, query, body }: { readonly buildId: string; readonly query: Query; readonly body: unknown },
): Promise<FinalizeAnswer> {
  const lease = query['lease'] === undefined ? '' : textOf(query, 'lease');
  const expiresAt = floatOf(query, 'expires_at');
  const payload = { op: 'finalize', build_id: buildId, expires_at: expiresAt, lease } as const;
  const kept = await known.signed(payload, query);
  if (lease !== kept.lease) throw new BuildRefusal(409, LEASE_LOST);
  // A reply may have been lost.
  if (kept.finalizing !== null) return kept.finalizing;
  if (kept.end?.state === 'ready') return finalizedAnswer(kept);
  if (kept.end !== null || hasLapsed(lease, nowSeconds())) throw new BuildRefusal(409, LEASE_LOST);
  if (!finalizeRequest.safeParse(body).success) throw new BuildRefusal(400, BAD_QUERY);
  const finalizing = publishOutput(kept, { place, maxOutputBytes, end: (how) => known.end(kept, how) });
  kept.finalizing = finalizing;
  // After a temporary failure it may be called again.
  finalizing.catch(() => {
    if (kept.end === null) kept.finalizing = null;
  });
  return finalizing;
}
