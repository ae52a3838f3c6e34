/** Google Cloud Storage as the store of a mount. This file is loaded on first use. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type StorageOptions as ClientOptions, Storage } from '@google-cloud/storage';
import { streamTo } from '../../lib/guardedFolder/replace.ts';
import type { StorageOptions } from '../credentials.ts';
import { type ObjectStore, problemFor, StoreProblem } from './objectStore.ts';
import { optionText, optionTrue } from './storeOptions.ts';

/** Opens a bucket of Google Cloud Storage. */
export async function openGs(bucketName: string, options: StorageOptions): Promise<ObjectStore> {
  const client = new Storage(gsConfig(options));
  const bucket = client.bucket(bucketName);
  const location = optionText(options, ['default_bucket_location']);
  const place = (key: string) => `gs://${bucketName}/${key}`;
  return {
    async list(prefix, signal) {
      try {
        const [files] = await untilAborted(bucket.getFiles({ prefix }), signal);
        const objects = files.map(({ name, metadata }) => ({
          key: name,
          size: Number(metadata.size ?? 0),
          etag: String(metadata.generation ?? metadata.etag ?? ''),
          modified: metadata.updated ?? '',
        }));
        return objects;
      } catch (error) {
        throw gsProblem(error, { place: place(prefix), doing: 'list' });
      }
    },
    async download({ key, etag }, file, signal) {
      try {
        const version = bucket.file(key, etag === '' ? {} : { generation: etag });
        await pipeline(version.createReadStream(), streamTo(file), { signal });
      } catch (error) {
        // The listed generation no longer exists when the object was overwritten.
        throw gsProblem(error, { place: place(key), doing: 'read' });
      }
    },
    async upload(file, key, signal) {
      const write = async (): Promise<void> => {
        signal.throwIfAborted();
        const target = bucket.file(key);
        const small = (await stat(file)).size <= ONE_PIECE_BYTES;
        // A session started by the stream itself sends no credential to a custom endpoint (client 7.22.0).
        const how = small
          ? { resumable: false }
          : { uri: (await untilAborted(target.createResumableUpload(), signal))[0] };
        await pipeline(createReadStream(file), target.createWriteStream(how), { signal });
      };
      try {
        await write().catch(async (error: unknown) => {
          if (location === null || statusOf(error) !== 404) throw error;
          await untilAborted(createBucket(client, bucketName, location), signal);
          await write();
        });
      } catch (error) {
        throw gsProblem(error, { place: place(key), doing: 'write' });
      }
    },
  };
}

/** Creates a bucket, unless another program was faster. */
async function createBucket(client: Storage, name: string, location: string): Promise<void> {
  try {
    await client.createBucket(name, { location });
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
  }
}

/**
 * The maximum size of a single-request upload; larger files use a session that survives a broken connection.
 */
const ONE_PIECE_BYTES = 8 * 2 ** 20;

/**
 * Waits for a request unless the signal is aborted first. The client cannot be cancelled: its pending requests are left
 * to end.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The client's options, from names as in fsspec's gcsfs: `token` is a key file, its content, or `anon`. */
export function gsConfig(options: StorageOptions): ClientOptions {
  const apiEndpoint = optionText(options, ['endpoint_url', 'endpoint']);
  const projectId = optionText(options, ['project', 'project_id']);
  const base: ClientOptions = {
    retryOptions: { maxRetries: 2 },
    // Without it the client sends no credential to a custom endpoint.
    useAuthWithCustomEndpoint: true,
    ...(apiEndpoint === null ? {} : { apiEndpoint }),
    ...(projectId === null ? {} : { projectId }),
  };
  const token = options['token'];
  const json = typeof token === 'string' && token.trimStart().startsWith('{') ? parsed(token) : token;
  if (optionTrue(options, ['anon']) || token === 'anon') {
    return { apiEndpoint: PUBLIC_ENDPOINT, ...base, ...ANONYMOUS };
  }
  if (typeof json === 'object' && json !== null) {
    return { ...base, credentials: json as NonNullable<ClientOptions['credentials']> }; // the fields of a key file
  }
  return typeof json === 'string' ? { ...base, keyFilename: json } : base;
}

/** The vendor's own endpoint, in the form for which the client accepts missing credentials. */
const PUBLIC_ENDPOINT = 'https://storage.googleapis.com/';
/** With these options the client requests no token. */
const ANONYMOUS: ClientOptions = { useAuthWithCustomEndpoint: false, projectId: 'anonymous' };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (_notJson) {
    throw new StoreProblem('The `token` of the mount is not a key file or its content.');
  }
}

/** The service's message, without the request in it. */
export function gsProblem(
  error: unknown,
  about: { readonly place: string; readonly doing: 'list' | 'read' | 'write' },
): StoreProblem {
  if (error instanceof StoreProblem) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (error instanceof Error && /default credentials/i.test(error.message)) {
    return new StoreProblem(
      `${about.place} needs a credential. Set one (credential=…), or set anon = true for public data.`,
    );
  }
  const status = statusOf(error);
  const detail =
    status === null ? (typeof code === 'string' ? code : 'no answer') : 'from Google Cloud Storage';
  return problemFor(status, { ...about, detail });
}

/** The status of the service's answer. Errors of a session have it in a different place. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'number') return error.code;
  return 'status' in error && typeof error.status === 'number' ? error.status : null;
}
