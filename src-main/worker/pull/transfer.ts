/** The transfers of a pull run on the worker: download of inputs, upload of the bundle, notice to the server. */

import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BUNDLE_CONTENT_TYPE, BUNDLE_FORMAT } from '../../../src-shared/wire/worker/protocol.ts';
import type { SignedOutput } from '../../../src-shared/wire/worker/pull.ts';
import type { PackedBundle } from '../../exec/outputBundle/packBundle.ts';
import { newFile } from '../../lib/newFile.ts';
import { WorkerRefusal } from '../refusal.ts';
import { SignedProblem, sendSigned, shownUrl, textOf } from './signedRequest.ts';
import type { UrlGuard } from './urlGuard.ts';

/**
 * The connection settings of a pull run's three transfers. A failed transfer is a 502
 * (docs/spec/worker-protocol.md, 13).
 */
export interface Transfer {
  readonly guard: UrlGuard;
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

const UPLOADED: ReadonlySet<number> = new Set([200, 201, 204]);

/** Streams an input to a file. @throws WorkerRefusal 413 if it exceeds `maxBytes`, as declared or received; 502 */
export async function download(
  { guard, idleMs, signal }: Transfer,
  {
    name,
    url,
    path,
    maxBytes,
  }: { readonly name: string; readonly url: string; readonly path: string; readonly maxBytes: number },
): Promise<void> {
  await in502(`Downloading the input ${JSON.stringify(name)} failed`, async () => {
    const response = await sendSigned(guard, { url, method: 'GET', idleMs, signal });
    await needStatus(response, { url, isGood: (status) => status === 200 });
    const tooLarge = (): WorkerRefusal =>
      new WorkerRefusal(
        413,
        `Input ${JSON.stringify(name)} exceeds ${maxBytes} bytes (SVC_WORKER_MAX_INPUT_BYTES)`,
      );
    const declared = Number(response.headers['content-length'] ?? Number.NaN);
    if (declared > maxBytes) {
      response.destroy();
      throw tooLarge();
    }
    let bytes = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(bytes > maxBytes ? tooLarge() : null, chunk);
      },
    });
    await pipeline(response, measure, newFile(path));
    if (Number.isFinite(declared) && bytes !== declared)
      throw new SignedProblem(`${shownUrl(url)}: it was cut off`);
  });
}

/** Uploads the bundle as the request specifies: form, PUT or plain POST. @throws WorkerRefusal 502 */
export async function upload(
  { guard, idleMs, signal }: Transfer,
  output: SignedOutput,
  bundle: PackedBundle,
): Promise<void> {
  await in502('Uploading the output bundle failed', async () => {
    const { url, fields, headers, method } = output;
    const common = { url, idleMs, signal };
    const response =
      fields !== null && fields !== undefined
        ? await sendSigned(guard, { ...common, method: 'POST', ...formOf(fields, bundle) })
        : await sendSigned(guard, {
            ...common,
            method: method === 'PUT' ? 'PUT' : 'POST',
            headers: {
              ...(method === 'PUT' ? {} : { 'content-type': BUNDLE_CONTENT_TYPE }),
              ...lowered(headers ?? {}),
              'content-length': String(bundle.bytes),
            },
            body: bundle.stream(),
          });
    await needStatus(response, { url, isGood: (status) => UPLOADED.has(status) });
    response.resume();
  });
}

/** Notifies the server that the bundle is uploaded. @returns its response @throws WorkerRefusal 502 */
export function finalize({ guard, idleMs, signal }: Transfer, url: string): Promise<unknown> {
  return in502('Finalizing the build failed', async () => {
    const body = Buffer.from(JSON.stringify({ output_format: BUNDLE_FORMAT }));
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const response = await sendSigned(guard, { url, method: 'POST', headers, body, idleMs, signal });
    await needStatus(response, { url, isGood: (status) => status === 200 });
    const text = await textOf(response);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new SignedProblem(`${shownUrl(url)}: its answer is not JSON`);
    }
  });
}

async function in502<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WorkerRefusal) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EMFILE'].includes(code)) throw error;
    throw new WorkerRefusal(502, `${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function needStatus(
  response: IncomingMessage,
  { url, isGood }: { readonly url: string; readonly isGood: (status: number) => boolean },
): Promise<void> {
  const status = response.statusCode ?? 0;
  if (isGood(status)) return;
  const text = (await textOf(response).catch(() => '')).trim().slice(0, 300);
  response.destroy();
  const what = status >= 300 && status < 400 ? `${status}, and redirects are not followed` : String(status);
  throw new SignedProblem(`${shownUrl(url)} answered ${what}${text === '' ? '' : `: ${text}`}`);
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The given fields, then the bundle as `file`, because object stores ignore fields after the file. */
function formOf(
  fields: Readonly<Record<string, string>>,
  bundle: PackedBundle,
): { readonly headers: Record<string, string>; readonly body: Readable } {
  const boundary = `svc-${crypto.randomUUID()}`;
  const name = (text: string) => text.replace(/[\r\n"]/g, encodeURIComponent);
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name(field)}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bundle.tar"\r\nContent-Type: ${BUNDLE_CONTENT_TYPE}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body(): AsyncGenerator<Buffer> {
    yield head;
    for await (const piece of bundle.stream()) yield piece as Buffer;
    yield tail;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + bundle.bytes + tail.length),
    },
    body: Readable.from(body()),
  };
}
