import type { UploadTarget } from '../artifacts/blobStore.ts';
import type { Kept } from './keptBuild.ts';

/** What finalize found of an output. */
export interface TakenOutput {
  readonly bytes: number;
  /** On this machine; null where it is longer than may be taken. */
  readonly file: string | null;
}

/**
 * Where a worker fetches a build's inputs and puts its output: routes of this server, or a bucket. All but `clear`
 * throw BlobProblem where the place cannot be used.
 */
export interface BuildPlace {
  /** How long its addresses can be good, of what is wished, in epoch seconds. */
  goodUntil(wishedSeconds: number): Promise<number>;
  /** Once, before anything is signed. */
  putInputs(kept: Kept, signal: AbortSignal): Promise<void>;
  readUrl(kept: Kept, input: number, expiresAt: number): Promise<string>;
  /** For the lease the build has now. */
  uploadTarget(kept: Kept, expiresAt: number): Promise<UploadTarget>;
  /** The output of that lease; null where nothing was put. */
  take(kept: Kept): Promise<TakenOutput | null>;
  /** Nothing of the build is wanted any more. */
  clear(kept: Kept): void;
}
