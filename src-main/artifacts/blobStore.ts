/**
 * The interface of a bucket that signs URLs, which S3, Google Cloud Storage and Azure implement, for builds on workers.
 */

import type { SignedOutput } from '../../src-shared/wire/worker/pull.ts';

/** A signed URL to put one object, also repeatedly, until it expires (docs/spec/worker-protocol.md, 5.4). */
export type UploadTarget = Pick<SignedOutput, 'url' | 'fields' | 'headers'> & {
  readonly method: 'POST' | 'PUT';
};

/** An existing object. */
export interface StoredObject {
  readonly bytes: number;
  /** The store's own version of the object; it changes with the bytes. */
  readonly etag: string;
}

/**
 * A bucket or container for bytes that others fetch and deliver through signed URLs. Names are keys below its prefix.
 * Each method throws a {@link BlobProblem} for what the store does not or cannot do.
 */
export interface BlobStore {
  /** For messages: `s3://bucket/prefix`. */
  readonly place: string;
  put(name: string, file: string, signal: AbortSignal): Promise<void>;
  /** The object of that name; null if there is none. */
  lookUp(name: string, signal: AbortSignal): Promise<StoredObject | null>;
  /** Fetches exactly these bytes to a file that does not exist yet, never more of them than announced. */
  fetch(name: string, blob: StoredObject, file: string, signal: AbortSignal): Promise<void>;
  /** A missing object counts as removed. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** How long a URL signed now can be valid, in epoch seconds: as long as requested, or as long as the store allows. */
  goodUntil(requestedSeconds: number): Promise<number>;
  signRead(name: string, expiresAt: number): Promise<string>;
  signUpload(
    name: string,
    limits: { readonly maxBytes: number; readonly expiresAt: number },
  ): Promise<UploadTarget>;
}

/** A failure of a store, as a message for a user. */
export class BlobProblem extends Error {
  override readonly name = 'BlobProblem';
}
