import type { StoredObject, UploadTarget } from '../artifacts/blobStore.ts';

/**
 * The operations of one vendor's buckets by complete key, apart from transferring files: look up, remove, sign. Each
 * throws StoreProblem.
 */
export interface BucketKeys {
  lookUp(key: string, signal: AbortSignal): Promise<StoredObject | null>;
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** The latest expiry, in epoch seconds, for a URL signed now. */
  latest(): Promise<number>;
  signRead(key: string, expiresAt: number): Promise<string>;
  signUpload(
    key: string,
    limits: { readonly maxBytes: number; readonly expiresAt: number },
  ): Promise<UploadTarget>;
}

/** S3 and Google sign for seven days at most. */
export const SEVEN_DAYS_SECONDS = 7 * 24 * 60 * 60;

/**
 * The whole seconds from now until `expiresAt`, which signatures count: a URL is never valid for less than announced.
 */
export function secondsUntil(expiresAt: number): number {
  return Math.max(1, Math.ceil(expiresAt - Date.now() / 1000));
}
