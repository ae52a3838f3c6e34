/** Serves the routes by which workers fetch cells to run (builds) and deliver their results. */

import { statSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BUILD_ROUTES } from '../../src-shared/wire/routes/builds.ts';
import type { BuildStatus } from '../../src-shared/wire/worker/build.ts';
import { BuildRefusal } from '../builds/buildRefusal.ts';
import type { Builds } from '../builds/builds.ts';
import type { Query } from '../builds/signedUrls.ts';
import type { DataPlane } from '../dataPlane/api.ts';
import { TailBuffer } from '../exec/tailBuffer.ts';
import { streamOf } from '../lib/pieces.ts';
import { uriOf } from '../registry/versionRow.ts';
import { type Caller, requireScope } from './caller.ts';
import { fastifyPath } from './fastifyPath.ts';
import { readRest } from './pipeline/readRest.ts';
import { partyOf } from './routes/registryParty.ts';

/** Limit of one posted piece of console output. */
const MAX_LOG_BYTES = 256 * 1024;
const MAX_JSON_BYTES = 64 * 1024;

/** Identifies callers, and the builds that this server runs itself. */
interface BuildGate {
  readonly identify: (request: FastifyRequest) => Caller;
  readonly dataPlane: Pick<DataPlane, 'build'>;
}

/**
 * The build transport (docs/spec/worker-protocol.md, 5.1, 5.2; docs/spec/signed-builds.md). Bodies are streamed between
 * disk and network, so these routes read their requests themselves, by their contracts.
 */
export function serveBuilds(http: FastifyInstance, builds: Builds, { identify, dataPlane }: BuildGate): void {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const refuse = scope.errorHandler;
    scope.setErrorHandler((error, request, reply) => {
      if (!request.raw.readableEnded) readRest(request.raw);
      if (!(error instanceof BuildRefusal)) return refuse.call(scope, error as never, request, reply);
      const code = error.code === null ? {} : { error_code: error.code };
      return reply.code(error.status).send({ detail: error.message, ...code });
    });
    for (const { path, scope: requiredScope } of [
      BUILD_ROUTES.buildStatus,
      BUILD_ROUTES.artifactBuildStatus,
    ]) {
      scope.get(fastifyPath(path), async (request) => {
        const caller = identify(request);
        requireScope(caller, requiredScope);
        const id = buildIdOf(request);
        const status = (await builds.status(id)) ?? (await planeStatus(dataPlane, id, caller));
        if (status === null) throw new BuildRefusal(404, 'Build not found');
        return status;
      });
    }
    scope.get(fastifyPath(BUILD_ROUTES.buildManifest.path), async (request) => {
      requireScope(identify(request), BUILD_ROUTES.buildManifest.scope);
      return builds.manifest(buildIdOf(request));
    });
    scope.get(BUILD_ROUTES.downloadArtifact.path, (request, reply) => download(builds, request, reply));
    scope.post(BUILD_ROUTES.uploadArtifact.path, (request) => {
      const length = request.headers['content-length'];
      const declaredBytes = length === undefined ? null : Number(length);
      return builds.upload(request.query as Query, { stream: request.raw, declaredBytes }); // Fastify's parser returns an object
    });
    scope.post(fastifyPath(BUILD_ROUTES.buildLog.path), async (request, reply) => {
      const tail = new TailBuffer(MAX_LOG_BYTES);
      for await (const piece of request.raw) tail.push(piece as Buffer); // a stream without encoding yields buffers
      reply.code(202);
      return builds.log(buildIdOf(request), request.query as Query, Buffer.from(tail.held()));
    });
    scope.post(fastifyPath(BUILD_ROUTES.finalizeBuild.path), async (request) => {
      const body = await jsonOf(request);
      return builds.finalize(buildIdOf(request), request.query as Query, body);
    });
  });
}

async function planeStatus(
  dataPlane: Pick<DataPlane, 'build'>,
  id: string,
  caller: Caller,
): Promise<BuildStatus | null> {
  const build = await dataPlane.build(id, partyOf(caller));
  if (build === null) return null;
  return {
    build_id: build.buildId,
    artifact_id: build.id,
    version: build.version,
    state: build.state,
    artifact_uri: uriOf(build),
    executor_ref: build.executorRef,
    progress: null,
    created_at: build.createdAt,
    started_at: build.startedAt,
    completed_at: build.completedAt,
    error_message: build.errorMessage,
    error_code: build.errorCode,
  };
}

function buildIdOf(request: FastifyRequest): string {
  return (request.params as { build_id: string }).build_id; // a parameter of the route
}

async function download(builds: Builds, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = await builds.download(request.query as Query);
  const bytes = statSync(path, { throwIfNoEntry: false })?.size;
  if (bytes === undefined) throw new BuildRefusal(404, 'Artifact not found');
  return reply
    .headers({
      'Content-Type': 'application/octet-stream',
      'Content-Length': bytes,
      'Content-Disposition': 'attachment',
      'Content-Security-Policy': 'sandbox',
      'Cache-Control': 'private, no-store',
    })
    .send(streamOf([{ path, bytes }]));
}

/** Undefined if the body is not JSON; its reader then reports the expected form. */
async function jsonOf(request: FastifyRequest): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request.raw) {
    length += (piece as Buffer).length;
    if (length > MAX_JSON_BYTES) throw new BuildRefusal(413, 'The body is too long');
    pieces.push(piece as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
