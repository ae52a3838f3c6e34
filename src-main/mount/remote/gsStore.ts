import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type StorageOptions as ClientOptions, Storage } from '@google-cloud/storage';
import type { StorageOptions } from '../credentials.ts';
import { type ObjectStore, problemFor, StoreProblem } from './objectStore.ts';
import { optionText, optionTrue } from './storeOptions.ts';

/** A bucket of Google Cloud Storage. This file is loaded at the first use. */
export async function openGs(bucketName: string, options: StorageOptions): Promise<ObjectStore> {
  const bucket = new Storage(configOf(options)).bucket(bucketName);
  const place = (key: string) => `gs://${bucketName}/${key}`;
  return {
    async list(prefix, signal) {
      try {
        const [files] = await bucket.getFiles({ prefix });
        signal.throwIfAborted();
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
        await pipeline(version.createReadStream(), createWriteStream(file, { flags: 'wx' }), { signal });
      } catch (error) {
        // The listed generation is gone when the object was written again.
        throw gsProblem(error, { place: place(key), doing: 'read' });
      }
    },
    async upload(file, key, signal) {
      try {
        signal.throwIfAborted();
        await bucket.upload(file, { destination: key });
      } catch (error) {
        throw gsProblem(error, { place: place(key), doing: 'write' });
      }
    },
  };
}

/** Names as fsspec's gcsfs has them: `token` is a key file, its content, or `anon`. */
function configOf(options: StorageOptions): ClientOptions {
  const apiEndpoint = optionText(options, ['endpoint_url', 'endpoint']);
  const projectId = optionText(options, ['project', 'project_id']);
  const base: ClientOptions = {
    retryOptions: { maxRetries: 3 },
    ...(apiEndpoint === null ? {} : { apiEndpoint }),
    ...(projectId === null ? {} : { projectId }),
  };
  const token = options['token'];
  const json = typeof token === 'string' && token.trimStart().startsWith('{') ? parsed(token) : token;
  if (optionTrue(options, ['anon']) || token === 'anon') {
    return { ...base, ...ANONYMOUS };
  }
  if (typeof json === 'object' && json !== null) {
    return { ...base, credentials: json as NonNullable<ClientOptions['credentials']> }; // the fields of a key file
  }
  return typeof json === 'string' ? { ...base, keyFilename: json } : base;
}

/** The client asks for no token where it is told that the endpoint needs none. */
const ANONYMOUS: ClientOptions = { useAuthWithCustomEndpoint: false, projectId: 'anonymous' };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (_notJson) {
    throw new StoreProblem('The `token` of the mount is neither a key file nor its content.');
  }
}

function gsProblem(
  error: unknown,
  about: { readonly place: string; readonly doing: 'list' | 'read' | 'write' },
): StoreProblem {
  if (error instanceof StoreProblem) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (error instanceof Error && /default credentials/i.test(error.message)) {
    return new StoreProblem(
      `${about.place} needs a credential and there is none: name one (credential=…), or set anon = true for public data.`,
    );
  }
  const status = typeof code === 'number' ? code : null;
  const detail =
    status === null ? (typeof code === 'string' ? code : 'no answer') : 'from Google Cloud Storage';
  return problemFor(status, { ...about, detail });
}
