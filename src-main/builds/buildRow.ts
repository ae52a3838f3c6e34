/** Converts a signed build to its stored row and back, so that another server process can continue to serve it. */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { BuildErrorCode } from '../../src-shared/wire/worker/build.ts';
import { pullParams, pullRequest } from '../../src-shared/wire/worker/pull.ts';
import type { BuildRow } from '../artifacts/storedBuilds.ts';
import { ARTIFACT_VERSION, type ServedBuild } from './servedBuild.ts';
import { leaseOf } from './signedUrls.ts';

/** Data besides the columns of a build that is needed to serve it after its process has ended. */
const own = z.object({
  address: z.string(),
  expires_at: z.number(),
  key: z.string(),
  dir: z.string(),
  inputs: z.array(z.object({ artifactId: z.string(), version: z.int(), path: z.string() })),
  taken: z.boolean(),
  /** The manifest apart from its params, so that it can be issued again. */
  of: pullRequest.shape.metadata.omit({ params: true }).optional(),
});
const noEnvironment = z.object({ env: z.object({ names: z.array(z.string()).length(0) }).optional() });

/**
 * The row of a build. Values of an environment are not stored, only their names and a digest
 * (docs/spec/worker-protocol.md, 5.1, 5.2, 5.5).
 */
export function rowOfBuild(build: ServedBuild, heldBy: string): BuildRow {
  const failed = build.end?.state === 'failed' ? build.end : null;
  const at = build.lease.lastIndexOf(':');
  return {
    buildId: build.buildId,
    artifactId: build.artifactId,
    version: ARTIFACT_VERSION,
    state: build.end?.state ?? 'building',
    executorRef: build.executorRef,
    createdAt: build.createdAt,
    completedAt: build.endedAt,
    errorMessage: failed?.message ?? null,
    errorCode: failed?.code ?? null,
    outputBytes: build.outputBytes,
    leaseOwner: at < 0 ? null : build.lease.slice(0, at),
    leaseExpiresAt: at < 0 ? null : Number(build.lease.slice(at + 1)),
    inputUris: build.inputs.map(({ artifactId, version }) => `svc://artifact/${artifactId}@v=${version}`),
    params: paramsWithoutEnv(build.metadata?.params ?? {}),
    heldBy,
    own: {
      address: build.serverUrl,
      expires_at: build.expiresAt,
      key: build.key,
      dir: build.dir,
      inputs: [...build.inputs],
      taken: build.isTaken,
      ...(build.metadata === null ? {} : { of: withoutParams(build.metadata) }),
    } satisfies z.input<typeof own>,
    attempts: [...build.attempts].map(([attempt, writableUntil]) => ({ attempt, writableUntil })),
  };
}

/** The build in a row, for {@link createServedBuild}; null for a row this program cannot have written. */
export function buildOfRow(row: BuildRow) {
  const parsed = own.safeParse(row.own);
  if (!parsed.success) return null;
  const { address: serverUrl, expires_at: expiresAt, key, dir, inputs, taken: isTaken, of } = parsed.data;
  const { leaseOwner, leaseExpiresAt } = row;
  const message = row.errorMessage ?? '';
  const code = (row.errorCode ?? 'BUILD_FAILED') as BuildErrorCode; // as it was saved
  return {
    buildId: row.buildId,
    artifactId: row.artifactId,
    createdAt: row.createdAt,
    expiresAt,
    serverUrl,
    key,
    inputs,
    dir,
    executorRef: row.executorRef,
    isBegunHere: false,
    isTaken: isTaken,
    metadata: of === undefined ? null : metadataOf(of, row.params),
    lease: leaseOwner === null || leaseExpiresAt === null ? '' : leaseOf(leaseOwner, leaseExpiresAt),
    end:
      row.state === 'building'
        ? null
        : row.state === 'ready'
          ? ({ state: 'ready' } as const)
          : ({ state: 'failed', code, message } as const),
    endedAt: row.completedAt,
    outputBytes: row.outputBytes,
    attempts: new Map(row.attempts.map(({ attempt, writableUntil }) => [attempt, writableUntil])),
  };
}

function withoutParams({ params: _, ...rest }: NonNullable<ServedBuild['metadata']>) {
  return rest;
}

/** The original metadata, if it was stored completely. */
function metadataOf(of: NonNullable<z.infer<typeof own>['of']>, written: unknown): ServedBuild['metadata'] {
  if (!noEnvironment.safeParse(written).success) return null;
  const params = { ...Object(written), env: {} };
  return pullParams.safeParse(params).success ? { ...of, params } : null;
}

function paramsWithoutEnv(params: object): object {
  const env = Reflect.get(params, 'env');
  if (typeof env !== 'object' || env === null) return params;
  const names = Object.keys(env).sort();
  const sorted = JSON.stringify(Object.fromEntries(names.map((name) => [name, Reflect.get(env, name)])));
  return { ...params, env: { names, sha256: createHash('sha256').update(sorted).digest('hex') } };
}
