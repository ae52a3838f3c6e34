import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  BuildErrorCode,
  BuildState,
  BuildStatus,
  FinalizeAnswer,
  LogAnswer,
  UploadAnswer,
} from '../../src-shared/wire/worker/build.ts';
import { finalizeRequest, type PullRequestInput } from '../../src-shared/wire/worker/pull.ts';
import type { Build, BuildEnd, NewBuild } from './build.ts';
import { BAD_QUERY, BuildRefusal, LEASE_LOST, OutputProblem } from './buildRefusal.ts';
import { ChunkOrder } from './chunkOrder.ts';
import { type Incoming, receiveFile } from './receive.ts';
import {
  attemptOf,
  checkSignature,
  floatOf,
  leaseOf,
  type Query,
  type SignedPayload,
  signedQuery,
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
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** The builds of one server: begun by runs, served to workers by signed URLs (core-services 10). */
export interface Builds {
  /** Where this server listens; before that, and where it never does, nothing can be begun. */
  setAddress(url: string): void;
  /** Null where no address leads here. */
  begin(build: NewBuild): Build | null;
  /** Null for a build nobody knows. */
  status(buildId: string): BuildStatus | null;
  /** The manifest anew, for a dispatcher: whoever asks has the lease from now on. @throws BuildRefusal */
  manifest(buildId: string): PullRequestInput;
  /** The file of an input. @throws BuildRefusal */
  download(query: Query): string;
  /** @throws BuildRefusal */
  upload(query: Query, body: Incoming): Promise<UploadAnswer>;
  /** @throws BuildRefusal */
  log(buildId: string, query: Query, body: Buffer): LogAnswer;
  /** @throws BuildRefusal */
  finalize(buildId: string, query: Query, body: unknown): Promise<FinalizeAnswer>;
}

interface Kept {
  readonly build: NewBuild;
  readonly buildId: string;
  readonly artifactId: string;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly address: string;
  readonly consoles: Readonly<Record<'stdout' | 'stderr', ChunkOrder>>;
  readonly resolve: (end: BuildEnd) => void;
  lease: string;
  end: BuildEnd | null;
  endedAt: number | null;
  finalizing: Promise<FinalizeAnswer> | null;
}

const OUTPUT = 'bundle.tar';
const VERSION = 1;
const MANIFEST_OWNER = 'external:manifest';
const LEASE_MORE_SECONDS = 60;
/** Builds that ended and can still be asked about. */
const MOST_ENDED = 200;
const MAX_MESSAGE = 500;

export function createBuilds({
  secret,
  expirySeconds,
  maxOutputBytes,
  now = Date.now,
}: BuildOptions): Builds {
  const key = secret ?? randomBytes(32).toString('hex');
  const builds = new Map<string, Kept>();
  let own: string | null = null;
  const nowSeconds = (): number => now() / 1000;

  const payloads = (kept: Kept, expiresAt: number) => ({
    upload: {
      op: 'upload',
      build_id: kept.buildId,
      max_bytes: maxOutputBytes,
      expires_at: expiresAt,
      ...(kept.lease === '' ? {} : { attempt: attemptOf(kept.lease) }),
    } satisfies SignedPayload,
    log: { op: 'log', build_id: kept.buildId, expires_at: expiresAt } satisfies SignedPayload,
    finalize: {
      op: 'finalize',
      build_id: kept.buildId,
      expires_at: expiresAt,
      lease: kept.lease,
    } satisfies SignedPayload,
  });

  /** Document 1's pull request, with URLs good until `expiresAt`. */
  function manifestOf(kept: Kept, expiresAt: number): PullRequestInput {
    const { build, buildId, artifactId, address } = kept;
    const { upload, log, finalize } = payloads(kept, expiresAt);
    const url = (path: string, payload: SignedPayload, keys: readonly string[]): string =>
      `${address}${path}?${signedQuery(key, payload, keys)}`;
    return {
      build_id: buildId,
      metadata: { build_id: buildId, artifact_id: artifactId, version: VERSION, ...build.metadata },
      inputs: build.inputs.map(({ artifactId: id, version }) => {
        const named = { artifact_id: id, version, build_id: buildId, expires_at: expiresAt };
        const keys = ['artifact_id', 'version', 'build_id', 'expires_at'];
        return {
          url: url('/v1/artifacts/download', { op: 'download', ...named }, keys),
          artifact_id: id,
          version,
          expires_at: expiresAt,
        };
      }),
      output: {
        url: url('/v1/artifacts/upload', upload, ['build_id', 'max_bytes', 'expires_at', 'attempt']),
        max_bytes: maxOutputBytes,
        expires_at: expiresAt,
        method: 'POST',
      },
      finalize_url: url(`/v1/builds/${buildId}/finalize`, finalize, ['expires_at', 'lease']),
      log_url: url(`/v1/builds/${buildId}/log`, log, ['expires_at']),
    };
  }

  /** @throws BuildRefusal 403, 404 */
  function signed(payload: SignedPayload & { readonly build_id: string }, query: Query): Kept {
    checkSignature(key, payload, { signature: textOf(query, 'signature'), nowSeconds: nowSeconds() });
    const kept = builds.get(payload.build_id);
    if (kept === undefined) throw new BuildRefusal(404, 'Build not found');
    return kept;
  }

  function settle(kept: Kept, end: BuildEnd): void {
    if (kept.end !== null) return;
    kept.end = end.state === 'failed' ? { ...end, message: end.message.slice(0, MAX_MESSAGE) } : end;
    kept.endedAt = nowSeconds();
    kept.resolve(kept.end);
    const ended = [...builds.values()].filter((one) => one.end !== null);
    for (const old of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) builds.delete(old.buildId);
  }

  const failing = (kept: Kept, status: 400 | 413, code: BuildErrorCode, message: string): BuildRefusal => {
    settle(kept, { state: 'failed', code, message });
    return new BuildRefusal(status, message, code);
  };

  async function publish(kept: Kept): Promise<FinalizeAnswer> {
    const file = join(kept.build.dir, OUTPUT);
    const size = await stat(file).then(
      (found) => found.size,
      () => null,
    );
    if (size === null) {
      throw failing(kept, 400, 'MISSING_OUTPUT_BLOB', 'Nothing was uploaded that could be published');
    }
    if (size > maxOutputBytes) {
      const words = `The output is ${size} bytes; at most ${maxOutputBytes} are taken`;
      throw failing(kept, 413, 'OUTPUT_TOO_LARGE', words);
    }
    if (kept.end !== null) throw new BuildRefusal(409, LEASE_LOST);
    try {
      await kept.build.accept(file);
    } catch (error) {
      if (error instanceof OutputProblem) throw failing(kept, 400, 'INVALID_NOTEBOOK_BUNDLE', error.message);
      const words = error instanceof Error ? error.message : String(error);
      settle(kept, { state: 'failed', code: 'BUILD_FAILED', message: words });
      throw error;
    }
    // Given up while it was read: who began it takes it no more.
    if (kept.end !== null) throw new BuildRefusal(409, LEASE_LOST);
    settle(kept, { state: 'ready' });
    return {
      status: 'finalized',
      build_id: kept.buildId,
      artifact_uri: uriOf(kept),
      byte_size: size,
      row_count: null,
    };
  }

  return {
    setAddress(url) {
      own = url.replace(/\/+$/, '');
    },
    begin(build) {
      const address = build.address?.replace(/\/+$/, '') ?? own;
      if (address === null) return null;
      const buildId = `nbbuild-${randomBytes(6).toString('hex')}`;
      let resolve: (end: BuildEnd) => void = () => undefined;
      const ended = new Promise<BuildEnd>((done) => {
        resolve = done;
      });
      const kept: Kept = {
        build,
        buildId,
        artifactId: `nb_remote_${build.notebookId}_${buildId}`,
        expiresAt: nowSeconds() + Math.max(expirySeconds, build.lifetimeSeconds),
        createdAt: nowSeconds(),
        address,
        consoles: { stdout: new ChunkOrder(), stderr: new ChunkOrder() },
        resolve,
        lease: '',
        end: null,
        endedAt: null,
        finalizing: null,
      };
      builds.set(buildId, kept);
      return {
        buildId,
        manifest: manifestOf(kept, kept.expiresAt),
        ended,
        end: () => kept.end,
        state: () => stateOf(kept),
        giveUp: (code, message) => settle(kept, { state: 'failed', code, message }),
      };
    },
    status(buildId) {
      const kept = builds.get(buildId);
      return kept === undefined ? null : statusOf(kept);
    },
    manifest(buildId) {
      const kept = builds.get(buildId);
      if (kept === undefined) throw new BuildRefusal(404, 'Build not found');
      if (kept.end !== null) {
        throw new BuildRefusal(400, `Build is ${stateOf(kept)}; only one under way has a manifest`);
      }
      // What is being published is nobody else's to do.
      if (kept.finalizing !== null) throw new BuildRefusal(409, 'The build is being finalized');
      const expiresAt = Math.max(kept.expiresAt, nowSeconds() + expirySeconds);
      kept.lease = renewed(kept.lease, expiresAt + LEASE_MORE_SECONDS);
      return manifestOf(kept, expiresAt);
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
          settle(kept, { state: 'failed', code: error.code, message: error.message });
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
      kept.finalizing = publish(kept);
      return kept.finalizing;
    },
  };
}

/** A lease no earlier one is equal to, even where two are asked for at once. */
function renewed(lease: string, deadlineSeconds: number): string {
  const next = leaseOf(MANIFEST_OWNER, deadlineSeconds);
  return next === lease ? renewed(lease, deadlineSeconds + 0.001) : next;
}

function hasLapsed(lease: string, nowSeconds: number): boolean {
  return lease !== '' && Number(lease.slice(lease.lastIndexOf(':') + 1)) < nowSeconds;
}

function stateOf({ end }: Kept): BuildState {
  return end?.state ?? 'building';
}

function uriOf({ artifactId }: Kept): string {
  return `svc://artifact/${artifactId}@v=${VERSION}`;
}

function statusOf(kept: Kept): BuildStatus {
  const { end, createdAt } = kept;
  const failed = end?.state === 'failed' ? end : null;
  return {
    build_id: kept.buildId,
    artifact_id: kept.artifactId,
    version: VERSION,
    state: stateOf(kept),
    artifact_uri: uriOf(kept),
    executor_ref: kept.build.metadata.executor_ref,
    progress: null,
    created_at: createdAt,
    started_at: createdAt,
    completed_at: kept.endedAt,
    error_message: failed?.message ?? null,
    error_code: failed?.code ?? null,
  };
}
