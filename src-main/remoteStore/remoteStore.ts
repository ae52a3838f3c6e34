/** Client for the artifact store of another server, which a team shares. */

import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as z from 'zod';
import { type ProvenanceMatch, provenanceMatch } from '../../src-shared/wire/routes/artifacts.ts';
import type { provenanceUploadMetadata } from '../../src-shared/wire/routes/artifactUploads.ts';
import { removeFile } from '../lib/guardedFolder/names.ts';
import { streamTo } from '../lib/guardedFolder/replace.ts';
import { createPause } from './pause.ts';
import { RemoteStoreProblem } from './remoteStoreProblem.ts';
import {
  jsonOfAnswer,
  type Method,
  type RequestContext,
  type RestOptions,
  readAs,
  refusalOf,
  send,
  shownUrl,
} from './rest.ts';

/** A download that receives nothing for this long is aborted. */
const STALLED_MS = 20_000;

/** The artifact store of another server, which several servers share (SVC_NOTEBOOK_REMOTE_STORE_URL). */
export interface RemoteStore {
  readonly url: string;
  /** Whether the store is used; false for a while after a failure, and then nothing waits for it. */
  isAwake(): boolean;
  /**
   * The ready version with a provenance; null if there is none.
   * @throws RemoteStoreProblem
   */
  match(provenanceHash: string, ask: RequestContext): Promise<ProvenanceMatch | null>;
  /**
   * Downloads the bytes of a version to a new file. An incomplete download, or one with other bytes than
   * announced, leaves nothing.
   * @throws RemoteStoreProblem
   */
  download(
    match: Pick<ProvenanceMatch, 'artifact_id' | 'version' | 'content_sha256' | 'byte_size'>,
    to: { readonly file: string; readonly onBytes?: (received: number) => void },
    ask: RequestContext,
  ): Promise<void>;
  /**
   * Stores a file under a provenance; the first writer wins.
   * @returns the stored version
   */
  put(
    provenanceHash: string,
    item: { readonly file: string; readonly metadata: z.input<typeof provenanceUploadMetadata> },
    ask: RequestContext,
  ): Promise<ProvenanceMatch>;
  /**
   * Adds a version with its file through the import route.
   * @returns its answer
   */
  importVersion(
    item: { readonly file: string; readonly metadata: unknown },
    ask: RequestContext,
  ): Promise<unknown>;
  /**
   * A request with a JSON answer.
   * @throws RemoteStoreProblem, also for a refusal
   */
  call(method: Method, path: string, body: unknown, ask: RequestContext): Promise<unknown>;
}

interface RemoteStoreOptions extends RestOptions {
  /** Milliseconds of a clock that only moves forward; for tests. */
  readonly now?: () => number;
  readonly onProblem: (words: string) => void;
}

