/** Serves the routes of the artifact store that accept bytes, and writes them to disk as they arrive. */

import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { AppError } from '../../src-shared/wire/errors.ts';
import {
  importMetadata,
  provenanceUploadMetadata,
  putArtifactBody,
  ARTIFACT_UPLOAD_ROUTES as ROUTES,
} from '../../src-shared/wire/routes/artifactUploads.ts';
import { BodyTooLarge, type ReceivedBlob } from '../registry/blobFiles.ts';
import type { Registry } from '../registry/registry.ts';
import type { RegistryService } from '../registry/registryService.ts';
import { type TransformSpec, uriOf } from '../registry/versionRow.ts';
import { type Caller, requireScope } from './caller.ts';
import { InvalidRequest } from './errorAnswer.ts';
import { fastifyPath } from './fastifyPath.ts';
import { readRest } from './pipeline/readRest.ts';
import { matchOf, nameIfGiven, partyOf, refOf } from './routes/registryParty.ts';
import { check } from './validation.ts';

/** Limit of a metadata part and of a JSON body (docs/spec/rest-core.md). */
const MAX_METADATA_BYTES = 16 * 1024 * 1024;

interface ArtifactUploadOptions {
  readonly registry: RegistryService;
  readonly identify: (request: FastifyRequest) => Caller;
  readonly maxUploadBytes: number;
}

/**
 * Routes of the artifact store that accept bytes: the body is written to disk as it arrives and is never in memory as a
 * whole.
 */
