/** The builds of a server: each is a cell's run that a remote worker fetches and delivers by signed URLs. */

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  BuildStatus,
  FinalizeAnswer,
  LogAnswer,
  UploadAnswer,
} from '../../src-shared/wire/worker/build.ts';
import type { PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import type { BlobStore } from '../artifacts/blobStore.ts';
import { bucketPlace } from './bucketPlace.ts';
import type { Build, NewBuild, OrphanedBuild } from './build.ts';
import { BuildRefusal } from './buildRefusal.ts';
import { type BuildStoreOptions, createBuildStore } from './buildStore.ts';
import { finalizeBuild } from './finalizeBuild.ts';
import { inputFileFor } from './inputFile.ts';
import { createKnownBuilds } from './knownBuilds.ts';
import { leaseManifest, renewedLeaseManifest } from './leaseBuild.ts';
import type { Incoming } from './receive.ts';
import { receiveLog } from './receiveLog.ts';
import { receiveUpload } from './receiveUpload.ts';
import {
  createServedBuild,
  failedWith,
  OUTPUT_FILE,
  type ServedBuild,
  stateOf,
  statusOf,
} from './servedBuild.ts';
import { serverPlace } from './serverPlace.ts';
import type { Query } from './signedUrls.ts';
import { createSweepTimer } from './sweepTimer.ts';

interface BuildOptions {
  /** SVC_TRANSFORM_SIGNING_SECRET; null: a new one per start. */
  readonly secret: string | null;
  /** SVC_SIGNED_URL_EXPIRY_SECONDS. */
  readonly expirySeconds: number;
  /** SVC_BUILD_RUNNER_DEFAULT_MAX_OUTPUT. */
  readonly maxOutputBytes: number;
  /** The bucket whose signed URLs workers use (SVC_ARTIFACT_PRESIGNED_URLS); absent: routes of this server. */
  readonly bucket?: BlobStore | null;
  /** What outlives this process; absent: nothing does. */
  readonly buildStore?: BuildStoreOptions | null;
  /** Called when something could not be removed from a bucket. */
  readonly onLeft?: (message: string) => void;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** The builds of one server: created by runs, served to workers by signed URLs (docs/spec/signed-builds.md, 1). */
export interface Builds {
  /** Sets the URL at which this server listens; without it no build can begin. */
  setAddress(url: string): void;
  /**
   * Creates a build. Null if no URL leads here.
   * @throws BlobProblem if inputs cannot be stored for the worker; the signal's reason
   */
  begin(build: NewBuild, signal: AbortSignal): Promise<Build | null>;
  /**
   * A build whose output was not read: an earlier process began it, or it is ready; null if there is none.
   */
  left(buildId: string): Promise<OrphanedBuild | null>;
  /** The status of a build; null for an unknown one. */
  status(buildId: string): Promise<BuildStatus | null>;
  /** A new manifest, for a dispatcher, which has the lease from now on. @throws BuildRefusal */
  manifest(buildId: string): Promise<PullRequestInput>;
  /** The file of an input. @throws BuildRefusal */
  download(query: Query): Promise<string>;
  /** @throws BuildRefusal */
  upload(query: Query, body: Incoming): Promise<UploadAnswer>;
  /** @throws BuildRefusal */
  log(buildId: string, query: Query, body: Buffer): Promise<LogAnswer>;
  /** @throws BuildRefusal */
  finalize(buildId: string, query: Query, body: unknown): Promise<FinalizeAnswer>;
  /** Deletes old builds, and fails abandoned ones. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export function createBuilds({
  secret,
  expirySeconds,
  maxOutputBytes,
  bucket = null,
  buildStore: buildStoreOptions = null,
  onLeft,
  now = Date.now,
}: BuildOptions): Builds {
  const key = secret ?? randomBytes(32).toString('hex');
  const place =
    bucket === null
      ? serverPlace({ maxOutputBytes })
      : bucketPlace({ store: bucket, maxOutputBytes, now, ...(onLeft === undefined ? {} : { onLeft }) });
  const buildStore = buildStoreOptions === null ? null : createBuildStore({ ...buildStoreOptions, secret });
  const nowSeconds = (): number => now() / 1000;
  const registry = createKnownBuilds({ key, buildStore, place, nowSeconds });
  const { end } = registry;
  let own: string | null = null;

  const leasing = { maxOutputBytes, place, buildStore };
  const sweep = async (): Promise<void> => buildStore?.sweep(nowSeconds(), (entry) => place.clear(entry));
  const sweeping =
    buildStoreOptions === null
      ? null
      : createSweepTimer(sweep, (error) =>
          buildStoreOptions.onProblem(`Old builds could not be checked: ${error}`),
        );

  const served = (entry: ServedBuild) => ({
    buildId: entry.buildId,
    ended: entry.ended,
    end: () => entry.end,
    giveUp: (code: Parameters<Build['giveUp']>[0], message: string) =>
      void end(entry, failedWith(code, message)),
    async release() {
      await end(entry, failedWith('CANCELLED', 'Cancelled by the notebook'));
      await entry.finalizing?.catch(() => undefined);
      entry.isTaken = true;
      await rm(entry.dir, { recursive: true, force: true });
      await buildStore?.write(entry);
    },
  });

  return {
    setAddress(url) {
      own = url.replace(/\/+$/, '');
      sweeping?.start();
    },
    async begin(build, signal) {
      const serverUrl = build.serverUrl?.replace(/\/+$/, '') ?? own;
      if (serverUrl === null) return null;
      const buildId = `nbbuild-${randomBytes(6).toString('hex')}`;
      const { metadata, inputs, notebookId } = build;
      const entry = createServedBuild({
        buildId,
        serverUrl,
        key,
        inputs,
        metadata,
        executorRef: metadata.executor_ref,
        isBegunHere: true,
        artifactId: `nb_remote_${notebookId}_${buildId}`,
        expiresAt: await place.goodUntil(nowSeconds() + Math.max(expirySeconds, build.lifetimeSeconds)),
        createdAt: nowSeconds(),
        dir: buildStore?.dirOf(buildId) ?? build.dir,
        accept: (file) => build.accept(file),
        onConsole: (stream, chunk) => build.onConsole(stream, chunk),
        attempts: new Map(),
      });
      registry.add(entry);
      try {
        await place.putInputs(entry, signal);
        signal.throwIfAborted();
        const manifest = await leaseManifest(entry, metadata, { ...leasing, expiresAt: entry.expiresAt });
        return { ...served(entry), manifest, state: () => stateOf(entry) };
      } catch (error) {
        await end(entry, failedWith('BUILD_FAILED', 'The build could not be started'));
        signal.throwIfAborted();
        throw error;
      }
    },
    async left(buildId) {
      const entry = await registry.find(buildId);
      if (entry === null || entry.isTaken || entry.end?.state === 'failed') return null;
      // Its run is in this process and gets the output.
      if (entry.isBegunHere && entry.end === null) return null;
      return { ...served(entry), file: join(entry.dir, OUTPUT_FILE) };
    },
    async status(buildId) {
      const entry = await registry.find(buildId);
      return entry === null ? null : statusOf(entry);
    },
    async manifest(buildId) {
      const entry = await registry.find(buildId);
      if (entry === null) throw new BuildRefusal(404, 'Build not found');
      return renewedLeaseManifest(entry, { ...leasing, until: nowSeconds() + expirySeconds });
    },
    download: (query) => inputFileFor(registry, query),
    upload: (query, body) => receiveUpload(registry, query, body),
    log: (buildId, query, body) => receiveLog(registry, { buildId, query, body }),
    finalize: (buildId, query, body) =>
      finalizeBuild(registry, { place, maxOutputBytes, nowSeconds }, { buildId, query, body }),
    sweep,
    async close() {
      sweeping?.stop();
      await buildStore?.close();
    },
  };
}
