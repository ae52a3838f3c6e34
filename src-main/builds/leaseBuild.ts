/** Issues the manifest of a signed build: for its current lease, or for a renewed one. */

import type { PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import { BlobProblem } from '../artifacts/blobStore.ts';
import type { NewBuild } from './build.ts';
import { BuildRefusal } from './buildRefusal.ts';
import type { BuildStore } from './buildStore.ts';
import { manifestOf, type Signing } from './manifestOf.ts';
import { attemptName, newLease, type ServedBuild, stateOf } from './servedBuild.ts';

interface Leasing extends Signing {
  readonly buildStore: BuildStore | null;
}

/** The manifest for the build's current lease, once that is stored, if builds outlive this process. */
export async function leaseManifest(
  build: ServedBuild,
  metadata: NewBuild['metadata'],
  { expiresAt, buildStore, ...signing }: Leasing & { readonly expiresAt: number },
): Promise<PullRequestInput> {
  build.attempts.set(attemptName(build), expiresAt);
  const [manifest] = await Promise.all([
    manifestOf(build, metadata, { ...signing, expiresAt }),
    buildStore?.write(build),
  ]);
  return manifest;
}

/**
 * A new manifest, for a dispatcher, which has the lease from now on; earlier URLs become invalid.
 * @param until epoch seconds it should be valid until, at least
 * @throws BuildRefusal
 */
export async function renewedLeaseManifest(
  build: ServedBuild,
  leasing: Leasing & { readonly until: number },
): Promise<PullRequestInput> {
  const { until, ...how } = leasing;
  try {
    const expiresAt = await how.place.goodUntil(Math.max(build.expiresAt, until));
    if (build.end !== null) {
      throw new BuildRefusal(400, `Build is ${stateOf(build)}; only a running build has a manifest`);
    }
    // A build that is being finalized cannot change its lease.
    if (build.finalizing !== null) throw new BuildRefusal(409, 'The build is being finalized');
    if (build.metadata === null) {
      const message =
        'The server that started the build has stopped and its environment values are gone: the build can be delivered, but not leased again';
      throw new BuildRefusal(409, message);
    }
    build.lease = newLease(build, expiresAt);
    return await leaseManifest(build, build.metadata, { ...how, expiresAt });
  } catch (error) {
    throw error instanceof BlobProblem ? new BuildRefusal(503, error.message) : error;
  }
}
