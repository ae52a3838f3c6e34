import { Storage } from '@google-cloud/storage';
import type { StorageOptions } from '../mount/credentials.ts';
import { gsConfig, gsProblem, untilAborted } from '../mount/remote/gsStore.ts';
import { type BucketKeys, SEVEN_DAYS_SECONDS } from './bucketKeys.ts';

/**
 * A Google Cloud Storage bucket, with signed URLs for reading and signed forms for uploads
 * (docs/spec/worker-protocol.md, 5.4).
 */
export async function gsKeys(bucketName: string, options: StorageOptions): Promise<BucketKeys> {
  const storage = new Storage(gsConfig(options));
  const bucket = storage.bucket(bucketName);
  const place = (key: string) => `gs://${bucketName}/${key}`;
  return {
    async lookUp(key, signal) {
      try {
        const [{ size, generation }] = await untilAborted(bucket.file(key).getMetadata(), signal);
        return { bytes: Number(size ?? 0), etag: String(generation ?? '') };
      } catch (error) {
        if (isNotFound(error) && (await untilAborted(bucket.exists(), signal))[0]) return null;
        throw gsProblem(error, { place: place(key), doing: 'read' });
      }
    },
    async remove(key, signal) {
      try {
        await untilAborted(bucket.file(key).delete({ ignoreNotFound: true }), signal);
      } catch (error) {
        throw gsProblem(error, { place: place(key), doing: 'write' });
      }
    },
    // A minute less: the client counts from the moment it signs.
    latest: async () => Date.now() / 1000 + SEVEN_DAYS_SECONDS - 60,
    async signRead(key, expiresAt) {
      try {
        const [url] = await bucket
          .file(key)
          .getSignedUrl({ version: 'v4', action: 'read', expires: Math.ceil(expiresAt) * 1000 });
        return url;
      } catch (error) {
        throw gsProblem(error, { place: place(key), doing: 'read' });
      }
    },
    async signUpload(key, { maxBytes, expiresAt }) {
      try {
        const [{ url, fields }] = await bucket.file(key).generateSignedPostPolicyV4({
          expires: Math.ceil(expiresAt) * 1000,
          conditions: [['content-length-range', 0, maxBytes]] as unknown as object[], // a list is an object
        });
        // With a custom endpoint the client omits the bucket.
        const own = storage.customEndpoint ? `${storage.apiEndpoint}/${bucketName}` : url;
        return { url: own, method: 'POST', fields };
      } catch (error) {
        throw gsProblem(error, { place: place(key), doing: 'write' });
      }
    },
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 404;
}
