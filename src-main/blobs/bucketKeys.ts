import type { FoundBlob, UploadTarget } from '../artifacts/blobStore.ts';

/**
 * The operations of one kind of bucket besides transferring files: keys are complete. Each throws
 * StoreProblem.
 */
export interface BucketKeys {
  look(key: string, signal: AbortSignal): Promise<FoundBlob | null>;
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** The latest expiry, in epoch seconds, for an address signed now. */
  latest(): Promise<number>;
  signRead(key: string, expiresAt: number): Promise<string>;
  signUpload(
    key: string,
    limits: { readonly maxBytes: number; readonly expiresAt: number },
  ): Promise<UploadTarget>;
}

/** S3 and Google sign for seven days at most. */
export const SEVEN_DAYS_SECONDS = 7 * 24 * 60 * 60;

/** Signatures count whole seconds from now: an address is never valid for less than announced. */
export function secondsUntil(expiresAt: number): number {
  return Math.max(1, Math.ceil(expiresAt - Date.now() / 1000));
}
