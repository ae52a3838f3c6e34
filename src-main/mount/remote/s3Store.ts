/** S3 buckets as the store of a mount. This file is loaded on first use. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { streamTo } from '../../lib/guardedFolder/replace.ts';
import type { StorageOptions } from '../credentials.ts';
import { type ObjectStore, problemFor, type RemoteObject, StoreProblem } from './objectStore.ts';
import { optionText, optionTrue } from './storeOptions.ts';

/** The maximum body of a single PUT; larger files are uploaded in parts. */
const ONE_PIECE_BYTES = 64 * 2 ** 20;

/** Opens a bucket of S3 or a compatible server (`endpoint_url`). */
export async function openS3(bucket: string, options: StorageOptions): Promise<ObjectStore> {
  const client = new S3Client(s3Config(options));
  const place = (key: string) => `s3://${bucket}/${key}`;
  return {
    async list(prefix, signal) {
      const objects: RemoteObject[] = [];
      try {
        const pages = paginateListObjectsV2(
          { client },
          { Bucket: bucket, Prefix: prefix },
          { abortSignal: signal },
        );
        for await (const page of pages) {
          for (const { Key, Size, ETag, LastModified } of page.Contents ?? []) {
            if (Key === undefined) continue;
            const etag = (ETag ?? '').replaceAll('"', '');
            objects.push({ key: Key, size: Size ?? 0, etag, modified: LastModified?.toISOString() ?? '' });
          }
        }
      } catch (error) {
        throw s3Problem(error, { place: place(prefix), doing: 'list' });
      }
      return objects;
    },
    async download({ key, etag }, file, signal) {
      try {
        const response = await client.send(
          new GetObjectCommand({
            Bucket: bucket,
            Key: key,
            ...(etag === '' ? {} : { IfMatch: `"${etag}"` }),
          }),
          { abortSignal: signal },
        );
        if (!(response.Body instanceof Readable))
          throw new StoreProblem(`${place(key)} came without a body.`);
        await pipeline(response.Body, streamTo(file), { signal });
      } catch (error) {
        throw s3Problem(error, { place: place(key), doing: 'read' });
      }
    },
    async upload(file, key, signal) {
      const { size } = await stat(file);
      try {
        if (size <= ONE_PIECE_BYTES) {
          const body = createReadStream(file);
          const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentLength: size });
          await client.send(command, { abortSignal: signal });
          return;
        }
        const abortController = new AbortController();
        signal.addEventListener('abort', () => abortController.abort(), { once: true });
        // S3 allows at most 10,000 parts; queueSize parts are in memory at a time.
        const partSize = Math.max(8 * 2 ** 20, Math.ceil(size / 9_000));
        const params = { Bucket: bucket, Key: key, Body: createReadStream(file) };
        await new Upload({ client, params, queueSize: 2, partSize, abortController }).done();
      } catch (error) {
        throw s3Problem(error, { place: place(key), doing: 'write' });
      }
    },
  };
}

/** The client's options, from names as in fsspec's s3fs, which users know from Python, and as in the AWS tools. */
export function s3Config(options: StorageOptions): S3ClientConfig {
  const text = (...names: string[]) => optionText(options, names);
  const endpoint = text('endpoint_url', 'endpoint');
  const accessKeyId = text('key', 'access_key_id', 'aws_access_key_id', 'username');
  const secretAccessKey = text('secret', 'secret_access_key', 'aws_secret_access_key', 'password');
  const sessionToken = text('token', 'session_token', 'aws_session_token');
  const profile = text('profile');
  const region = text('region', 'region_name', 'aws_region') ?? process.env['AWS_REGION'] ?? 'us-east-1';
  const config: S3ClientConfig = {
    region,
    followRegionRedirects: true,
    // Compatible servers support neither the newer checksums nor a bucket in the host name.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: milliseconds(options['connect_timeout']) ?? 10_000,
      socketTimeout: milliseconds(options['read_timeout']) ?? 60_000,
    },
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
  };
  if (optionTrue(options, ['anon'])) {
    return {
      ...config,
      credentials: { accessKeyId: '', secretAccessKey: '' },
      signer: { sign: async (request) => request },
    };
  }
  if (accessKeyId !== null && secretAccessKey !== null) {
    const session = sessionToken === null ? {} : { sessionToken };
    return { ...config, credentials: { accessKeyId, secretAccessKey, ...session } };
  }
  return profile === null ? config : { ...config, profile };
}

/** The milliseconds of a number of seconds. */
function milliseconds(seconds: unknown): number | null {
  return typeof seconds === 'number' && seconds > 0 ? Math.max(1, Math.round(seconds * 1000)) : null;
}

/** The service's message, without the request in it. */
export function s3Problem(
  error: unknown,
  about: { readonly place: string; readonly doing: 'list' | 'read' | 'write' },
): StoreProblem {
  if (error instanceof StoreProblem) return error;
  if (!(error instanceof Error)) return problemFor(null, { ...about, detail: String(error) });
  if (error.name === 'CredentialsProviderError') {
    return new StoreProblem(
      `${about.place} needs a credential. Set one (credential=…), or set anon = true for public data.`,
    );
  }
  const meta = '$metadata' in error ? error.$metadata : null;
  const status =
    typeof meta === 'object' &&
    meta !== null &&
    'httpStatusCode' in meta &&
    typeof meta.httpStatusCode === 'number'
      ? meta.httpStatusCode
      : null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  // An error's message may contain the request; its name never does.
  return problemFor(status, { ...about, detail: code });
}
