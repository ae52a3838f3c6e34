import { BlobSASPermissions, RestError } from '@azure/storage-blob';
import type { StorageOptions } from '../mount/credentials.ts';
import { azProblem, azService } from '../mount/remote/azStore.ts';
import { type BucketKeys, SEVEN_DAYS_SECONDS } from './bucketKeys.ts';

/**
 * An Azure container as a bucket with URLs signed by the account's key; an upload is a PUT
 * (docs/spec/worker-protocol.md, 5.4).
 */
export async function azKeys(containerName: string, options: StorageOptions): Promise<BucketKeys> {
  const container = (await azService(containerName, options)).getContainerClient(containerName);
  const place = (key: string) => `az://${containerName}/${key}`;
  const signed = (key: string, permissions: string, expiresAt: number): Promise<string> =>
    container.getBlobClient(key).generateSasUrl({
      permissions: BlobSASPermissions.parse(permissions),
      expiresOn: new Date(Math.ceil(expiresAt) * 1000),
    });
  return {
    async lookUp(key, abortSignal) {
      try {
        const { contentLength = 0, etag = '' } = await container
          .getBlobClient(key)
          .getProperties({ abortSignal });
        return { bytes: contentLength, etag };
      } catch (error) {
        // A reply without a body does not tell whether the blob or its container is missing.
        if (error instanceof RestError && error.statusCode === 404) {
          if (await container.exists({ abortSignal })) return null;
        }
        throw azProblem(error, { place: place(key), doing: 'read' });
      }
    },
    async remove(key, abortSignal) {
      try {
        await container.getBlobClient(key).deleteIfExists({ abortSignal });
      } catch (error) {
        throw azProblem(error, { place: place(key), doing: 'write' });
      }
    },
    // The account's key does not expire; the limit is the same as for the other stores.
    latest: async () => Date.now() / 1000 + SEVEN_DAYS_SECONDS,
    signRead: (key, expiresAt) => signed(key, 'r', expiresAt),
    async signUpload(key, { expiresAt }) {
      const url = await signed(key, 'cw', expiresAt);
      return { url, method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' } };
    },
  };
}
