/** S3 buckets for builds on workers: signed URLs for reading and signed upload forms. */

import { createHmac } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { StorageOptions } from '../mount/credentials.ts';
import { s3Config, s3Problem } from '../mount/remote/s3Store.ts';
import { type BucketKeys, SEVEN_DAYS_SECONDS, secondsUntil } from './bucketKeys.ts';

/** An S3 bucket, with signed URLs for reading and signed forms for uploads (docs/spec/worker-protocol.md, 5.4). */
export async function s3Keys(Bucket: string, options: StorageOptions): Promise<BucketKeys> {
  const client = new S3Client(s3Config(options));
  const place = (key: string) => `s3://${Bucket}/${key}`;
  const signed = (Key: string, expiresAt: number): Promise<string> =>
    getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: secondsUntil(expiresAt) });
  return {
    async lookUp(Key, abortSignal) {
      try {
        const { ContentLength = 0, ETag = '' } = await client.send(new HeadObjectCommand({ Bucket, Key }), {
          abortSignal,
        });
        return { bytes: ContentLength, etag: ETag.replaceAll('"', '') };
      } catch (error) {
        const problem = s3Problem(error, { place: place(Key), doing: 'read' });
        if (!(error instanceof Error && error.name === 'NotFound')) throw problem;
        // A reply without a body does not tell whether the object or its bucket is missing.
        await client.send(new HeadBucketCommand({ Bucket }), { abortSignal }).catch(() => {
          throw problem;
        });
        return null;
      }
    },
    async remove(Key, abortSignal) {
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal });
      } catch (error) {
        throw s3Problem(error, { place: place(Key), doing: 'write' });
      }
    },
    async latest() {
      const sevenDays = Date.now() / 1000 + SEVEN_DAYS_SECONDS;
      const { expiration } = await client.config.credentials();
      // Signatures of temporary credentials expire with them.
      return expiration === undefined ? sevenDays : Math.min(sevenDays, expiration.getTime() / 1000);
    },
    signRead: signed,
    async signUpload(key, { maxBytes, expiresAt }) {
      const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials();
      const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
      const scope = [day, await client.config.region(), 's3', 'aws4_request'];
      const fields: Record<string, string> = {
        key,
        'x-amz-algorithm': 'AWS4-HMAC-SHA256',
        'x-amz-credential': [accessKeyId, ...scope].join('/'),
        'x-amz-date': `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
        ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
      };
      const conditions = [
        { bucket: Bucket },
        ['content-length-range', 0, maxBytes],
        ...Object.entries(fields).map(([field, value]) => ({ [field]: value })),
      ];
      const policy = Buffer.from(
        JSON.stringify({ expiration: new Date(expiresAt * 1000).toISOString(), conditions }),
      ).toString('base64');
      const signingKey = scope.reduce<string | Buffer>(
        (under, part) => createHmac('sha256', under).update(part).digest(),
        `AWS4${secretAccessKey}`,
      );
      const signature = createHmac('sha256', signingKey).update(policy).digest('hex');
      // However the client writes the bucket's URL, an object's URL begins with it.
      const anObject = new URL(await signed('o', expiresAt));
      return {
        url: `${anObject.origin}${anObject.pathname.replace(/o$/, '')}`,
        method: 'POST',
        fields: { ...fields, policy, 'x-amz-signature': signature },
      };
    },
  };
}