export function createRemoteStore(options: RemoteStoreOptions): RemoteStore {
  const { url, onProblem } = options;
  const pause = createPause(options.now);

  /** Runs a request. A failure of the store, but not of the caller, pauses it for a while. */
  const watched = async <T>(ask: RequestContext, work: () => Promise<T>): Promise<T> => {
    try {
      const value = await work();
      pause.end();
      return value;
    } catch (error) {
      if (error instanceof RemoteStoreProblem && isItsFault(error, ask)) {
        const wasOn = pause.isOn();
        const seconds = pause.begin();
        if (!wasOn) onProblem(`${error.message} Cellar tries it again in ${seconds} s.`);
      }
      throw error;
    }
  };
  const parsed = async (response: Response): Promise<ProvenanceMatch> =>
    readAs(provenanceMatch, await jsonOfAnswer(response, url), url);

  return {
    url,
    isAwake: () => !pause.isOn(),
    match: (provenanceHash, ask) =>
      watched(ask, async () => {
        const path = `/v1/artifacts/by-provenance/${provenanceHash}`;
        const response = await send(options, { method: 'GET', path }, ask);
        if (response.status === 404 && response.headers.get('x-svc-provenance-miss') === '1') {
          await response.body?.cancel();
          return null;
        }
        if (!response.ok) throw await refusalOf(response, url);
        return parsed(response);
      }),
    download: (match, to, ask) => watched(ask, () => download(options, match, to, ask)),
    put: (provenanceHash, { file, metadata }, ask) =>
      watched(ask, async () => {
        const body = await formOf(file, metadata);
        const path = `/v1/artifacts/by-provenance/${provenanceHash}`;
        const response = await send(options, { method: 'PUT', path, body }, ask);
        if (!response.ok) throw await refusalOf(response, url);
        return parsed(response);
      }),
    importVersion: ({ file, metadata }, ask) =>
      watched(ask, async () => {
        const body = await formOf(file, metadata);
        const path = '/v1/artifacts/import?remap=true';
        const response = await send(options, { method: 'POST', path, body }, ask);
        if (!response.ok) throw await refusalOf(response, url);
        return jsonOfAnswer(response, url);
      }),
    call: (method, path, body, ask) =>
      watched(ask, async () => {
        const request = { method, path, ...(body === null ? {} : { body }) };
        const response = await send(options, request, ask);
        if (!response.ok) throw await refusalOf(response, url);
        return jsonOfAnswer(response, url);
      }),
  };
}

async function formOf(file: string, metadata: unknown): Promise<FormData> {
  const form = new FormData();
  form.append('metadata', JSON.stringify(metadata));
  form.append('data', await openAsBlob(file), 'data');
  return form;
}

/** Whether a failure is the store's: no answer, a server error, or refused access. The next request would fail too. */
function isItsFault({ status }: RemoteStoreProblem, { signal }: RequestContext): boolean {
  const isStopped = signal.aborted && !isTimeout(signal.reason);
  if (isStopped) return false;
  return (
    status === null || status >= 500 || status === 401 || status === 403 || (status >= 300 && status < 400)
  );
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

async function download(
  options: RestOptions,
  match: Parameters<RemoteStore['download']>[0],
  { file, onBytes }: Parameters<RemoteStore['download']>[1],
  ask: RequestContext,
): Promise<void> {
  const { artifact_id, version, content_sha256, byte_size } = match;
  if (content_sha256 === null || byte_size === null) {
    throw new RemoteStoreProblem(
      `The shared store ${shownUrl(options.url)} sent no digest for ${artifact_id}, so the result is not used.`,
      200,
    );
  }
  const stalled = new AbortController();
  const whenStalled = () => stalled.abort(new DOMException('it sent nothing for a while', 'TimeoutError'));
  let timer = setTimeout(whenStalled, STALLED_MS);
  const signal = AbortSignal.any([ask.signal, stalled.signal]);
  try {
    const path = `/v1/artifacts/${encodeURIComponent(artifact_id)}/v/${version}/data`;
    const response = await send(options, { method: 'GET', path }, { ...ask, signal });
    if (!response.ok || response.body === null) throw await refusalOf(response, options.url);
    const hash = createHash('sha256');
    let received = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        clearTimeout(timer);
        timer = setTimeout(whenStalled, STALLED_MS);
        received += chunk.length;
        hash.update(chunk);
        onBytes?.(received);
        done(
          received > byte_size ? new RemoteStoreProblem(wrong(options.url, artifact_id), 200) : null,
          chunk,
        );
      },
    });
    await pipeline(Readable.fromWeb(response.body as never), count, streamTo(file), { signal }); // one of two types
    if (received !== byte_size || hash.digest('hex') !== content_sha256) {
      throw new RemoteStoreProblem(wrong(options.url, artifact_id), 200);
    }
  } catch (error) {
    removeFile(file);
    if (error instanceof RemoteStoreProblem) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new RemoteStoreProblem(
      `The download of ${artifact_id} from the shared store ${shownUrl(options.url)} was interrupted: ${text}.`,
      null,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

function wrong(url: string, id: string): string {
  return `The shared store ${shownUrl(url)} sent bytes for ${id} that do not match their digest, so they are not used.`;
}
