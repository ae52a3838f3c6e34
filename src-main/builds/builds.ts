import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  BuildStatus,
  FinalizeAnswer,
  LogAnswer,
  UploadAnswer,
} from '../../src-shared/wire/worker/build.ts';
import { finalizeRequest, type PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import { BlobProblem, type BlobStore } from '../artifacts/blobStore.ts';
import { bucketPlace } from './bucketPlace.ts';
import type { Build, LeftBuild, NewBuild } from './build.ts';
import { type BookOptions, createBuildBook } from './buildBook.ts';
import { BAD_QUERY, BuildRefusal, LEASE_LOST } from './buildRefusal.ts';
import {
  attemptName,
  failedWith,
  finalizedAnswer,
  hasLapsed,
  type Kept,
  keptBuild,
  OUTPUT,
  renewed,
  stateOf,
  statusOf,
} from './keptBuild.ts';
import { createKnownBuilds } from './knownBuilds.ts';
import { manifestOf } from './manifestOf.ts';
import { publishOutput } from './publishOutput.ts';
import type { Incoming } from './receive.ts';
import { serverPlace } from './serverPlace.ts';
import { floatOf, type Query, textOf, wholeOf } from './signedUrls.ts';
import { takeUpload } from './takeUpload.ts';

export interface BuildOptions {
  /** SVC_TRANSFORM_SIGNING_SECRET; null: one of this start. */
  readonly secret: string | null;
  /** SVC_SIGNED_URL_EXPIRY_SECONDS. */
  readonly expirySeconds: number;
  /** SVC_BUILD_RUNNER_DEFAULT_MAX_OUTPUT. */
  readonly maxOutputBytes: number;
  /** Whose signed addresses workers are given (SVC_ARTIFACT_PRESIGNED_URLS); absent: routes of this server. */
  readonly bucket?: BlobStore | null;
  /** What outlives this process; absent: nothing does. */
  readonly book?: BookOptions | null;
  /** Hears of what could not be removed from a bucket. */
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
  /** One a process before this began, under way or ready and never had; null for none. */
  left(buildId: string): Promise<LeftBuild | null>;
  /** Null for a build nobody knows. */
  status(buildId: string): Promise<BuildStatus | null>;
  /** The manifest anew, for a dispatcher: whoever asks has the lease from now on. @throws BuildRefusal */
  manifest(buildId: string): Promise<PullRequestInput>;
  /** The file of an input. @throws BuildRefusal */
  download(query: Query): Promise<string>;
  /** @throws BuildRefusal */
  upload(query: Query, body: Incoming): Promise<UploadAnswer>;
  /** @throws BuildRefusal */
  log(buildId: string, query: Query, body: Buffer): Promise<LogAnswer>;
  /** @throws BuildRefusal */
  finalize(buildId: string, query: Query, body: unknown): Promise<FinalizeAnswer>;
  /** Forgets what is old, and fails what was left behind. */
  sweep(): Promise<void>;
  close(): void;
}

/** Not while a program starts; then seldom. */
const FIRST_SWEEP_MS = 60_000;
const SWEEP_MS = 10 * 60_000;

export function createBuilds({
  secret,
  expirySeconds,
  maxOutputBytes,
  bucket = null,
  book: bookOptions = null,
  onLeft,
  now = Date.now,
}: BuildOptions): Builds {
  const key = secret ?? randomBytes(32).toString('hex');
  const place =
    bucket === null
      ? serverPlace({ maxOutputBytes })
      : bucketPlace({ store: bucket, maxOutputBytes, now, ...(onLeft === undefined ? {} : { onLeft }) });
  const book = bookOptions === null ? null : createBuildBook({ ...bookOptions, secret });
  const nowSeconds = (): number => now() / 1000;
  const known = createKnownBuilds({ key, book, place, nowSeconds });
  const { end } = known;
  let own: string | null = null;

  const sweep = async (): Promise<void> => book?.sweep(nowSeconds(), (kept) => place.clear(kept));
  let sweeping: NodeJS.Timeout | undefined;
  const sweepLater = (ms: number): void => {
    clearTimeout(sweeping);
    if (bookOptions === null) return;
    sweeping = setTimeout(() => {
      void sweep()
        .catch((error: unknown) => bookOptions.onProblem(`Old builds could not be looked at: ${error}`))
        .finally(() => sweepLater(SWEEP_MS));
    }, ms).unref();
  };

  /** Leases a build and says so where it outlives this process, before anything signed for it is told. */
  async function leased(
    kept: Kept,
    metadata: NewBuild['metadata'],
    expiresAt: number,
  ): Promise<PullRequestInput> {
    kept.attempts.set(attemptName(kept), expiresAt);
    const signing = { expiresAt, maxOutputBytes, place };
    const [manifest] = await Promise.all([manifestOf(kept, metadata, signing), book?.write(kept)]);
    return manifest;
  }

  const served = (kept: Kept) => ({
    buildId: kept.buildId,
    ended: kept.ended,
    end: () => kept.end,
    giveUp: (code: Parameters<Build['giveUp']>[0], message: string) =>
      void end(kept, failedWith(code, message)),
    async release() {
      await end(kept, failedWith('CANCELLED', 'Given up by the notebook'));
      await kept.finalizing?.catch(() => undefined);
      kept.isTaken = true;
      await rm(kept.dir, { recursive: true, force: true });
      await book?.write(kept);
    },
  });

  return {
    setAddress(url) {
      own = url.replace(/\/+$/, '');
      sweepLater(FIRST_SWEEP_MS);
    },
    async begin(build, signal) {
      const address = build.address?.replace(/\/+$/, '') ?? own;
      if (address === null) return null;
      const buildId = `nbbuild-${randomBytes(6).toString('hex')}`;
      const { metadata, inputs, notebookId } = build;
      const kept = keptBuild({
        ...{ buildId, address, key, inputs, metadata, executorRef: metadata.executor_ref },
        artifactId: `nb_remote_${notebookId}_${buildId}`,
        expiresAt: await place.goodUntil(nowSeconds() + Math.max(expirySeconds, build.lifetimeSeconds)),
        createdAt: nowSeconds(),
        dir: book?.dirOf(buildId) ?? build.dir,
        accept: (file) => build.accept(file),
        onConsole: (stream, chunk) => build.onConsole(stream, chunk),
        attempts: new Map(),
      });
      known.add(kept);
      try {
        await place.putInputs(kept, signal);
        signal.throwIfAborted();
        const manifest = await leased(kept, metadata, kept.expiresAt);
        return { ...served(kept), manifest, state: () => stateOf(kept) };
      } catch (error) {
        await end(kept, failedWith('BUILD_FAILED', 'It could not be begun'));
        signal.throwIfAborted();
        throw error;
      }
    },
    async left(buildId) {
      const kept = await known.find(buildId);
      if (kept === null || kept.isTaken || kept.metadata !== null || kept.end?.state === 'failed')
        return null;
      return { ...served(kept), file: join(kept.dir, OUTPUT) };
    },
    async status(buildId) {
      const kept = await known.find(buildId);
      return kept === null ? null : statusOf(kept);
    },
    async manifest(buildId) {
      const kept = await known.find(buildId);
      if (kept === null) throw new BuildRefusal(404, 'Build not found');
      try {
        const expiresAt = await place.goodUntil(Math.max(kept.expiresAt, nowSeconds() + expirySeconds));
        if (kept.end !== null) {
          throw new BuildRefusal(400, `Build is ${stateOf(kept)}; only one under way has a manifest`);
        }
        // What is being published is nobody else's to do.
        if (kept.finalizing !== null) throw new BuildRefusal(409, 'The build is being finalized');
        if (kept.metadata === null) {
          const words =
            'The server that began the build has ended: it can be delivered, but not handed out anew';
          throw new BuildRefusal(409, words);
        }
        kept.lease = renewed(kept.lease, expiresAt);
        return await leased(kept, kept.metadata, expiresAt);
      } catch (error) {
        throw error instanceof BlobProblem ? new BuildRefusal(503, error.message) : error;
      }
    },
    async download(query) {
      const named = {
        artifact_id: textOf(query, 'artifact_id'),
        version: wholeOf(query, 'version'),
        build_id: textOf(query, 'build_id'),
        expires_at: floatOf(query, 'expires_at'),
      };
      const kept = await known.signed({ op: 'download', ...named }, query);
      if (kept.end !== null)
        throw new BuildRefusal(409, 'The build has ended; its inputs are no longer handed out');
      const input = kept.inputs.find(
        ({ artifactId, version }) => artifactId === named.artifact_id && version === named.version,
      );
      if (input === undefined) throw new BuildRefusal(404, 'Artifact not found');
      return input.path;
    },
    upload: (query, body) => takeUpload(known, query, body),
    async log(buildId, query, body) {
      const payload = { op: 'log', build_id: buildId, expires_at: floatOf(query, 'expires_at') } as const;
      const seq = wholeOf(query, 'seq');
      const stream = query['stream'] === 'stderr' ? 'stderr' : 'stdout';
      const kept = await known.signed(payload, query).catch((error: unknown) => {
        if (error instanceof BuildRefusal && error.status === 404) return null;
        throw error;
      });
      if (kept === null || kept.end !== null || kept.onConsole === null) return { delivered: false };
      for (const chunk of kept.consoles[stream].take(seq, body)) kept.onConsole(stream, chunk);
      return { delivered: true };
    },
    async finalize(buildId, query, body) {
      const lease = query['lease'] === undefined ? '' : textOf(query, 'lease');
      const kept = await known.signed(
        { op: 'finalize', build_id: buildId, expires_at: floatOf(query, 'expires_at'), lease },
        query,
      );
      if (lease !== kept.lease) throw new BuildRefusal(409, LEASE_LOST);
      // Told twice (an answer may be lost on its way) it is done once.
      if (kept.finalizing !== null) return kept.finalizing;
      if (kept.end?.state === 'ready') return finalizedAnswer(kept);
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
    sweep,
    close() {
      clearTimeout(sweeping);
      book?.close();
    },
  };
}