export function serveArtifactUploads(http: FastifyInstance, options: ArtifactUploadOptions): void {
  const { registry: service, identify, maxUploadBytes } = options;
  const maxMetadata = Math.min(MAX_METADATA_BYTES, maxUploadBytes);
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const refuse = scope.errorHandler;
    scope.setErrorHandler((error, request, reply) => {
      if (!request.raw.readableEnded) readRest(request.raw);
      const refusal =
        error instanceof BodyTooLarge ? new AppError('payload_too_large', tooLarge(maxUploadBytes)) : error;
      return refuse.call(scope, refusal as never, request, reply);
    });
    const begin = async (request: FastifyRequest) => {
      const caller = identify(request);
      requireScope(caller, 'artifacts:write');
      return { registry: await service.open(), party: partyOf(caller) };
    };

    const putArtifact = async (request: FastifyRequest) => {
      const { registry, party } = await begin(request);
      return withParts(request, { registry, maxMetadata, maxUploadBytes }, async ({ metadata, data }) => {
        const body = read(putArtifactBody, metadata, 'body');
        if (data === null && body.data === undefined) throw missing('data');
        const blob = data ?? (await registry.receiveJson(body.data));
        try {
          const { executor, params } = body.transform;
          const spec = { executor, inputs: body.inputs, params };
          const { row, hit } = await registry.put({ spec, blob }, party);
          const registration = nameIfGiven(registry, body.name, { row, party });
          return { artifact_uri: uriOf(row), hit, byte_size: row.byteSize ?? 0, ...registration };
        } finally {
          registry.discard(blob);
        }
      });
    };
    scope.put(ROUTES.putArtifact.path, putArtifact);
    scope.post(ROUTES.postArtifact.path, putArtifact);

    scope.put(fastifyPath(ROUTES.putByProvenance.path), async (request) => {
      const { provenance_hash } = read(ROUTES.putByProvenance.params, request.params, 'path');
      const { registry, party } = await begin(request);
      return withParts(request, { registry, maxMetadata, maxUploadBytes }, async ({ metadata, data }) => {
        const fields = read(provenanceUploadMetadata, metadata, 'body');
        if (data === null) throw missing('data');
        const row = await registry.putByProvenance(
          {
            provenanceHash: provenance_hash,
            contentType: fields.content_type,
            artifactId: fields.artifact_id ?? null,
            rowCount: fields.row_count ?? null,
            schemaJson: fields.schema_json ?? null,
            details: present({
              variable_name: fields.variable_name,
              build_env: fields.build_env,
              build_duration_ms: fields.build_duration_ms,
              env_hash: fields.env_hash,
              shared_run: fields.shared_run,
              promotion: fields.promotion,
            }),
            blob: data,
          },
          party,
        );
        return matchOf(row);
      });
    });

    scope.put(fastifyPath(ROUTES.stageImportBlob.path), async (request, reply) => {
      const { sha256 } = read(ROUTES.stageImportBlob.params, request.params, 'path');
      const { registry, party } = await begin(request);
      const blob = await registry.receive(request.raw, maxUploadBytes);
      if (blob.sha256 !== sha256) {
        registry.discard(blob);
        throw new AppError('bad_request', `The body has SHA-256 ${blob.sha256}, not ${sha256}.`);
      }
      registry.stageImport(blob, party);
      reply.code(201);
      return { content_sha256: sha256, byte_size: blob.byteSize };
    });

    scope.post(ROUTES.importArtifact.path, async (request) => {
      const { remap } = read(ROUTES.importArtifact.query, request.query, 'query');
      const { registry, party } = await begin(request);
      return withParts(request, { registry, maxMetadata, maxUploadBytes }, async ({ metadata, data }) => {
        const fields = read(importMetadata, metadata, 'body');
        const { row, written, remapped } = await registry.importVersion(
          {
            id: fields.id,
            version: fields.version,
            state: fields.state,
            remap,
            blob: data,
            provenanceHash: fields.provenance_hash,
            createdAt: fields.created_at,
            schemaJson: fields.schema_json ?? null,
            rowCount: fields.row_count ?? null,
            byteSize: fields.byte_size ?? null,
            principal: fields.principal ?? null,
            transformSpec: specOf(fields.transform_spec),
            inputVersions: textsOf(fields.input_versions),
            contentSha256: fields.content_sha256 ?? null,
            contentType: fields.content_type ?? null,
          },
          party,
        );
        return { artifact_uri: uriOf(row), id: row.id, version: row.version, written, remapped };
      });
    });

    scope.post(fastifyPath(ROUTES.uploadArtifactVersion.path), async (request) => {
      const params = read(ROUTES.uploadArtifactVersion.params, request.params, 'path');
      const { registry, party } = await begin(request);
      const ref = refOf(params);
      registry.get(ref, party);
      const blob = await registry.receive(request.raw, maxUploadBytes);
      try {
        registry.upload(ref, blob, party);
      } finally {
        registry.discard(blob);
      }
      return { status: 'uploaded', byte_size: blob.byteSize };
    });
  });
}

interface Parts {
  /** The metadata part of a form, or the JSON body. */
  readonly metadata: unknown;
  readonly data: ReceivedBlob | null;
}

interface PartLimits {
  readonly registry: Registry;
  readonly maxMetadata: number;
  readonly maxUploadBytes: number;
}

/** Reads a JSON body or a form. Received files that were not used are removed after `answer`. */
async function withParts<T>(
  request: FastifyRequest,
  limits: PartLimits,
  answer: (parts: Parts) => Promise<T>,
): Promise<T> {
  const type = request.headers['content-type'] ?? '';
  const parts = type.startsWith('multipart/form-data')
    ? await readForm(request, limits)
    : { metadata: parseJson(await bufferOf(request.raw, limits.maxMetadata)), data: null };
  try {
    return await answer(parts);
  } finally {
    if (parts.data !== null) limits.registry.discard(parts.data);
  }
}

