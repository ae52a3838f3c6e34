/**
 * Opens a bucket of S3, Google Cloud Storage or Azure, through which workers fetch inputs and deliver outputs of
 * builds.
 */

import { BlobProblem, type BlobStore } from '../artifacts/blobStore.ts';
import type { StorageOptions } from '../mount/credentials.ts';
import { type ObjectStore, StoreProblem } from '../mount/remote/objectStore.ts';
import type { BucketKeys } from './bucketKeys.ts';

export interface BucketPlace {
  readonly scheme: 's3' | 'gs' | 'az';
  readonly container: string;
  readonly prefix: string;
  readonly options: StorageOptions;
}

/** The vendors' clients, each loaded on first use. */
const KINDS = {
  s3: async () => ({
    open: (await import('../mount/remote/s3Store.ts')).openS3,
    keys: (await import('./s3Keys.ts')).s3Keys,
  }),
  gs: async () => ({
    open: (await import('../mount/remote/gsStore.ts')).openGs,
    keys: (await import('./gsKeys.ts')).gsKeys,
  }),
  az: async () => ({
    open: (await import('../mount/remote/azStore.ts')).openAz,
    keys: (await import('./azKeys.ts')).azKeys,
  }),
} as const;

/** The store of blobs in a bucket; nothing is loaded or contacted before it is used. */
export function openBlobStore({ scheme, container, prefix, options }: BucketPlace): BlobStore {
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  const keyOf = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
  let opened: Promise<{ readonly files: ObjectStore; readonly keys: BucketKeys }> | null = null;
  const open = async () => {
    const { open: openFiles, keys } = await KINDS[scheme]();
    return { files: await openFiles(container, options), keys: await keys(container, options) };
  };
  const using = async <T>(
    work: (bucket: { readonly files: ObjectStore; readonly keys: BucketKeys }) => Promise<T>,
  ): Promise<T> => {
    try {
      opened ??= open();
      return await work(await opened);
    } catch (error) {
      throw asBlobProblem(error);
    }
  };
  return {
    place: `${scheme}://${container}/${folder}`,
    put: (name, file, signal) => using(({ files }) => files.upload(file, keyOf(name), signal)),
    lookUp: (name, signal) => using(({ keys }) => keys.lookUp(keyOf(name), signal)),
    fetch: (name, { bytes, etag }, file, signal) =>
      using(({ files }) =>
        files.download({ key: keyOf(name), size: bytes, etag, modified: '' }, file, signal),
      ),
    remove: (name, signal) => using(({ keys }) => keys.remove(keyOf(name), signal)),
    goodUntil: (wantedUntil) => using(async ({ keys }) => Math.min(wantedUntil, await keys.latest())),
    signRead: (name, expiresAt) => using(({ keys }) => keys.signRead(keyOf(name), expiresAt)),
    signUpload: (name, limits) => using(({ keys }) => keys.signUpload(keyOf(name), limits)),
  };
}

function asBlobProblem(error: unknown): unknown {
  if (error instanceof StoreProblem) return new BlobProblem(error.message, { cause: error });
  const isCredential = error instanceof Error && /credential|sign/i.test(error.name);
  return isCredential
    ? new BlobProblem(`The bucket cannot be used with these credentials: ${error.message}`, { cause: error })
    : error;
}
