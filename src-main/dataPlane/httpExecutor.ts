/** Runs a transform of the data plane on another server over HTTP. */

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { RecordBatchReader } from 'apache-arrow';
import { parseArtifactUri } from '../artifacts/uri.ts';
import type { TransformEntry } from '../config/transformRegistry.ts';
import { ipcStream } from '../iceberg/read/ipcStream.ts';
import type { Scan } from '../iceberg/read/readScan.ts';
import { type FilePart, multipart } from '../lib/http/multipart.ts';
import { sendHttpRequest, textOf } from '../lib/http/request.ts';
import { tryParseJson } from '../lib/tryParseJson.ts';
import type { ReceivedBlob } from '../registry/blobFiles.ts';
import { spacedJson } from '../registry/provenance.ts';
import type { Registry } from '../registry/registry.ts';
import type { Party, TransformSpec } from '../registry/versionRow.ts';
import { BuildFailure } from './build.ts';
import type { ResolvedInput } from './inputs.ts';

const PROTOCOL_VERSION = 'v1';
/** The limit of an executor's error text. */
const MAX_DETAIL = 8_192;

interface HttpRun {
  readonly entry: TransformEntry;
  readonly spec: TransformSpec;
  readonly provenanceHash: string;
  /** `input0`, `input1`, … in this order. */
  readonly inputs: readonly ResolvedInput[];
  readonly registry: Registry;
  readonly party: Party;
  /** The rows of a table at the version that was resolved. */
  readonly scan: (input: Extract<ResolvedInput, { kind: 'table' }>, signal: AbortSignal) => Promise<Scan>;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  readonly buildId: string;
  /** Receives the function that removes the files of the inputs; call it at the end in any case. */
  readonly onFiles: (remove: () => void) => void;
}

/**
 * Runs a transform on another server (docs/spec/core-services.md, 1): the inputs are sent as Arrow streams, and the
 * answer is one. Inputs that are tables are read to disk first, so that the form has a length.
 * @throws BuildFailure, RegistryError, IcebergError; more come from the iteration
 */
export async function httpRows(run: HttpRun): Promise<Scan> {
  const received: ReceivedBlob[] = [];
  // An executor may reply before it has read all inputs, so they stay until its reply has been read.
  run.onFiles(() => {
    for (const blob of received) run.registry.discard(blob);
  });
  const files = await inputFiles(run, received);
  const answer = await send(run, files);
  keepLogs(run, answer);
  if (answer.statusCode !== 200) throw await refusalBy(run, answer);
  return rowsOf(run, answer);
}

async function inputFiles(run: HttpRun, received: ReceivedBlob[]): Promise<readonly FilePart[]> {
  const { entry, registry, party, scan, signal } = run;
  const files: FilePart[] = [];
  let left = entry.maxInputBytes ?? Number.POSITIVE_INFINITY;
  for (const [i, input] of run.inputs.entries()) {
    let path: string;
    if (input.kind === 'table') {
      const pieces = limited(ipcStream(await scan(input, signal)), left, () => inputTooLarge(entry));
      const blob = await registry.receive(Readable.from(pieces, { highWaterMark: 1 }), Infinity);
      received.push(blob);
      path = blob.path;
    } else {
      const ref = parseArtifactUri(`svc://artifact/${input.version}`);
      if (ref === null) throw new Error(`${input.version} is not a version of an artifact`);
      path = registry.dataFile(ref, party).path;
    }
    const { size } = await stat(path);
    left -= size;
    if (left < 0) throw inputTooLarge(entry);
    files.push({ field: `input${i}`, name: `input${i}.arrow`, path, bytes: size });
  }
  return files;
}

