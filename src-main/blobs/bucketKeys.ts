import type { FoundBlob, UploadTarget } from '../artifacts/blobStore.ts';

/** What one kind of bucket can beside carrying files: keys are whole. Each throws StoreProblem. */
export interface BucketKeys {
  look(key: string, signal: AbortSignal): Promise<FoundBlob | null>;
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** The latest time, in epoch seconds, an address signed now can be good until. */
  latest(): Promise<number>;
  signRead(key: string, expiresAt: number): Promise<string>;
  signUpload(
    key: string,
    limits: { readonly maxBytes: number; readonly expiresAt: number },
  ): Promise<UploadTarget>;
}

/** S3 and Google sign for seven days at most. */
export const SEVEN_DAYS_SECONDS = 7 * 24 * 60 * 60;

/** Signatures count whole seconds from now: an address is never good for less than it says. */
export function secondsUntil(expiresAt: number): number {
  return Math.max(1, Math.ceil(expiresAt - Date.now() / 1000));
}
