/** The interface of the place where a build's files are transferred: this server or a bucket. */

import type { UploadTarget } from '../artifacts/blobStore.ts';
import type { ServedBuild } from './servedBuild.ts';

/** The output that finalize received. */
export interface TakenOutput {
  readonly bytes: number;
  /** On this machine; null if it exceeds the size limit. */
  readonly file: string | null;
}

/**
 * Where a worker fetches a build's inputs and uploads its output: routes of this server, or a bucket. All but
 * `clear` throw BlobProblem if the place cannot be used.
 */
export interface BuildPlace {
  /** How long URLs signed now can be valid, up to the requested time, in epoch seconds. */
  goodUntil(requestedSeconds: number): Promise<number>;
  /** Call once, before anything is signed. */
  putInputs(build: ServedBuild, signal: AbortSignal): Promise<void>;
  readUrl(build: ServedBuild, input: number, expiresAt: number): Promise<string>;
  /** The signed upload of the build's current lease. */
  uploadTarget(build: ServedBuild, expiresAt: number): Promise<UploadTarget>;
  /** The output of that lease; null if nothing was uploaded. */
  take(build: ServedBuild): Promise<TakenOutput | null>;
  /** Nothing of the build is needed any more. */
  clear(build: ServedBuild): void;
}