async function readForm(
  request: FastifyRequest,
  { registry, maxMetadata, maxUploadBytes }: PartLimits,
): Promise<Parts> {
  const form = formOf(request, maxMetadata);
  let metadata: Promise<Buffer> | null = null;
  let data: Promise<ReceivedBlob> | null = null;
  const failed = new Promise<never>((_resolve, reject) => {
    form.on('field', (name, value, info) => {
      if (name !== 'metadata') return;
      metadata = Promise.resolve(Buffer.from(value));
      if (info.valueTruncated) reject(new AppError('payload_too_large', tooLarge(maxMetadata)));
    });
    form.on('file', (name, stream) => {
      // When a form is cut off, its open part fails too; the form itself reports it.
      stream.on('error', reject);
      if (name === 'metadata') {
        metadata = bufferOf(stream, maxMetadata);
        metadata.catch(reject);
      } else if (name === 'data' && data === null) {
        data = registry.receive(stream, maxUploadBytes);
        data.catch(reject);
      } else stream.resume();
    });
    form.on('error', (error: Error) =>
      reject(new AppError('bad_request', `The form cannot be read: ${error.message}.`)),
    );
    request.raw.once('aborted', () => reject(new AppError('bad_request', 'The upload was interrupted.')));
  });
  const closed = new Promise<void>((resolve) => form.once('close', resolve));
  request.raw.pipe(form);
  try {
    await Promise.race([closed, failed]);
    const text = await (metadata as Promise<Buffer> | null);
    if (text === null) throw missing('metadata');
    return { metadata: parseJson(text), data: await (data as Promise<ReceivedBlob> | null) };
  } catch (error) {
    const received = await (data as Promise<ReceivedBlob> | null)?.catch(() => null);
    if (received !== null && received !== undefined) registry.discard(received);
    throw error;
  } finally {
    request.raw.unpipe(form);
    failed.catch(() => undefined);
  }
}

/** @throws AppError bad_request for a form without a boundary */
function formOf(request: FastifyRequest, maxMetadata: number): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      limits: { fieldSize: maxMetadata, fileSize: Number.POSITIVE_INFINITY, parts: 10 },
      defParamCharset: 'utf8',
    });
  } catch (error) {
    throw new AppError(
      'bad_request',
      `The form cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

async function bufferOf(stream: Readable, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += (piece as Buffer).length;
    if (length > maxBytes) throw new AppError('payload_too_large', tooLarge(maxBytes));
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw new InvalidRequest([{ loc: ['body'], msg: 'Input should be valid JSON', type: 'json_invalid' }]);
  }
}

/** @throws InvalidRequest */
function read<T extends z.ZodType>(schema: T, raw: unknown, where: 'body' | 'path' | 'query'): z.output<T> {
  const checked = check(schema, { raw, where });
  if (!checked.ok) throw new InvalidRequest(checked.parts);
  return checked.value as z.output<T>; // parsed by the same schema
}

function missing(part: string): InvalidRequest {
  return new InvalidRequest([{ loc: ['body', part], msg: 'Field required', type: 'missing' }]);
}

function tooLarge(maxBytes: number): string {
  return `The request is larger than ${maxBytes.toLocaleString('en-US')} bytes.`;
}

type JsonField = string | Readonly<Record<string, unknown>> | null | undefined;

function objectOf(field: JsonField): Readonly<Record<string, unknown>> | null {
  if (field === null || field === undefined) return null;
  const value: unknown = typeof field === 'string' ? parseJson(Buffer.from(field)) : field;
  return z.record(z.string(), z.unknown()).safeParse(value).data ?? null;
}

function specOf(field: JsonField): TransformSpec | null {
  const spec = objectOf(field);
  if (spec === null) return null;
  const { executor, inputs, params } = spec;
  return {
    executor: typeof executor === 'string' ? executor : 'unknown',
    ...(Array.isArray(inputs) ? { inputs: inputs.map(String) } : {}),
    params: z.record(z.string(), z.unknown()).safeParse(params).data ?? {},
  };
}

function textsOf(field: JsonField): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(objectOf(field) ?? {}).map(([key, value]) => [key, String(value)]),
  );
}

/** The fields that have a value. */
function present<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> }; // fields without a value were dropped
}
