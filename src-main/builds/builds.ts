import { randomBytes } from 'node:crypto';
import type {
  BuildStatus,
  FinalizeAnswer,
  LogAnswer,
  UploadAnswer,
} from '../../src-shared/wire/worker/build.ts';
import { finalizeRequest, type PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import { BlobProblem, type BlobStore } from '../artifacts/blobStore.ts';
import { bucketPlace } from './bucketPlace.ts';
import type { Build, BuildEnd, NewBuild } from './build.ts';
import { BAD_QUERY, BuildRefusal, LEASE_LOST } from './buildRefusal.ts';
import { ChunkOrder } from './chunkOrder.ts';
import { hasLapsed, type Kept, OUTPUT, renewed, settle, stateOf, statusOf } from './keptBuild.ts';
import { manifestOf, type Signing } from './manifestOf.ts';
import { publishOutput } from './publishOutput.ts';
import { type Incoming, receiveFile } from './receive.ts';
import { serverPlace } from './serverPlace.ts';
import {
  attemptOf,
  checkSignature,
  floatOf,
  type Query,
  type SignedPayload,
  textOf,
  wholeOf,
} from './signedUrls.ts';

export interface BuildOptions {
  /** SVC_TRANSFORM_SIGNING_SECRET; null: one of this start. */
  readonly secret: string | null;
  /** SVC_SIGNED_URL_EXPIRY_SECONDS. */
  readonly expirySeconds: number;
  /** SVC_BUILD_RUNNER_DEFAULT_MAX_OUTPUT. */
  readonly maxOutputBytes: number;
  /** Whose signed addresses workers are given (SVC_ARTIFACT_PRESIGNED_URLS); absent: routes of this server. */
  readonly bucket?: BlobStore | null;
  /** Hears of what could not be removed from it. */
  readonly onLeft?: (words: string) => void;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** The builds of one server: begun by runs, served to workers by signed URLs (core-services 10). */
export interface Builds {
  /** Where this server listens; before that, and where it never does, nothing can be begun. */
  setAddress(url: string): void;
  /** Null where no address leads here. @throws BlobProblem where inputs cannot be put for the worker; as the signal */
  begin(build: NewBuild, signal: AbortSignal): Promise<Build | null>;
  /** Null for a build nobody knows. */
  status(buildId: string): BuildStatus | null;
  /** The manifest anew, for a dispatcher: whoever asks has the lease from now on. @throws BuildRefusal */
  manifest(buildId: string): Promise<PullRequestInput>;
  /** The file of an input. @throws BuildRefusal */
  download(query: Query): string;
  /** @throws BuildRefusal */
  upload(query: Query, body: Incoming): Promise<UploadAnswer>;
  /** @throws BuildRefusal */
  log(buildId: string, query: Query, body: Buffer): LogAnswer;
  /** @throws BuildRefusal */
  finalize(buildId: string, query: Query, body: unknown): Promise<FinalizeAnswer>;
}

/** Builds that ended and can still be asked about. */
const MOST_ENDED = 200;

export function createBuilds({
  secret,
  expirySeconds,
  maxOutputBytes,
  bucket = null,
  onLeft,
  now = Date.now,
}: BuildOptions): Builds {
  const key = secret ?? randomBytes(32).toString('hex');
  const place =
    bucket === null
      ? serverPlace({ key, maxOutputBytes })
      : bucketPlace({ store: bucket, maxOutputBytes, now, ...(onLeft === undefined ? {} : { onLeft }) });
  const signing: Signing = { key, maxOutputBytes, place };
  const builds = new Map<string, Kept>();
  let own: string | null = null;
  const nowSeconds = (): number => now() / 1000;

  /** @throws BuildRefusal 403, 404 */
  function signed(payload: SignedPayload & { readonly build_id: string }, query: Query): Kept {
    checkSignature(key, payload, { signature: textOf(query, 'signature'), nowSeconds: nowSeconds() });
    return known(payload.build_id);
  }

  /** @throws BuildRefusal 404 */
  function known(buildId: string): Kept {
    const kept = builds.get(buildId);
    if (kept === undefined) throw new BuildRefusal(404, 'Build not found');
    return kept;
  }

  function end(kept: Kept, how: BuildEnd): void {
    if (!settle(kept, how, nowSeconds())) return;
    place.clear(kept);
    const ended = [...builds.values()].filter((one) => one.end !== null);
    for (const old of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) builds.delete(old.buildId);
  }

  return {
    setAddress(url) {
      own = url.replace(/\/+$/, '');
    },
    async begin(build, signal) {
      const address = build.address?.replace(/\/+$/, '') ?? own;
      if (address === null) return null;
      const buildId = `nbbuild-${randomBytes(6).toString('hex')}`;
      const { promise: ended, resolve } = Promise.withResolvers<BuildEnd>();
      const wished = nowSeconds() + Math.max(expirySeconds, build.lifetimeSeconds);
      const kept: Kept = {
        ...{ build, buildId, address, resolve },
        artifactId: `nb_remote_${build.notebookId}_${buildId}`,
        expiresAt: await place.goodUntil(wished),
        createdAt: nowSeconds(),
        consoles: { stdout: new ChunkOrder(), stderr: new ChunkOrder() },
        ...{ lease: '', end: null, endedAt: null, finalizing: null },
      };
      builds.set(buildId, kept);
      try {
        await place.putInputs(kept, signal);
        signal.throwIfAborted();
        return {
          buildId,
          manifest: await manifestOf(kept, kept.expiresAt, signing),
          ended,
          end: () => kept.end,
          state: () => stateOf(kept),
          giveUp: (code, message) => end(kept, { state: 'failed', code, message }),
        };
      } catch (error) {
        end(kept, { state: 'failed', code: 'BUILD_FAILED', message: 'It could not be begun' });
        signal.throwIfAborted();
        throw error;
      }
    },
    status(buildId) {
      const kept = builds.get(buildId);
      return kept === undefined ? null : statusOf(kept);
    },
    async manifest(buildId) {
      const kept = known(buildId);
      try {
        const expiresAt = await place.goodUntil(Math.max(kept.expiresAt, nowSeconds() + expirySeconds));
        if (kept.end !== null) {
          throw new BuildRefusal(400, `Build is ${stateOf(kept)}; only one under way has a manifest`);
        }
        // What is being published is nobody else's to do.
        if (kept.finalizing !== null) throw new BuildRefusal(409, 'The build is being finalized');
        kept.lease = renewed(kept.lease, expiresAt);
        return await manifestOf(kept, expiresAt, signing);
      } catch (error) {
        throw error instanceof BlobProblem ? new BuildRefusal(503, error.message) : error;
      }
    },
    download(query) {
      const named = {
        artifact_id: textOf(query, 'artifact_id'),
        version: wholeOf(query, 'version'),
        build_id: textOf(query, 'build_id'),
        expires_at: floatOf(query, 'expires_at'),
      };
      const kept = signed({ op: 'download', ...named }, query);
      if (kept.end !== null)
        throw new BuildRefusal(409, 'The build has ended; its inputs are no longer handed out');
      const input = kept.build.inputs.find(
        ({ artifactId, version }) => artifactId === named.artifact_id && version === named.version,
      );
      if (input === undefined) throw new BuildRefusal(404, 'Artifact not found');
      return input.path;
    },
    async upload(query, body) {
      const attempt = query['attempt'] === undefined ? {} : { attempt: textOf(query, 'attempt') };
      const named = {
        build_id: textOf(query, 'build_id'),
        max_bytes: wholeOf(query, 'max_bytes'),
        expires_at: floatOf(query, 'expires_at'),
        ...attempt,
      };
      const kept = signed({ op: 'upload', ...named }, query);
      const holds = (): void => {
        const wanted = kept.lease === '' ? undefined : attemptOf(kept.lease);
        const isOver = kept.end !== null || kept.finalizing !== null;
        if (isOver || attempt.attempt !== wanted) throw new BuildRefusal(409, LEASE_LOST);
      };
      holds();
      const { dir } = kept.build;
      const limits = { dir, name: OUTPUT, maxBytes: named.max_bytes, mayReplace: holds };
      try {
        const size = await receiveFile(body, limits);
        return { status: 'uploaded', build_id: kept.buildId, byte_size: size };
      } catch (error) {
        // Another try would be as long: it is known now that this cell has no result.
        if (error instanceof BuildRefusal && error.code === 'OUTPUT_TOO_LARGE') {
          end(kept, { state: 'failed', code: error.code, message: error.message });
        }
        throw error;
      }
    },
    log(buildId, query, body) {
      const payload = { op: 'log', build_id: buildId, expires_at: floatOf(query, 'expires_at') } as const;
      const signature = textOf(query, 'signature');
      checkSignature(key, payload, { signature, nowSeconds: nowSeconds() });
      const seq = wholeOf(query, 'seq');
      const stream = query['stream'] === 'stderr' ? 'stderr' : 'stdout';
      const kept = builds.get(buildId);
      if (kept === undefined || kept.end !== null) return { delivered: false };
      for (const chunk of kept.consoles[stream].take(seq, body)) kept.build.onConsole(stream, chunk);
      return { delivered: true };
    },
    finalize(buildId, query, body) {
      const lease = query['lease'] === undefined ? '' : textOf(query, 'lease');
      const kept = signed(
        { op: 'finalize', build_id: buildId, expires_at: floatOf(query, 'expires_at'), lease },
        query,
      );
      if (lease !== kept.lease) throw new BuildRefusal(409, LEASE_LOST);
      // Told twice (an answer may be lost on its way) it is done once.
      if (kept.finalizing !== null) return kept.finalizing;
      if (kept.end !== null || hasLapsed(lease, nowSeconds())) throw new BuildRefusal(409, LEASE_LOST);
      if (!finalizeRequest.safeParse(body).success) throw new BuildRefusal(400, BAD_QUERY);
      const finalizing = publishOutput(kept, { place, maxOutputBytes, end: (how) => end(kept, how) });
      kept.finalizing = finalizing;
      // Out of reach for now it may be told again.
      finalizing.catch(() => {
        if (kept.end === null) kept.finalizing = null;
      });
      return finalizing;
    },
  };
}
