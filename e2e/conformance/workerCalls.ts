/** Sends push, pull and cancel requests to a worker under test, for the conformance tests. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ReadBundle, readBundle } from '../../src-main/exec/outputBundle/readBundle.ts';
import type { PushEnvelopeInput } from '../../src-shared/wire/worker/envelope.ts';

/** The worker that is tested, with the data that its caller needs. */
export interface WorkerUnderTest {
  readonly url: string;
  readonly token: string | null;
}

export interface Part {
  readonly field: string;
  readonly file: string;
  readonly bytes: Buffer | string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body of a refusal. */
  readonly body: Record<string, unknown> | null;
  /** The bundle of a 200. */
  readonly bundle: ReadBundle | null;
  /** The folder with the bundle's files. */
  readonly dir: string;
}

type Params = PushEnvelopeInput['transform']['params'];

export function envelope(source: string, more: Partial<Params> = {}, inputs: unknown[] = []): object {
  return {
    protocol_version: 'v1',
    build_id: `notebook-${Math.random().toString(16).slice(2, 14)}`,
    origin: 'notebook',
    transform: {
      ref: 'notebook_cell@v1',
      params: { source, timeout_seconds: 60, mounts: [], env: {}, ...more },
    },
    inputs,
  };
}

const folders: string[] = [];

export async function freshFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'cellar-conformance-'));
  folders.push(dir);
  return dir;
}

export async function removeFolders(): Promise<void> {
  await Promise.all(folders.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
}

export function authorization({ token }: WorkerUnderTest): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Sends one push request, with either envelope. */
export async function push(
  worker: WorkerUnderTest,
  metadata: object | string | null,
  options: {
    readonly path?: string;
    readonly parts?: readonly Part[];
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answer> {
  const form = new FormData();
  if (metadata !== null) {
    const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
    form.append('metadata', new Blob([text], { type: 'application/json' }), 'metadata.json');
  }
  for (const { field, file, bytes } of options.parts ?? [])
    form.append(field, new Blob([new Uint8Array(Buffer.from(bytes as string))]), file);
  const response = await fetch(worker.url + (options.path ?? '/v1/execute'), {
    method: 'POST',
    body: form,
    headers: { ...authorization(worker), ...options.headers },
  });
  return readAnswer(response);
}

export async function pullRaw(
  worker: WorkerUnderTest,
  body: string,
  path = '/v1/execute-manifest',
): Promise<Answer> {
  const response = await fetch(worker.url + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...authorization(worker) },
  });
  return readAnswer(response);
}

async function readAnswer(response: Response): Promise<Answer> {
  const dir = await freshFolder();
  const isTar = response.headers.get('content-type') === 'application/x-tar';
  if (!isTar) {
    const text = await response.text();
    const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text };
    return { status: response.status, headers: response.headers, body, bundle: null, dir };
  }
  const from = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  const bundle = await readBundle(from, { dir, maxMemberBytes: 64 * 1024 * 1024 });
  return { status: response.status, headers: response.headers, body: null, bundle, dir };
}

export async function cancel(worker: WorkerUnderTest, buildId: string): Promise<unknown> {
  const response = await fetch(`${worker.url}/v1/executions/${buildId}/cancel`, {
    method: 'POST',
    headers: authorization(worker),
  });
  return response.json();
}
