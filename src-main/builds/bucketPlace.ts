import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobProblem, type BlobStore } from '../artifacts/blobStore.ts';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';
import type { BuildPlace } from './buildPlace.ts';
import { attemptName, blobKeyOf, type Kept, OUTPUT } from './keptBuild.ts';

/** Timeout for one request to the bucket, in addition to the transfer of bytes. */
const SMALL_MS = 60_000;
/** After the last address has expired, nothing can be uploaded under a name any more. */
const AFTER_MS = 60_000;
/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;
const AT_ONCE = 4;

export interface BucketOptions {
  readonly store: BlobStore;
  readonly maxOutputBytes: number;
  /** Called when something could not be removed. */
  readonly onLeft?: (words: string) => void;
  readonly now?: () => number;
}

/**
 * Transfers inputs and outputs through a bucket whose addresses are signed for one build (worker-protocol
 * 5.4). A signed address cannot be revoked: every lease uploads under its own name, only the current one is
 * read, and names are deleted at the end and once more after the last address has expired.
 */
export function bucketPlace({
  store,
  maxOutputBytes,
  onLeft = () => undefined,
  now = Date.now,
}: BucketOptions): BuildPlace {
  const inputName = ({ buildId }: Kept, at: number): string => `builds/${buildId}/input-${at}`;
  const small = (): AbortSignal => AbortSignal.timeout(SMALL_MS);
  const empty = async (names: readonly string[]): Promise<void> => {
    const done = await Promise.allSettled(names.map((name) => store.remove(name, small())));
    const problem = done.find((one) => one.status === 'rejected');
    if (problem !== undefined)
      onLeft(`${names.length} objects may be left in ${store.place}: ${problem.reason}`);
  };
  return {
    goodUntil: (wished) => store.goodUntil(wished),
    async putInputs(kept, signal) {
      const { inputs } = kept;
      for (let from = 0; from < inputs.length; from += AT_ONCE) {
        const some = inputs.slice(from, from + AT_ONCE);
        await Promise.all(some.map(({ path }, i) => store.put(inputName(kept, from + i), path, signal)));
      }
    },
    readUrl: (kept, at, expiresAt) => store.signRead(inputName(kept, at), expiresAt),
    uploadTarget(kept, expiresAt) {
      return store.signUpload(blobKeyOf(kept, attemptName(kept)), { maxBytes: maxOutputBytes, expiresAt });
    },
    async take(kept) {
      const name = blobKeyOf(kept, attemptName(kept));
      const found = await store.look(name, small());
      if (found === null) return null;
      // Azure does not limit uploads, so the size is checked here (document 1).
      if (found.bytes > maxOutputBytes) return { bytes: found.bytes, file: null };
      const file = join(kept.dir, OUTPUT);
      await mkdir(kept.dir, { recursive: true, mode: PRIVATE_FOLDER });
      await rm(file, { force: true });
      await store.fetch(name, found, file, AbortSignal.timeout(fetchMs(found.bytes)));
      const { size } = await stat(file);
      if (size !== found.bytes) throw new BlobProblem(`${store.place} sent ${size} of ${found.bytes} bytes.`);
      return { bytes: size, file };
    },
    clear(kept) {
      const outputs = [...kept.attempts.keys()].map((attempt) => blobKeyOf(kept, attempt));
      void empty([...kept.inputs.map((_, at) => inputName(kept, at)), ...outputs]);
      const lastMs = Math.max(0, ...kept.attempts.values()) * 1000 - now() + AFTER_MS;
      if (lastMs > 0) setTimeout(() => void empty(outputs), Math.min(lastMs, LONGEST_MS)).unref();
    },
  };
}

/** Assumes a slow connection of 256 KiB a second. */
function fetchMs(bytes: number): number {
  return SMALL_MS + Math.ceil(bytes / 256);
}