async function send(run: HttpRun, files: readonly FilePart[]): Promise<IncomingMessage> {
  const { entry, spec, party, signal } = run;
  // Not JSON.stringify: parameters keep whole numbers that a double cannot hold.
  const metadata = spacedJson({
    protocol_version: PROTOCOL_VERSION,
    build_id: run.buildId,
    tenant: party.tenant,
    principal: party.principal,
    provenance_hash: run.provenanceHash,
    transform: { ref: spec.executor, code_hash: codeHash(spec), params: spec.params },
    inputs: files.map(({ field }) => ({ name: field, format: 'arrow_ipc_stream' })),
  });
  const form = multipart(metadata, files);
  try {
    return await sendHttpRequest({
      method: 'POST',
      url: `${entry.url}/v1/execute`,
      signal,
      body: form,
      headers: { 'Content-Type': form.contentType, 'X-Svc-Executor-Protocol': PROTOCOL_VERSION },
      // The deadline of the build ends a request that takes too long.
      idleMs: 0,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new BuildFailure('REQUEST_FAILED', `${nameOf(run)} cannot be reached: ${reason(error)}.`);
  }
}

/** The first 16 digits of the digest of what the transform is, without its inputs. */
function codeHash({ executor, params }: TransformSpec): string {
  return createHash('sha256').update(spacedJson({ executor, params })).digest('hex').slice(0, 16);
}

function keepLogs({ registry, buildId }: HttpRun, { headers }: IncomingMessage): void {
  const { 'x-svc-logs': logs } = headers;
  if (typeof logs === 'string') registry.builds.log(buildId, Buffer.from(logs, 'base64').toString('utf8'));
}

async function refusalBy(run: HttpRun, answer: IncomingMessage): Promise<BuildFailure> {
  const status = answer.statusCode ?? 0;
  const text = await textOf(answer, MAX_DETAIL);
  answer.destroy();
  const body = tryParseJson(text);
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined;
  const why = (typeof detail === 'string' ? detail : text).trim();
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect
    ? 'it redirects to another address, and inputs are not sent there; set executor_url to the final address'
    : `it returned ${status}${why === '' ? '' : `: ${why}`}`;
  return new BuildFailure('EXECUTOR_HTTP_ERROR', `${nameOf(run)} failed: ${reason}`);
}

async function rowsOf(run: HttpRun, answer: IncomingMessage): Promise<Scan> {
  const tooLarge = (): BuildFailure =>
    new BuildFailure(
      'OUTPUT_TOO_LARGE',
      `${nameOf(run)} returned more than ${run.maxOutputBytes.toLocaleString('en-US')} bytes. Return fewer rows, or raise max_output_bytes of its entry in the registry.`,
    );
  const pieces = limited(answer as AsyncIterable<Uint8Array>, run.maxOutputBytes, tooLarge);
  const unreadable = (error: unknown): unknown => {
    if (error instanceof BuildFailure || run.signal.aborted) return error;
    return new BuildFailure(
      'PROTOCOL_ERROR',
      `The answer of ${nameOf(run)} is not an Arrow stream: ${reason(error)}.`,
    );
  };
  try {
    const reader = await RecordBatchReader.from(pieces);
    const { schema } = await reader.open();
    if (schema === undefined) throw new Error('it has no schema');
    async function* batches() {
      try {
        for await (const batch of reader) yield batch;
      } catch (error) {
        throw unreadable(error);
      } finally {
        answer.destroy();
      }
    }
    return { schema, batches: batches() };
  } catch (error) {
    answer.destroy();
    throw unreadable(error);
  }
}

/** The pieces, up to a total of `most` bytes. */
async function* limited(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
  tooLarge: () => Error,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) throw tooLarge();
    yield piece;
  }
}

function inputTooLarge({ ref, maxInputBytes }: TransformEntry): BuildFailure {
  const most = (maxInputBytes ?? 0).toLocaleString('en-US');
  return new BuildFailure(
    'INPUT_TOO_LARGE',
    `The inputs have more than ${most} bytes, the limit of ${ref} in the registry of transforms. Read fewer rows or columns, or raise max_input_bytes.`,
  );
}

/** The URL without credentials, for messages and records. */
export function shownUrl(url: string): string {
  const plainUrl = new URL(url);
  plainUrl.username = '';
  plainUrl.password = '';
  return plainUrl.href.replace(/\/$/, '');
}

function nameOf({ spec, entry }: HttpRun): string {
  return `The executor of ${spec.executor} (${shownUrl(entry.url)})`;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
