import type { SignedOutput } from '../../src-shared/wire/worker/pull.ts';

/** Where whoever holds it may put one object, once or again, as long as it is good (worker-protocol 5.4). */
export type UploadTarget = Pick<SignedOutput, 'url' | 'fields' | 'headers'> & {
  readonly method: 'POST' | 'PUT';
};

/** One object as it was found. */
export interface FoundBlob {
  readonly bytes: number;
  /** Changes with the bytes. */
  readonly etag: string;
}

/**
 * A bucket or container for bytes that others fetch and deliver by signed addresses. Names are keys below its prefix.
 * Each method throws a {@link BlobProblem} for what the store will not or cannot do.
 */
export interface BlobStore {
  /** As a person knows it: `s3://bucket/prefix`. */
  readonly place: string;
  put(name: string, file: string, signal: AbortSignal): Promise<void>;
  /** Null where there is none. */
  look(name: string, signal: AbortSignal): Promise<FoundBlob | null>;
  /** Those very bytes, to a file that is not there yet, never more of them than were found. */
  fetch(name: string, found: FoundBlob, file: string, signal: AbortSignal): Promise<void>;
  /** One that is not there is removed already. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** How long an address signed now can be good, in epoch seconds: as long as is wished, or as long as the store lets it. */
  goodUntil(wishedSeconds: number): Promise<number>;
  signRead(name: string, expiresAt: number): Promise<string>;
  signUpload(
    name: string,
    limits: { readonly maxBytes: number; readonly expiresAt: number },
  ): Promise<UploadTarget>;
}

/** What a store will not or cannot do, in words a person can use. */
export class BlobProblem extends Error {
  override readonly name = 'BlobProblem';
}
