/** Transfers the inputs and outputs of a build on a worker through a bucket with signed URLs. */

import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobProblem, type BlobStore } from '../artifacts/blobStore.ts';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';
import type { BuildPlace } from './buildPlace.ts';
import { attemptName, blobKeyOf, OUTPUT_FILE, type ServedBuild } from './servedBuild.ts';

/** Timeout for one request to the bucket, in addition to the transfer of bytes. */
const SMALL_MS = 60_000;
/** How long after the expiry of the last URL the names are deleted once more: nothing can be uploaded then. */
const AFTER_MS = 60_000;
/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;
const AT_ONCE = 4;

interface BucketOptions {
  readonly store: BlobStore;
  readonly maxOutputBytes: number;
  /** Called when something could not be removed. */
  readonly onLeft?: (message: string) => void;
  readonly now?: () => number;
}

/**
 * Transfers inputs and outputs through a bucket whose URLs are signed for one build
 * (docs/spec/worker-protocol.md, 5.4). A signed URL cannot be revoked: every lease uploads under its own name, only the
 * current one is read, and names are deleted at the end and once more after the last URL has expired.
 */
export function bucketPlace({
  store,
  maxOutputBytes,
  onLeft = () => undefined,
  now = Date.now,
}: BucketOptions): BuildPlace {
  const inputName = ({ buildId }: ServedBuild, at: number): string => `builds/${buildId}/input-${at}`;
  const small = (): AbortSignal => AbortSignal.timeout(SMALL_MS);
  const empty = async (names: readonly string[]): Promise<void> => {
    const removals = await Promise.allSettled(names.map((name) => store.remove(name, small())));
    const problem = removals.find((one) => one.status === 'rejected');
    if (problem !== undefined)
      onLeft(`${names.length} objects may be left in ${store.place}: ${problem.reason}`);
  };
  return {
    goodUntil: (wantedUntil) => store.goodUntil(wantedUntil),
    async putInputs(build, signal) {
      const { inputs } = build;
      for (let from = 0; from < inputs.length; from += AT_ONCE) {
        const some = inputs.slice(from, from + AT_ONCE);
        await Promise.all(some.map(({ path }, i) => store.put(inputName(build, from + i), path, signal)));
      }
    },
    readUrl: (build, at, expiresAt) => store.signRead(inputName(build, at), expiresAt),
    uploadTarget(build, expiresAt) {
      return store.signUpload(blobKeyOf(build, attemptName(build)), { maxBytes: maxOutputBytes, expiresAt });
    },
    async take(build) {
      const name = blobKeyOf(build, attemptName(build));
      const blob = await store.lookUp(name, small());
      if (blob === null) return null;
      // Azure does not limit uploads, so the size is checked here (docs/spec/worker-protocol.md, 5.4).
      if (blob.bytes > maxOutputBytes) return { bytes: blob.bytes, file: null };
      const file = join(build.dir, OUTPUT_FILE);
      await mkdir(build.dir, { recursive: true, mode: PRIVATE_FOLDER });
      await rm(file, { force: true });
      await store.fetch(name, blob, file, AbortSignal.timeout(fetchMs(blob.bytes)));
      const { size } = await stat(file);
      if (size !== blob.bytes) throw new BlobProblem(`${store.place} sent ${size} of ${blob.bytes} bytes.`);
      return { bytes: size, file };
    },
    clear(build) {
      const outputs = [...build.attempts.keys()].map((attempt) => blobKeyOf(build, attempt));
      void empty([...build.inputs.map((_, at) => inputName(build, at)), ...outputs]);
      const lastMs = Math.max(0, ...build.attempts.values()) * 1000 - now() + AFTER_MS;
      if (lastMs > 0) setTimeout(() => void empty(outputs), Math.min(lastMs, LONGEST_MS)).unref();
    },
  };
}

/** Assumes a slow connection of 256 KiB a second. */
function fetchMs(bytes: number): number {
  return SMALL_MS + Math.ceil(bytes / 256);
}
